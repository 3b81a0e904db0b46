using CamCube.Faults;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Engine;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Tracing;

namespace CamCube.Simulator;

/// <summary>
/// A cube in virtual time: the real servers and services, simulated cables, equal for every run of a seed. Nothing
/// happens unless <see cref="Advance"/> is called. All members on the thread that drives it; acts take effect between
/// events.
/// </summary>
public sealed class SimulatedCube : IDisposable
{
    private readonly SweepEngine _engine;
    private readonly FaultyCables _faults;
    private readonly ulong[] _incarnations;
    private readonly ulong _epochUnixMicros;
    private readonly ServerClock?[] _clocks;
    private readonly ClockPauses _clockPauses;
    private readonly Action<CubeNote>? _noted;
    private readonly CheckpointLog? _checkpoints;
    private readonly bool _isTracing;
    private EventRecording? _recording;
    private IDisposable? _lose;

    /// <summary>A cube with all servers running, at time 0.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="services">Services of every server, in order.</param>
    /// <param name="options">Cables and seed.</param>
    /// <param name="server">Settings of the servers.</param>
    /// <param name="events">Who is told of faults and changes.</param>
    public SimulatedCube(
        TorusShape shape,
        IReadOnlyList<ServiceDefinition> services,
        SimulatorOptions? options = null,
        ServerOptions? server = null,
        IServerEvents? events = null
    )
        : this(shape, services, options, server, events, static _ => { }) { }

    /// <summary>A cube that is watched from before its servers start on.</summary>
    internal SimulatedCube(
        TorusShape shape,
        IReadOnlyList<ServiceDefinition> services,
        SimulatorOptions? options,
        ServerOptions? server,
        IServerEvents? events,
        Action<Func<long, LoopSight>[]> watch
    )
    {
        options ??= new SimulatorOptions();
        Shape = shape;
        _epochUnixMicros = options.EpochUnixMicros;
        options.Disk.Check();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.CheckpointEvery, TimeSpan.Zero);
        if (options.CheckpointEvery > TimeSpan.Zero && !options.IsTracing)
        {
            throw new ArgumentException("Checkpoints need tracing.", nameof(options));
        }

        DiskFaults = new DiskFaultRules(shape.Count, options.Seed, options.Disk);
        _clocks = new ServerClock?[shape.Count];
        _clockPauses = new ClockPauses(shape.Count);
        server ??= new ServerOptions();
        events ??= new NoEvents();
        if (options.Threads > 1)
        {
            events = new OneAtATimeEvents(events);
        }

        if (options.Noted is not null)
        {
            _noted = options.Noted;
            events = new NotedEvents((at, kind, text) => Note(shape.RankOf(at), kind, text), events);
        }

        _engine = new SweepEngine(
            () =>
                new CubeContext
                {
                    Shape = shape,
                    Options = server,
                    Events = events,
                    Services = services,
                    Seed = options.Seed,
                    EpochUnixMicros = options.EpochUnixMicros,
                    IsVirtual = true,
                    IsDriven = false,
                    IsTracing = options.IsTracing,
                    RecorderOf = rank => _recording?.Of(rank),
                    LocalDelayNanos = 100,
                    ObserverOf = options.ObserverOf is { } observerOf ? rank => observerOf(shape.At(rank)) : null,
                    Inbox = new LoopInbox { ContinuesInline = true },
                    ClockOf = rank => _clocks[rank],
                    ReadClock = server => _clockPauses.Read(server),
                    DiskOf = options.Disk.IsPresent ? view => DiskFaults.DiskOf(view.Runtime.Rank).For(view) : null,
                },
            options
        );
        watch([.. _engine.MakeSamplers().Select(sampler => (Func<long, LoopSight>)sampler.Look)]);
        _faults = new FaultyCables(_engine, options.Seed, static act => act());
        _isTracing = options.IsTracing;
        if (options.CheckpointEvery != TimeSpan.Zero)
        {
            _checkpoints = new CheckpointLog(
                _engine,
                options.CheckpointEvery.Ticks * 100,
                options.CheckpointsHaveServers
            );
        }

        _incarnations = new ulong[shape.Count];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            StartRun(rank, commissioned: !options.ColdStart);
        }
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape { get; }

    /// <summary>Virtual time in nanoseconds.</summary>
    public long NowNanos => _engine.Now;

    /// <summary>Events so far.</summary>
    public long Events => _engine.Events;

    /// <summary>Packets that arrived over a cable so far.</summary>
    public long PacketHops => _engine.Hops;

    /// <summary>Packets lost on their way: on cut cables, at stopped servers, and by fault rules. Those that found a
    /// receive side full are counted there (<see cref="DropReason.ReceiveFull"/>).</summary>
    public long LostOnCables => _engine.LostOnCables + LinkFaults.Counts.AllLost;

    /// <summary>Disturbances of links: loss, delay, partitions and so on (docs/faults.md), and what they have done, by
    /// kind.</summary>
    public LinkFaultRules LinkFaults => _faults.Rules;

    /// <summary>The rolling hash over everything that happened: equal runs have equal hashes.</summary>
    public ulong TraceHash => _engine.TraceHash;

    /// <summary>The checkpoints so far, if <see cref="SimulatorOptions.CheckpointEvery"/> asks for any; in order,
    /// growing.</summary>
    public IReadOnlyList<Checkpoint> Checkpoints => _checkpoints?.Taken ?? [];

    /// <summary>Disturbances of the servers' disks (docs/faults.md), and what has happened to them, by kind.</summary>
    public DiskFaultRules DiskFaults { get; }

    /// <summary>Packets that somebody owns, on cables and in queues too.</summary>
    public int PacketsOutstanding => _engine.PacketsOutstanding;

    /// <summary>Asked for each packet that enters a cable (sender, its link, the packet): true loses it. Short for a
    /// rule <see cref="ChosenLoss"/> on all links; setting it replaces the one before, null ends it.</summary>
    public Func<Coordinate, Link, Packet, bool>? Lose
    {
        get;
        set
        {
            field = value;
            _lose?.Dispose();
            _lose = value is null ? null : LinkFaults.Add(new ChosenLoss(value));
        }
    }

    /// <summary>Who has the outstanding packets, for messages.</summary>
    public string DescribeOutstanding() => _engine.DescribePackets();

    /// <summary>Whether the server runs.</summary>
    public bool IsRunning(int rank) => _engine.ServerAt(rank) is not null;

    /// <summary>The gate of a server; it survives restarts.</summary>
    public IServerGate GateOf(int rank) => _engine.Gates[rank];

    /// <summary>Starts a service of a server that does not run: one that threw, or was stopped. It is done as virtual
    /// time goes on.</summary>
    public Task<CommandResult> StartServiceAsync(int rank, string service) =>
        _engine.Gates[rank].StartServiceAsync(service);

    /// <summary>The running service of a server that implements T.</summary>
    /// <exception cref="ServiceUnavailableException">None runs there.</exception>
    public T Service<T>(int rank)
        where T : class => Slot<T>(rank).Instance as T ?? throw new ServiceUnavailableException(typeof(T).Name);

    /// <summary>The view of the server that the running service implementing T has.</summary>
    public IServer ServerOf<T>(int rank)
        where T : class => Slot<T>(rank).View;

    /// <summary>The server's own view of the cube.</summary>
    public ITopologyView TopologyOf(int rank) => Running(rank).Topology;

    /// <summary>A snapshot of one server.</summary>
    public ServerStatus StatusOf(int rank) =>
        _engine.ServerAt(rank) is { } server ? StatusReader.Read(server) : StatusReader.Stopped(Shape, rank);

    /// <summary>Packets a running server dropped for a reason.</summary>
    public long DropsOf(int rank, DropReason reason) => _engine.ServerAt(rank)?.Counters.DropsOf(reason) ?? 0;

    /// <summary>Digest of the server's view of the cube: equal views have equal digests.</summary>
    public ulong ViewDigestOf(int rank) => Running(rank).Router.View.Digest;

    /// <summary>Lets virtual time pass.</summary>
    public void Advance(TimeSpan time) => AdvanceTo(_engine.Now + (time.Ticks * 100));

    /// <summary>Lets virtual time pass up to and including this moment.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The moment has passed.</exception>
    public void AdvanceTo(long nanos)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(nanos, _engine.Now);
        _engine.TakeLoops();
        _engine.DrainInboxes();
        _engine.TouchAll();
        if (_checkpoints is null)
        {
            _engine.Run(nanos);
        }
        else
        {
            _checkpoints.Run(nanos);
        }

        _engine.SetNowAtAll();
        _engine.DrainInboxes();
        foreach (SweepPartition partition in _engine.Partitions)
        {
            partition.Context.ThrowOwnError();
        }
    }

    /// <summary>The trace hash of one server: of all that happened there, over restarts.</summary>
    public ulong TraceHashOf(int rank) => _engine.HashOf(rank);

    /// <summary>
    /// Records all events that go into the trace hash, for a span of virtual time. What happens stays the same; a run
    /// without recording pays nothing. One recording at a time.
    /// </summary>
    /// <param name="fromNanos">Begin of the span, part of it.</param>
    /// <param name="untilNanos">End of the span, part of it.</param>
    /// <returns>What is recorded; disposing it ends the recording.</returns>
    /// <exception cref="InvalidOperationException">The cube keeps no trace hash, or is being recorded.</exception>
    public EventRecording Record(long fromNanos = 0, long untilNanos = long.MaxValue)
    {
        if (!_isTracing || _recording is not null)
        {
            throw new InvalidOperationException(
                _isTracing ? "The cube is being recorded already." : "A recording needs tracing."
            );
        }

        _recording = new EventRecording(Shape.Count, fromNanos, untilNanos, EndRecording);
        AttachRecorders();
        return _recording;
    }

    /// <summary>Adds a service to one running server.</summary>
    public void AddService(int rank, ServiceDefinition definition)
    {
        Running(rank).Host.Add(definition);
        _engine.Touch(rank);
    }

    /// <summary>Lets one service of a running server begin anew, and nothing else of the server; one that does not run
    /// stays so.</summary>
    public void RestartService(int rank, ServiceId id)
    {
        ServerRuntime server = Running(rank);
        if (server.Host.Find(id) is { } slot)
        {
            server.Host.Restart(slot);
        }

        _engine.Touch(rank);
    }

    /// <summary>Removes a service from one running server.</summary>
    public void RemoveService(int rank, ServiceId id)
    {
        ServerRuntime server = Running(rank);
        if (server.Host.Find(id) is { } slot)
        {
            server.Host.Remove(slot);
        }

        _engine.Touch(rank);
    }

    /// <summary>A server's power fails: what it had, and what was on its way to it, is gone, no service is told, and of
    /// its disk is left what was synced (docs/faults.md).</summary>
    public void Kill(int rank)
    {
        if (IsRunning(rank))
        {
            Note(rank, CubeNoteKind.ServerStopped, "power failed");
            Stop(rank, null);
            DiskFaults.DiskOf(rank).Fail();
        }
    }

    /// <summary>Stops a server in order: services are told, and its disk keeps all that was written. As long as they
    /// take (<see cref="ICamCubeService.OnStoppingAsync"/>), virtual time passes.</summary>
    public void Shutdown(int rank) => ShutDown(rank);

    /// <summary>Stops all servers in order, as a host that ends does: the services of all are told at once, and while
    /// any of them is not done all servers run.</summary>
    public void ShutdownAll() => ShutDown([.. Enumerable.Range(0, Shape.Count)]);

    /// <summary>Starts a stopped server with empty memory and its disk as it was.</summary>
    public void Revive(int rank) => Revive(rank, emptyDisk: false);

    /// <summary>Starts a stopped server with empty memory.</summary>
    /// <param name="rank">The server; if it runs, nothing happens.</param>
    /// <param name="emptyDisk">True: another, empty disk was put in.</param>
    public void Revive(int rank, bool emptyDisk)
    {
        if (IsRunning(rank))
        {
            return;
        }

        if (emptyDisk)
        {
            DiskFaults.DiskOf(rank).Erase();
        }

        Note(rank, CubeNoteKind.ServerStarted, emptyDisk ? "started with an empty disk" : "started");
        StartRun(rank, commissioned: false);
    }

    /// <summary>
    /// A server stands still, as in a long garbage collection: from now on nothing happens there until the time is
    /// over, then all that was due, in order, at that moment. What arrives meanwhile waits in its receive rings, as far
    /// as there is room. Calls through its gate are only begun. A server that stops meanwhile is not paused any more.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">A negative duration.</exception>
    public void Pause(int rank, TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.Zero);
        Running(rank);
        Note(rank, CubeNoteKind.ServerPaused, $"paused for {duration.TotalMilliseconds:0.###} ms");
        _engine.Pause(rank, _engine.Now + (duration.Ticks * 100));
    }

    /// <summary>Lets a server stand still in front of its next <see cref="IServerLoop.ReadClock"/>, in the middle of a
    /// step: the clock then says the time afterwards, the step's does not, and what the step sends leaves
    /// late.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A negative duration. Zero: it does not.</exception>
    public void PauseAtReadClock(int rank, TimeSpan duration) => _clockPauses.Set(rank, duration);

    /// <summary>
    /// Sets a server's clock wrong from now on: what its services read as <see cref="IServer.NowNanos"/>, in hops, by
    /// the TimeProvider, and what their timers go by; the link-state service too. It never runs backwards: after a step
    /// back it runs at half speed until it has come to the time it is to show. Timers that are armed already fire when
    /// they would have. Kept over restarts; twice zero = right.
    /// </summary>
    /// <param name="rank">The server; it need not run.</param>
    /// <param name="offset">How far its clock is ahead of true time now; negative = behind.</param>
    /// <param name="driftPartsPerMillion">How much faster it runs, in millionths; negative = slower; from
    /// −900,000.</param>
    /// <exception cref="ArgumentOutOfRangeException">A drift below −900,000.</exception>
    public void SetClock(int rank, TimeSpan offset, int driftPartsPerMillion = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(driftPartsPerMillion, -900_000);
        string drift = $"drift {driftPartsPerMillion:+0;-0;0} ppm";
        Note(rank, CubeNoteKind.ClockSet, $"clock set {offset.TotalMilliseconds:+0.###;-0.###;0} ms off, {drift}");
        long now = _engine.Now;
        ServerRuntime? server = _engine.ServerAt(rank);
        long shown =
            server is null ? long.MinValue
            : server.Clock is { } clock ? clock.Read(now)
            : now;
        long target = now + (offset.Ticks * 100);
        _clocks[rank] =
            offset == default && driftPartsPerMillion == 0 && shown <= now
                ? null
                : new ServerClock(now, target, shown, driftPartsPerMillion);
        server?.Clock = _clocks[rank];
    }

    /// <summary>Whether a server stands still.</summary>
    public bool IsPaused(int rank) => _engine.ResumesAt(rank) > _engine.Now;

    /// <summary>Cuts one direction of a cable: what this server sends on the link is lost.</summary>
    public void CutOneWay(int rank, Link link)
    {
        Note(rank, CubeNoteKind.CableCut, $"{link.Name()} cut one way");
        _engine.SetCut(rank, link, true);
    }

    /// <summary>Mends one direction of a cable.</summary>
    public void MendOneWay(int rank, Link link)
    {
        Note(rank, CubeNoteKind.CableMended, $"{link.Name()} mended one way");
        _engine.SetCut(rank, link, false);
    }

    /// <summary>Cuts a cable in both directions.</summary>
    public void Cut(int rank, Link link) => SetCable(rank, link, cut: true);

    /// <summary>Mends a cable in both directions.</summary>
    public void Mend(int rank, Link link) => SetCable(rank, link, cut: false);

    /// <summary>Whether a direction of a cable is cut.</summary>
    public bool IsCut(int rank, Link link) => _engine.IsCut(rank, link);

    /// <summary>Ends the simulation: no time passes any more, so services are only told the end
    /// (<see cref="ICamCubeService.OnStop"/>). One who wants to see what they do before a stop in order calls
    /// <see cref="ShutdownAll"/> first.</summary>
    public void Dispose()
    {
        _engine.AbandonPackets();
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            if (IsRunning(rank))
            {
                Stop(rank, StopReason.Shutdown);
            }
        }

        _engine.CloseInboxes();
        _engine.Dispose();
    }

    /// <summary>When something moves next that is no timer: packets, and links that they wait for.</summary>
    internal long NextEventButTimers => _engine.NextEventButTimers();

    internal ServerRuntime Running(int rank) =>
        _engine.ServerAt(rank) ?? throw new InvalidOperationException($"Server {Shape.At(rank)} is stopped.");

    private ServiceSlot Slot<T>(int rank)
        where T : class => Running(rank).FindSlot(typeof(T)) ?? throw new ServiceUnavailableException(typeof(T).Name);

    // A server inside a window has a time of its own.
    private void Note(int rank, CubeNoteKind kind, string text) =>
        _noted?.Invoke(
            new CubeNote(Math.Max(_engine.Now, _engine.ServerAt(rank)?.Now ?? 0), Shape.At(rank), kind, text)
        );

    private void EndRecording(EventRecording recording)
    {
        if (_recording == recording)
        {
            _recording = null;
            AttachRecorders();
        }
    }

    // A server that starts later asks for its own.
    private void AttachRecorders()
    {
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            _engine.ServerAt(rank)?.Recorder = _recording?.Of(rank);
        }
    }

    private void ShutDown(params int[] ranks)
    {
        int[] running = [.. ranks.Where(IsRunning)];
        OrderlyStop.Prepare(this, _engine, running);
        foreach (int rank in running.Where(IsRunning))
        {
            Note(rank, CubeNoteKind.ServerStopped, "shut down");
            Stop(rank, StopReason.Shutdown);
        }
    }

    private void Stop(int rank, StopReason? reason)
    {
        _engine.Stop(rank, reason);
        _engine.Pause(rank, 0);
        _clockPauses.Set(rank, TimeSpan.Zero);
    }

    private void SetCable(int rank, Link link, bool cut)
    {
        (int other, Link back) = _engine.PeerOf(rank, link);
        (CubeNoteKind kind, string word) = cut ? (CubeNoteKind.CableCut, "cut") : (CubeNoteKind.CableMended, "mended");
        Note(rank, kind, $"{link.Name()} {word}");
        Note(other, kind, $"{back.Name()} {word}");
        _engine.SetCut(rank, link, cut);
        _engine.SetCut(other, back, cut);
    }

    private void StartRun(int rank, bool commissioned)
    {
        _incarnations[rank] = Math.Max(_incarnations[rank] + 1, _epochUnixMicros + (ulong)(_engine.Now / 1_000));
        _engine.Start(rank, _incarnations[rank], commissioned);
    }
}
