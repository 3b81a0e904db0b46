using System.Numerics;
using System.Runtime.CompilerServices;
using CamCube.Runtime.Core;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Observing;
using CamCube.Runtime.Services;
using CamCube.Runtime.Tracing;
using CamCube.Runtime.Watching;
using CamCube.Runtime.Wire;
using CamCube.Runtime.Workers;

namespace CamCube.Runtime.Engine;

/// <summary>
/// One run of one server: packets in, verdicts, packets out. A step machine without clock, thread or lock: who drives
/// it says what time it is. Delivery and verdicts are in <see cref="Dispatcher"/>, sends in <see cref="Outbound"/>,
/// services in <see cref="ServiceHost"/>, control work in <see cref="ControlLoop"/>.
/// </summary>
internal sealed class ServerRuntime : HopState
{
    private ServerWork? _work;
    private uint _packetIds;
    private long _stood;

    public ServerRuntime(
        CubeContext context,
        int rank,
        HotPointer hot,
        IVertexGate gate,
        ulong incarnation,
        bool commissioned
    )
        : this(context, rank, hot, gate, incarnation, commissioned, new ServerCounters()) { }

    private ServerRuntime(
        CubeContext context,
        int rank,
        HotPointer hot,
        IVertexGate gate,
        ulong incarnation,
        bool commissioned,
        ServerCounters counters
    )
        : base(
            counters,
            hot,
            context.IsTracing,
            OwnerWords.Make(PacketState.Runtime, OwnerWords.NoSlot, rank),
            OwnerWords.Make(PacketState.Wire, OwnerWords.NoSlot, rank)
        )
    {
        (Context, Rank, Gate, Incarnation, IsCommissioned, Counters) = (
            context,
            rank,
            gate,
            incarnation,
            commissioned,
            counters
        );
        Coordinate = context.Shape.At(rank);
        Clock = context.ClockOf(rank);
        SelfPacked = Coordinate.Packed;
        HopLimit = context.Options.HopLimitFor(context.Shape);
        MemoryOptions memory = context.Options.Memory;
        MemoryBudget = new MemoryBudget(
            memory.ServerLimit ?? (context.IsVirtual ? MemoryOptions.SimulatedServerLimit : long.MaxValue),
            context.ProcessMemory
        );
        Observer = context.ObserverOf?.Invoke(rank) is { } observer
            ? new GuardedObserver(observer, context.Failed)
            : null;
        Recorder = context.RecorderOf(rank);

        // Spread, so that packets of other servers, and of this one's earlier runs, have other numbers.
        _packetIds = (uint)((rank * 0x9E37_79B1L) + (long)((incarnation * 0x9E37_79B9_7F4A_7C15) >> 32));
        Timers = new TimerHeap(hot);
        Egress = new LinkScheduler(this, hot);
        Router = new Router(context, rank);
        Topology = new TopologyView(this);
        Control = new ControlLoop(this);
        Host = new ServiceHost(this);
        Dispatch = new Dispatcher(this);
        Outbound = new Outbound(this);
        Sources = new ServerSources(this);
    }

    public CubeContext Context { get; }

    public int Rank { get; }

    public Coordinate Coordinate { get; }

    /// <summary>Grows in the one case of <see cref="CoreServer.BeginAnew"/>.</summary>
    public ulong Incarnation { get; set; }

    /// <summary>It has had its keys in this run, so its services have something to lose.</summary>
    public bool HasHadKeys { get; set; }

    /// <summary>It has taken a later number, because others remembered a later run.</summary>
    public bool HasBegunAnew { get; set; }

    public bool IsCommissioned { get; }

    public IVertexGate Gate { get; }

    public TimerHeap Timers { get; }

    public TopologyView Topology { get; }

    public ControlLoop Control { get; }

    public Outbound Outbound { get; }

    public ServerSources Sources { get; }

    public ulong SelfPacked { get; }

    public ServiceHost Host { get; }

    public ServerCounters Counters { get; }

    public ushort HopLimit { get; }

    public int MaxPayload => MaxFrameLength - Packet.FrameOverhead;

    /// <summary>The step's time as services read it.</summary>
    public long ClockNow => Clock is null ? Now - _stood : Clock.Read(Now - _stood);

    /// <summary>The time of now, as services read it.</summary>
    public long ReadClock() => Context.ReadClock(this);

    /// <summary>Time passes within a step, in virtual time: what it sends from now on leaves later, the step's time
    /// stays. Zero: another step begins.</summary>
    public void StandStill(long nanos)
    {
        (Now, _stood) = (Now + nanos, nanos == 0 ? 0 : _stood + nanos);
        Context.StoodStill = nanos == 0 ? null : this;
    }

    /// <summary>The true time at which services read a time.</summary>
    public long TrueTimeOf(long clockNanos) => Clock is null ? clockNanos : Clock.TrueTimeOf(clockNanos);

    /// <summary>What its services may claim together.</summary>
    public MemoryBudget MemoryBudget { get; }

    /// <summary>The last time that it stood still: for how long, and when that ended, in true time.</summary>
    public (long Nanos, long EndedAt) LastPause { get; private set; } = (0, long.MinValue);

    /// <summary>Looks whether it stood still until now: a timer should have fired and has not. Asked before that timer
    /// fires, too, because packets that came meanwhile come first.</summary>
    public void NotePause()
    {
        long late = Now - Hot.Ref.When[HotState.TimerLane];
        if (late > 2 * Context.TimerGrainNanos)
        {
            LastPause = (late, Now);
        }
    }

    /// <summary>What it has with the worker threads.</summary>
    public ServerWork Work => StartedWork ?? (_work = new ServerWork(Rank, Context.Options.Work, Context.Workers));

    /// <summary>The same, if it ever had anything there.</summary>
    public ServerWork? StartedWork => _work;

    /// <summary>Most packets it may have.</summary>
    public int PacketLimit { get; set; }

    public bool IsStopped { get; set; }

    /// <summary>A link went down since packets were last routed again.</summary>
    public bool NeedsReroute { get; set; }

    /// <summary>What a new instance of a service may claim.</summary>
    public MemoryBudget ServiceBudget() => new(Context.Options.Memory.ServiceLimit ?? long.MaxValue, MemoryBudget);

    public void Attach(LinkDriver driver)
    {
        Driver = Observer is null ? driver : new ObservedLinks(driver, Observer, Context.IsVirtual);
        (MaxFrameLength, CarriesVirtualBytes) = (driver.MaxFrameLength, driver.CarriesVirtualBytes);
        EndsAtNeighbours = driver.EndsAtNeighbours;
    }

    /// <summary>Whether the calling thread may touch it.</summary>
    public bool IsOnLoop =>
        Context.Inbox.Lock is { } door ? door.IsMine : Context.LoopThread == Environment.CurrentManagedThreadId;

    // ---- hints for whoever simulates many servers
    // ------------------------------------------------------------------------------

    /// <summary>Brings a server's own object towards the cache. Static: a call on the object would wait for
    /// it.</summary>
    public static void Prefetch(ServerRuntime server) => Memory.Prefetch.Object(server, 3);

    /// <summary>Brings what a hop uses of its parts towards the cache; the object itself should be there.</summary>
    public void PrefetchParts()
    {
        Memory.Prefetch.Object(Egress, 2);
        Memory.Prefetch.Object(Router, 1);
        Memory.Prefetch.Object(Dispatch, 1);
        Memory.Prefetch.Object(Driver, 1);
        Memory.Prefetch.Array(SlotTable, 1);
    }

    /// <summary>The place of a packet's service, or null: for a hint.</summary>
    public ServiceSlot? SlotOf(Packet packet) => Dispatch.SlotOf(packet);

    // ---- arrival --------------------------------------------------------------------------------------------------

    /// <summary>A packet came in by a cable. Its sender gave it up when it transmitted it.</summary>
    public void Arrive(Link link, Packet packet, long now)
    {
        Now = now;
        packet.Move(packet.OwnerWord, RuntimeOwner);
        PacketsInUse++;
        ref LinkTally tally = ref Tallies[(int)link];
        tally.HeardNanos = ProvesNeighbour(packet) ? now : tally.HeardNanos;
        tally.ReceivedPackets++;
        tally.ReceivedBytes += packet.WireLength;
        if (IsTracing)
        {
            ref HotState h = ref Hot.Ref;
            h.Hash = TraceHash.Event(h.Hash, now, TraceHash.Kind.Arrive, packet.IdWord ^ (uint)link);
            Recorder?.Packet(now, TraceEventKind.Arrive, packet, link, h.Hash);
        }

        if (PacketsInUse > ServiceLimit && (packet.ServiceWord != LinkStateService.Id || PacketsInUse > PacketLimit))
        {
            Discard(packet, RuntimeOwner, DropReason.NoBuffer);
        }
        else
        {
            Dispatch.Deliver(link, packet);
        }
    }

    /// <summary>The bytes of one packet came in by a cable; <see cref="WireFormat.PacketLengthAt"/> accepted
    /// them.</summary>
    public void ArriveBytes(Link link, ReadOnlySpan<byte> bytes, long now)
    {
        int body = WireFormat.BodyLengthOf(bytes);
        Packet packet = Context.Pool.Rent(WireOwner);
        (packet.BodyOffset, packet.BodyBytes, packet.VirtualBytes) = (0, body, 0);
        packet.Buffer = body > 0 ? Context.Pool.RentBody(body) : null;
        WireFormat.Decode(bytes, packet);
        packet.IdWord = ++_packetIds;
        Arrive(link, packet, now);
    }

    /// <summary>Whether the addresses of accepted bytes lie in the cube: services may trust a packet's
    /// source.</summary>
    public bool IsWireSource(ReadOnlySpan<byte> packet) => WireFormat.AddressesFit(packet, Context.Shape);

    /// <summary>Fires the timers that are due, bounded.</summary>
    public int RunTimers(long now)
    {
        Now = now;
        NotePause();
        int n = 0;
        while (n < Context.Options.StepBudget && Timers.TakeDue(now) is { } timer)
        {
            if (IsTracing)
            {
                ref HotState h = ref Hot.Ref;
                h.Hash = TraceHash.Event(h.Hash, now, TraceHash.Kind.Timer, (uint)timer.Owner.Slot.Index);
                Recorder?.Timer(now, timer.Owner.Slot.Definition.Id.Value, timer.Due, h.Hash);
            }

            Control.Guard(timer.Owner, CallbackKind.Timer, timer, static (_, t) => t.OnDue());
            n++;
        }

        Timers.Settle();
        return n;
    }

    /// <summary>Serves a link that has room.</summary>
    public int ServeLink(int link, long now)
    {
        Now = now;
        return Egress.Serve(link, now);
    }

    /// <summary>
    /// Local packets, continuations and waits, bounded. What is left is deferred again. Whatever is done for a service
    /// is done in its name (<see cref="HopState.Running"/>), so that a mistake in it stops that service and not the
    /// server.
    /// </summary>
    public int RunDeferred(long now)
    {
        Now = now;
        Hot.Ref.When[HotState.DeferredLane] = long.MaxValue;
        int budget = Context.Options.StepBudget;
        if (NeedsReroute)
        {
            Reroute();
        }

        int n = Sources.HasLocal ? Sources.PollLocal() : 0;
        n += Dispatch.DeliverLocal(budget);
        n += Control.Drain(budget);
        if (RentersWait || Egress.RoomFreed)
        {
            // A fault breaks the round off, and the others' waits are looked at in the next one.
            (Egress.RoomFreed, RentersWait) = (false, true);
            RentersWait = Host.ServeWaits();
        }

        if (Dispatch.LocalCount > 0 || Control.Count > 0 || Sources.HasLocal)
        {
            // In virtual time a service that sends to itself for ever must not stop the clock, and one that never ends
            // to post must not take all of a live cube's thread.
            Hot.Ref.When[HotState.DeferredLane] = now + (Context.LocalDelayNanos * (n < budget ? 1 : 100));
        }

        return n;
    }

    public void Defer()
    {
        if (IsStopped)
        {
            // The hot block may be the next run's, or gone.
            return;
        }

        ref HotState h = ref Hot.Ref;
        if (h.When[HotState.DeferredLane] > Now)
        {
            h.When[HotState.DeferredLane] = Now;
        }
    }

    // ---- what services do with packets
    // -------------------------------------------------------------------------------------------

    public void Free(Packet packet, uint owner)
    {
        Context.Pool.Free(packet, owner);
        PacketsInUse--;
        if (RentersWait)
        {
            Defer();
        }
    }

    /// <summary>One more packet is this server's.</summary>
    public void Charge() => PacketsInUse++;

    public uint NextPacketId() => ++_packetIds;

    public void Discard(Packet packet, uint owner, DropReason reason)
    {
        Counters.Drop(reason);
        Observer?.Dropped(PacketSummary.Of(packet), reason, Now);
        Free(packet, owner);
    }

    /// <summary>Puts a packet on a link that has room. The only way out of a server.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Transmit(int link, Packet packet, long now, uint owner)
    {
        ref HotState h = ref Hot.Ref;
        ref LinkTally tally = ref Tallies[link];
        tally.SentNanos = ProvesNeighbour(packet) ? now : tally.SentNanos;
        tally.SentPackets++;
        tally.SentBytes += packet.WireLength;
        PacketsInUse--;
        if (RentersWait)
        {
            // A busy sender gets its packets back by their leaving; nothing of it may ever be freed here.
            Defer();
        }

        if (IsTracing)
        {
            h.Hash = TraceHash.Headers(TraceHash.Event(h.Hash, now, TraceHash.Kind.Transmit, (uint)link), packet);
            Recorder?.Packet(now, TraceEventKind.Transmit, packet, (Link)link, h.Hash);
        }

        LeaveHop(packet);
        packet.Move(owner, WireOwner);
        h.Busy[link] = Driver.Transmit((Link)link, packet, now);
    }

    // ---- changes of the cube
    // -----------------------------------------------------------------------------------------------------

    /// <summary>
    /// After a link went down, and once the view says so too: packets that wait for it are routed again. The link-state
    /// service's own stay: they are what brings the link up.
    /// </summary>
    private void Reroute()
    {
        for (int i = 1; i < Host.Slots.Count; i++)
        {
            Running = i;
            Egress.Requeue(Host.SlotAt(i), Outbound.RerouteOne);
        }

        // Only now: if a service's packet makes it throw, the others' are routed again in the next round.
        (Running, NeedsReroute) = (-1, false);
    }

    /// <summary>The service whose callback threw, or -1; the packet it had is found by the ledger, so no store per hop
    /// is needed for it.</summary>
    public int TakeCulprit()
    {
        int culprit = Running;
        Running = -1;
        if (culprit >= 0)
        {
            ServiceSlot slot = Host.SlotAt(culprit);
            int n = Reclaim(slot.CallbackOwner);
            Counters.Drops[(int)DropReason.Fault] += n;
        }

        return culprit;
    }

    /// <summary>
    /// The callback that runs now: whose, what of it, and a number that tells it from others of that kind. For another
    /// thread that looks while the loop stands still; if it does not, the parts may belong to different callbacks.
    /// </summary>
    public (ServiceSlot Slot, CallbackKind Kind, long Number)? RunningNow()
    {
        int running = Running;
        ServiceSlot[] slots = SlotTable;
        if ((uint)running >= (uint)slots.Length)
        {
            return null;
        }

        ServiceSlot slot = slots[running];
        CallbackKind kind = !Host.Asking.IsEmpty ? CallbackKind.OnPoll : Control.Callback;
        return (
            slot,
            kind,
            kind switch
            {
                CallbackKind.OnPacket => slot.Arrived,
                CallbackKind.OnPoll => slot.Sent,
                _ => Control.Begun,
            }
        );
    }

    public int Reclaim(uint owner)
    {
        int n = Context.Pool.Reclaim(owner);
        PacketsInUse -= n;
        return n;
    }

    public ControlScope EnterControl(ServiceView view, CallbackKind callback) => Control.Enter(view, callback);

    public void LeaveControl(in ControlScope outer) => Control.Leave(outer);

    public void PostControl(ServiceView? owner, Action<object?> work, object? state) =>
        Control.Post(owner, work, state);

    public void RunControl(ServiceView owner, CallbackKind callback, Func<ValueTask> work) =>
        Control.Run(owner, callback, work);

    public ServiceSlot? FindSlot(Type type) => Host.Find(type);

    public void Fault(ServiceSlot slot, Exception e) => Host.Fault(slot, e);

    /// <summary>A fault of an instance that may have ended, noticed on any thread.</summary>
    public void FaultOf(ServiceView view, Exception e)
    {
        if (view.IsStopped)
        {
            Counters.LateFaults++;
        }
        else if (!IsOnLoop)
        {
            Context.Inbox.Post(new LateFault(this, view, e));
        }
        else
        {
            Fault(view.Slot, e);
        }
    }

    private sealed class LateFault(ServerRuntime server, ServiceView view, Exception e) : LoopWork
    {
        public override void Execute()
        {
            bool isStopped = server.IsStopped;
            server.FaultOf(view, e);
            if (!isStopped)
            {
                server.Context.Touched(server.Rank);
            }
        }
    }
}
