using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;
using CamCube.Runtime.Storage;
using CamCube.Runtime.Watching;
using CamCube.Runtime.Workers;

namespace CamCube.Runtime.Engine;

/// <summary>
/// One instance's view of its server. When the instance ends the view ends too: sends answer Closed, rents give
/// nothing, waits end as stopped; so what an old instance still does touches nobody.
/// </summary>
internal sealed class ServiceView : IServer, IServerPackets, IOutboundQueue, IWorkOwner
{
    private readonly ServerRuntime _server;
    private readonly ServiceSlot _slot;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Stack<LoopCompletion<bool>> _freeWaits = new();
    private readonly Stack<LoopCompletion<bool>> _freeRooms = new();
    private readonly Stack<LoopCompletion<Packet?>> _freeRents = new();
    private readonly List<LoopCompletion<bool>> _waits = [];
    private readonly Queue<LoopCompletion<bool>> _roomWaits = new();
    private readonly Queue<LoopCompletion<Packet?>> _rentWaits = new();
    private ServerTimeProvider? _time;
    private LoopContext? _context;
    private ServiceDisk? _disk;
    private ServiceMemory? _memory;
    private ServiceLoop? _loop;
    private ServiceRandom? _random;
    private ServiceCounters? _counters;
    private ServiceWork? _work;
    private JobList? _jobs;

    public ServiceView(ServerRuntime server, ServiceSlot slot)
    {
        (_server, _slot, Incarnation) = (server, slot, server.Incarnation);
        Stopping = _stopping.Token;
    }

    public bool IsStopped { get; private set; }

    /// <summary>What it held has been taken back: a packet it still names is somebody else's.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Brings continuations of its work back as its own.</summary>
    public LoopContext Context => _context ??= new LoopContext(_server, this);

    /// <summary>When its first waiting rent asked; long.MaxValue = none waits.</summary>
    public long FirstRentOrder => _rentWaits.TryPeek(out LoopCompletion<Packet?>? wait) ? wait.Order : long.MaxValue;

    public ServiceSlot Slot => _slot;

    public ServerRuntime Runtime => _server;

    public Coordinate Coordinate => _server.Coordinate;

    public TorusShape Shape => _server.Context.Shape;

    public ITopologyView Topology => OnLoop().Topology;

    public long NowNanos => OnLoop().ClockNow;

    public TimeProvider TimeProvider
    {
        get
        {
            CheckLoop();
            return _time ??= new ServerTimeProvider(_server, this);
        }
    }

    public ulong Incarnation { get; }

    public int MaxPayload => _server.MaxPayload;

    public ushort DefaultHopLimit => _server.HopLimit;

    public CancellationToken Stopping { get; }

    public IServerLoop Loop
    {
        get
        {
            CheckLoop();
            return _loop ??= new ServiceLoop(this);
        }
    }

    public IOutboundQueue Queue
    {
        get
        {
            CheckLoop();
            return this;
        }
    }

    public IServerDisk Disk
    {
        get
        {
            CheckLoop();
            return _disk ??= MakeDisk();
        }
    }

    public IServerWork Work
    {
        get
        {
            CheckLoop();
            return _work ??= new ServiceWork(this);
        }
    }

    /// <summary>What it waits for that is made elsewhere.</summary>
    public JobList Jobs => _jobs ??= new JobList();

    string IWorkOwner.Name => _slot.Definition.Name;

    ServiceId IWorkOwner.Id => _slot.Definition.Id;

    ServerWork IWorkOwner.Work => _server.Work;

    bool IWorkOwner.IsVirtual => _server.Context.IsVirtual;

    LoopInbox IWorkOwner.Inbox => _server.Context.Inbox;

    int IWorkOwner.Rank => _server.Rank;

    public IServerMemory Memory
    {
        get
        {
            CheckLoop();
            return ClaimedMemory
                ?? (
                    _memory = new ServiceMemory(
                        this,
                        $"{_slot.Definition.Name} on server {Coordinate}",
                        _server.ServiceBudget(),
                        _server.Context.Chunks
                    )
                );
        }
    }

    /// <summary>Its memory, if it has asked for any.</summary>
    public ServiceMemory? ClaimedMemory => _memory;

    // Its members look who calls, and name themselves.
    public IServerPackets Packets => this;

    public IServerRandom Random
    {
        get
        {
            CheckLoop();
            return _random ??= new ServiceRandom(this);
        }
    }

    public IServerCounters Counters
    {
        get
        {
            CheckLoop();
            return _counters ??= new ServiceCounters(this);
        }
    }

    public IServerGate Gate => _server.Gate;

    int IOutboundQueue.Room => _server.Egress.Room(_slot.Index);

    int IOutboundQueue.Count => _server.Egress.Count(_slot.Index);

    public bool TryRent(int bodyLength, [NotNullWhen(true)] out Packet? packet)
    {
        CheckLoop("Packets.TryRent");
        CheckLength(bodyLength);
        packet = IsStopped ? null : _server.Outbound.Rent(_slot, bodyLength);
        return packet is not null;
    }

    public ValueTask<Packet?> RentAsync(int bodyLength)
    {
        CheckLoop("Packets.RentAsync");
        // Here, where the mistake is: whoever has to wait is served long after.
        CheckLength(bodyLength);
        if (IsStopped)
        {
            return new ValueTask<Packet?>((Packet?)null);
        }

        if (_rentWaits.Count == 0 && TryRent(bodyLength, out Packet? packet))
        {
            return new ValueTask<Packet?>(packet);
        }

        LoopCompletion<Packet?> wait = _freeRents.TryPop(out LoopCompletion<Packet?>? w) ? w : new(this, _freeRents);
        (wait.Amount, wait.Order) = (bodyLength, _server.Host.NextWait());
        _rentWaits.Enqueue(wait);
        _server.RentersWait = true;
        return wait.Start();
    }

    public bool TryShare(Packet packet, [NotNullWhen(true)] out Packet? copy)
    {
        CheckLoop("Packets.TryShare");
        copy = IsStopped ? null : _server.Outbound.Share(_slot, packet);
        return copy is not null;
    }

    public void Take(Packet packet)
    {
        CheckLoop("Packets.Take");
        CheckNotEnded();
        packet.Move(_slot.CallbackOwner, _slot.HeldOwner);
    }

    public void Release(Packet packet)
    {
        CheckLoop("Packets.Release");
        CheckNotEnded();
        _server.Free(packet, packet.OwnerWord == _slot.CallbackOwner ? _slot.CallbackOwner : _slot.HeldOwner);
    }

    public SendResult Send(Packet packet, Destination to) =>
        OnLoop().Outbound.Send(this, packet, to, keepOnRefusal: false);

    public SendResult TrySend(ref Packet? packet, Destination to)
    {
        CheckLoop();
        ArgumentNullException.ThrowIfNull(packet);
        SendResult result = _server.Outbound.Send(this, packet, to, keepOnRefusal: true);
        if (result == SendResult.Accepted)
        {
            packet = null;
        }

        return result;
    }

    public SendResult SendVia(Packet packet, LinkSet anyOf) => OnLoop().Outbound.SendVia(this, packet, anyOf);

    public SendResult SendToAll(Packet packet, LinkSet allOf) => OnLoop().Outbound.SendToAll(this, packet, allOf);

    public IOutboundTurn AddSource(IPacketSource source, int weight = 1)
    {
        CheckLoop();
        ArgumentNullException.ThrowIfNull(source);
        ArgumentOutOfRangeException.ThrowIfLessThan(weight, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(weight, ServiceDefinition.MostWeight);
        var turn = new SourceTurn(this, source, weight);
        if (!IsStopped)
        {
            _server.Sources.Add(_slot, turn);
        }

        return turn;
    }

    public Backlog BacklogOf(Link link) => OnLoop().Egress.BacklogOf(_slot.Index, link);

    public ServerTimer CreateTimer(Action onDue) => new LoopTimer(OnLoop(), this, onDue);

    public ValueTask<bool> DelayAsync(TimeSpan delay)
    {
        CheckLoop();
        if (IsStopped)
        {
            return new ValueTask<bool>(false);
        }

        if (!_freeWaits.TryPop(out LoopCompletion<bool>? wait))
        {
            wait = new LoopCompletion<bool>(this, _freeWaits);
            LoopCompletion<bool> made = wait;
            wait.Timer = new LoopTimer(_server, this, () => made.Complete(true));
            _waits.Add(wait);
        }

        ValueTask<bool> task = wait.Start();
        wait.Timer!.Arm(delay);
        return task;
    }

    public ValueTask<bool> RoomAsync(int packets)
    {
        CheckLoop();
        if (IsStopped)
        {
            return new ValueTask<bool>(false);
        }

        if (_roomWaits.Count == 0 && _server.Egress.Room(_slot.Index) >= packets)
        {
            return new ValueTask<bool>(true);
        }

        LoopCompletion<bool> wait = _freeRooms.TryPop(out LoopCompletion<bool>? w) ? w : new(this, _freeRooms);
        wait.Amount = Math.Min(packets, _slot.Definition.Queue.LimitPackets);
        _roomWaits.Enqueue(wait);
        _server.Egress.NotifyRoom(_slot.Index);
        return wait.Start();
    }

    void ILoopOwner.Post(Action<object?> work, object? state) => OnLoop().PostControl(this, work, state);

    void IWorkOwner.BeginResult() => _server.Now = Math.Max(_server.Now, _server.Context.NowNanos);

    void IWorkOwner.EndResult() => _server.Context.Touched(_server.Rank);

    void IWorkOwner.ArmInTrueTime(ServerTimer timer, long nanos) =>
        ((LoopTimer)timer).ArmAtTrueTime(_server.Now + nanos);

    void IWorkOwner.CountLateFault() => _server.Counters.LateFaults++;

    void IWorkOwner.TellOverrun(string work, int lost) =>
        _server.Context.Events.WorkOverran(Coordinate, _slot.Definition.Name, work, lost);

    /// <summary>Tells those who wait for room, in order, and no room twice. Called in deferred work.</summary>
    public void ServeRoomWaits()
    {
        if (_roomWaits.Count == 0)
        {
            return;
        }

        int there = _server.Egress.Room(_slot.Index),
            room = there;
        while (_roomWaits.TryPeek(out LoopCompletion<bool>? wait) && room >= wait.Amount)
        {
            room -= wait.Amount;
            _roomWaits.Dequeue().Complete(true);
        }

        if (_roomWaits.TryPeek(out LoopCompletion<bool>? next))
        {
            // If those who got room leave it unused, the next has it.
            _server.Egress.NotifyRoom(_slot.Index, again: there >= next.Amount);
        }
    }

    /// <summary>Gives the first waiting rent a packet. False: there is none.</summary>
    public bool TryServeRent()
    {
        if (!TryRent(_rentWaits.Peek().Amount, out Packet? packet))
        {
            return false;
        }

        _rentWaits.Dequeue().Complete(packet);
        return true;
    }

    public void End()
    {
        IsEnded = true;
        _memory?.End();
    }

    public void CheckNotEnded()
    {
        if (IsEnded)
        {
            throw new OwnershipException(
                "The instance of the service has ended and its packets were taken back: stop using them in OnStop."
            );
        }
    }

    private ServiceDisk MakeDisk() =>
        _server.Context.Data is { } data
            ? new FileDisk(this, data.Of(Coordinate))
            : _server.Context.DiskOf?.Invoke(this) ?? new NoDisk(this);

    /// <summary>Ends everything that waits. The continuations are queued and see stopped results.</summary>
    public void Stop()
    {
        if (IsStopped)
        {
            return;
        }

        IsStopped = true;
        try
        {
            _stopping.Cancel();
        }
        catch (AggregateException)
        {
            // A callback that somebody registered threw; the view ends all the same, and nobody is left to be told.
            _server.Counters.LateFaults++;
        }

        foreach (LoopCompletion<bool> wait in _waits)
        {
            wait.Complete(false);
        }

        _loop?.Stop();
        _jobs?.StopAll();
        _disk?.Stop();
        while (_roomWaits.TryDequeue(out LoopCompletion<bool>? wait))
        {
            wait.Complete(false);
        }

        while (_rentWaits.TryDequeue(out LoopCompletion<Packet?>? rent))
        {
            rent.Complete(null);
        }
    }

    private void CheckLength(int bodyLength)
    {
        if ((uint)bodyLength > (uint)(MaxPayload - _slot.HeaderLength))
        {
            ThrowTooLarge(bodyLength);
        }
    }

    /// <summary>Its server, for a call that must come from the loop. In Release builds nothing but the field.</summary>
    public ServerRuntime OnLoop([CallerMemberName] string member = "")
    {
        CheckLoop(member);
        return _server;
    }

    /// <summary>
    /// In Debug builds: a member that was used by another thread than the server's throws, and is a fault of the
    /// service, since what another thread throws may be seen by nobody.
    /// </summary>
    [Conditional("DEBUG")]
    private void CheckLoop([CallerMemberName] string member = "")
    {
        if (!IsStopped && _server.Context.IsDriven && !_server.IsOnLoop)
        {
            var e = new InvalidOperationException(
                $"IServer.{member} was used by a thread that is not the server's. From there use IServer.Gate; "
                    + $"in the service await without "
                    + "Task.Run and ConfigureAwait(false)."
            );
            _server.FaultOf(this, e);
            throw e;
        }
    }

    private void ThrowTooLarge(int bodyLength) =>
        throw new ArgumentOutOfRangeException(
            nameof(bodyLength),
            bodyLength,
            $"A body has 0 to {MaxPayload - _slot.HeaderLength} bytes here "
                + "(IServer.Packets.MaxPayload less the header)."
        );
}
