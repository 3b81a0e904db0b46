using CamCube.Faults;
using CamCube.Runtime;
using CamCube.Runtime.Observing;
using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;

namespace CamCube.Testing;

/// <summary>
/// A cube for the tests of a service: the real runtime in virtual time, deterministic, with faults at hand. Add the
/// services, then use it; it starts with the first use. Await drives virtual time; nothing ever sleeps. Finish a test
/// with <see cref="AssertQuiet"/> (Dispose does not throw, so that it cannot hide the test's own failure). One thread.
/// </summary>
public sealed class TestCube : IDisposable
{
    private static readonly TimeSpan MostAwait = TimeSpan.FromMinutes(10);
    private readonly List<ServiceDefinition> _services = [];
    private readonly SimulatorOptions _simulator;
    private readonly ServerOptions _server;
    private readonly TestEvents _events = new();
    private readonly CallbackWatch _watch = new();
    private SimulatedCube? _cube;
    private bool _isDrivenBySwarm;

    /// <summary>A cube of this shape.</summary>
    public TestCube(int x, int y, int z, SimulatorOptions? simulator = null, ServerOptions? server = null)
        : this(new TorusShape(x, y, z), simulator, server) { }

    /// <summary>A cube of this shape.</summary>
    public TestCube(TorusShape shape, SimulatorOptions? simulator = null, ServerOptions? server = null) =>
        (Shape, _simulator, _server) = (shape, simulator ?? new SimulatorOptions(), server ?? new ServerOptions());

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape { get; }

    /// <summary>The simulated cube below.</summary>
    public SimulatedCube Cube
    {
        get
        {
            if (_cube is null)
            {
                using CallbackWatch.Scope driving = _watch.Drive();
                _cube = new SimulatedCube(Shape, _services, _simulator, _server, _events, _watch.Begin) { Lose = Lose };
            }

            return _cube;
        }
    }

    /// <summary>
    /// Real time that one callback of a service may take while this cube is driven by its own members; 10 s,
    /// <see cref="Timeout.InfiniteTimeSpan"/> for no limit. A callback that waits for something is interrupted then and
    /// the test fails with its name; one that computes without end cannot be stopped, so it ends the whole test run
    /// with its name. Not looked at under a debugger.
    /// </summary>
    public TimeSpan CallbackLimit
    {
        get => _watch.Limit;
        set => _watch.Limit = value;
    }

    /// <summary>Virtual time in nanoseconds.</summary>
    public long NowNanos => Cube.NowNanos;

    /// <summary>Faults of services so far, in order.</summary>
    public IReadOnlyList<ServiceFault> Faults => _events.Faults;

    /// <summary>Changes of views so far, in order.</summary>
    public IReadOnlyList<ViewChange> Changes => _events.Changes;

    /// <summary>Disturbances of links: loss, delay, partitions and so on (docs/faults.md). The cube starts with the
    /// first use.</summary>
    public LinkFaultRules LinkFaults => Cube.LinkFaults;

    /// <summary>Disturbances of the servers' disks. The cube starts with the first use.</summary>
    public DiskFaultRules DiskFaults => Cube.DiskFaults;

    /// <summary>Asked for each packet that enters a cable (sender, its link, the packet): true loses it.</summary>
    public Func<Coordinate, Link, Packet, bool>? Lose
    {
        get;
        set
        {
            field = value;
            if (_cube is not null)
            {
                _cube.Lose = value;
            }
        }
    }

    /// <summary>A server by rank.</summary>
    public TestServer this[int rank] => new(this, rank);

    /// <summary>A server by coordinate.</summary>
    public TestServer this[Coordinate server] => new(this, Shape.RankOf(server));

    /// <summary>Adds a service to every server, before first use.</summary>
    public TestCube Add<T>(Func<IServer, T> create, QueueOptions? queue = null)
        where T : class, ICamCubeService => Add(ServiceDefinition.Of(activation => create(activation.Server), queue));

    /// <summary>Adds a service to every server, before first use.</summary>
    public TestCube Add(ServiceDefinition definition)
    {
        if (_cube is not null)
        {
            throw new InvalidOperationException("Add services before the cube is used; later use Cube.AddService.");
        }

        _services.Add(definition);
        return this;
    }

    /// <summary>
    /// The way of a packet, with every hop, verdict and wait: of the n-th that services of one server send to another
    /// server or a key, from now on. Before first use. What was seen so far is in <see cref="PacketTrace.StepsUntil"/>,
    /// a line per step.
    /// </summary>
    /// <param name="from">Rank of the sender.</param>
    /// <param name="to">Where it goes.</param>
    /// <param name="number">The how-manieth of them, from 1.</param>
    public PacketTrace Trace(int from, Destination to, long number = 1)
    {
        if (_cube is not null)
        {
            throw new InvalidOperationException("Say what is to be traced before the cube is used.");
        }

        var trace = new PacketTrace(Shape, Shape.At(from), to, number, NameOf);
        Func<Coordinate, IServerObserver?>? before = _simulator.ObserverOf;
        _simulator.ObserverOf = server =>
            before?.Invoke(server) is { } first
                ? new ObserverPair(first, trace.ObserverOf(server))
                : trace.ObserverOf(server);
        return trace;
    }

    /// <summary>As <see cref="Trace(int, Destination, long)"/>, to a server by rank.</summary>
    public PacketTrace Trace(int from, int to, long number = 1) => Trace(from, Shape.At(to), number);

    /// <summary>
    /// Runs a scenario under drawn faults, once for each seed, until one fails; that one is then made as small as it
    /// gets. Equal seeds give equal runs. Works with any test framework: what fails is an exception.
    /// </summary>
    /// <param name="seeds">How many runs.</param>
    /// <param name="services">Adds the services to a cube, before each run (<see cref="SwarmPlan.Services"/>).</param>
    /// <param name="scenario">What clients do, and what has to hold. After an await it goes on on this thread.</param>
    /// <param name="replay">One run instead, as the message of a failure says it
    /// (<see cref="SwarmPlan.Replay"/>).</param>
    /// <returns>What was run.</returns>
    /// <exception cref="SwarmFailedException">A run failed.</exception>
    public static SwarmReport Swarm(
        int seeds,
        Action<TestCube> services,
        Func<SwarmCase, Task> scenario,
        string? replay = null
    ) =>
        Swarm(
            new SwarmPlan
            {
                Seeds = seeds,
                Services = services,
                Replay = replay,
            },
            scenario
        );

    /// <summary>As <see cref="Swarm(int, Action{TestCube}, Func{SwarmCase, Task}, string?)"/>, with everything else
    /// that can be said.</summary>
    /// <param name="plan">What is run, and how often.</param>
    /// <param name="scenario">What clients do, and what has to hold.</param>
    /// <exception cref="SwarmFailedException">A run failed.</exception>
    /// <exception cref="ArgumentException">The plan is wrong; the message says where.</exception>
    public static SwarmReport Swarm(SwarmPlan plan, Func<SwarmCase, Task> scenario) => SwarmRunner.Run(plan, scenario);

    /// <summary>Lets virtual time pass.</summary>
    public void Advance(TimeSpan time)
    {
        CheckMayDrive();
        using CallbackWatch.Scope driving = _watch.Drive();
        Cube.Advance(time);
    }

    /// <summary>Lets virtual time pass until the task has ended, and returns its result.</summary>
    /// <exception cref="TimeoutException">Ten virtual minutes were not enough; the message says who has
    /// packets.</exception>
    public T Await<T>(ValueTask<T> task)
    {
        Task<T> running = task.AsTask();
        Drive(() => running.IsCompleted, "The awaited task did not end");
        return running.GetAwaiter().GetResult();
    }

    /// <summary>Lets virtual time pass until the task has ended.</summary>
    public void Await(ValueTask task)
    {
        Task running = task.AsTask();
        Drive(() => running.IsCompleted, "The awaited task did not end");
        running.GetAwaiter().GetResult();
    }

    /// <summary>Lets virtual time pass until the condition holds; it is looked at every 10 virtual microseconds at
    /// first, later less often.</summary>
    public void AwaitUntil(Func<bool> condition, string what = "The condition did not come true") =>
        Drive(condition, what);

    /// <summary>Virtual times, in nanoseconds, at which operations of a server's disk end, from now on: those who
    /// let its power fail just before, and just after, each of them miss none.</summary>
    public IReadOnlyList<long> RecordDisk(int rank)
    {
        var ends = new List<long>();
        DiskFaults.DiskOf(rank).Ends = ends;
        return ends;
    }

    /// <summary>A server's power fails: no service is told, and of its disk is left what was synced.</summary>
    public void Kill(Coordinate server)
    {
        using CallbackWatch.Scope driving = _watch.Drive();
        Cube.Kill(Shape.RankOf(server));
        Stopped?.Invoke(Shape.RankOf(server));
    }

    /// <summary>Stops a server in order: services are told.</summary>
    public void Shutdown(Coordinate server)
    {
        CheckMayDrive();
        using CallbackWatch.Scope driving = _watch.Drive();
        Cube.Shutdown(Shape.RankOf(server));
        Stopped?.Invoke(Shape.RankOf(server));
    }

    /// <summary>Starts a stopped server with empty memory and its disk as it was.</summary>
    public void Revive(Coordinate server) => Revive(server, emptyDisk: false);

    /// <summary>Starts a stopped server with empty memory; with its disk as it was, or an empty one.</summary>
    public void Revive(Coordinate server, bool emptyDisk)
    {
        using CallbackWatch.Scope driving = _watch.Drive();
        Cube.Revive(Shape.RankOf(server), emptyDisk);
    }

    /// <summary>A server stands still for a while, as in a long garbage collection.</summary>
    public void Pause(Coordinate server, TimeSpan duration) => Cube.Pause(Shape.RankOf(server), duration);

    /// <summary>A server stands still in front of its next <see cref="IServerLoop.ReadClock"/>.</summary>
    public void PauseAtReadClock(Coordinate server, TimeSpan duration) =>
        Cube.PauseAtReadClock(Shape.RankOf(server), duration);

    /// <summary>Cuts the servers of a set off from all others, in both directions. Disposing heals.</summary>
    public IDisposable Partition(ServerSet servers) => LinkFaults.Add(new LinkCut(), LinkScope.Between(servers));

    /// <summary>Cuts a cable in both directions.</summary>
    public void Cut(Coordinate server, Link link) => Cube.Cut(Shape.RankOf(server), link);

    /// <summary>Mends a cable.</summary>
    public void Mend(Coordinate server, Link link) => Cube.Mend(Shape.RankOf(server), link);

    /// <summary>Cuts all cables of a server.</summary>
    public void CutOff(Coordinate server)
    {
        foreach (Link link in Shape.CabledLinks(server))
        {
            Cut(server, link);
        }
    }

    /// <summary>Mends all cables of a server.</summary>
    public void MendAll(Coordinate server)
    {
        foreach (Link link in Shape.CabledLinks(server))
        {
            Mend(server, link);
        }
    }

    /// <summary>
    /// Lets virtual time pass until liveness had its detection time and all running servers of each connected part have
    /// equal views with their keys where they may have them.
    /// </summary>
    public void AwaitConverged()
    {
        CheckMayDrive();
        Advance(_server.Liveness.DetectionTime * 1.5);
        Drive(IsConverged, "The views did not converge");
    }

    /// <summary>
    /// Checks that no packet is owned by a service or waits anywhere once traffic has ended (link-state packets in
    /// flight aside), and that no service faulted, forwarded what had arrived, or blocked the thread of its server.
    /// </summary>
    /// <exception cref="InvalidOperationException">Something is left; the message says what and with whom.</exception>
    public void AssertQuiet() => CheckQuiet(withFaults: true);

    /// <summary>As <see cref="AssertQuiet"/>; what services threw may be somebody else's matter.</summary>
    internal void CheckQuiet(bool withFaults)
    {
        if (_cube is null)
        {
            return;
        }

        using CallbackWatch.Scope driving = _watch.Drive();
        if (withFaults && Faults.Count > 0)
        {
            throw new InvalidOperationException($"A service faulted: {Faults[0]}");
        }

        for (int rank = 0; rank < Shape.Count; rank++)
        {
            if (_cube.IsRunning(rank) && this[rank].DropsOf(DropReason.ForwardedAtDestination) is > 0 and long n)
            {
                throw new InvalidOperationException(
                    $"A service's verdict was Forward for {n} packets that had arrived at {Shape.At(rank)} "
                        + $"({DropReason.ForwardedAtDestination}): "
                        + "consume, drop or hold them, or turn them round first."
                );
            }
        }

        if (_watch.Blocked is { } blocked)
        {
            throw new InvalidOperationException($"{blocked}.");
        }

        // Heartbeats come and go; between two of them there is a moment without any packet.
        for (int i = 0; i < 10_000 && _cube.PacketsOutstanding > 0; i++)
        {
            _cube.AdvanceTo(_cube.NowNanos + 100_000);
        }

        if (_cube.PacketsOutstanding > 0)
        {
            throw new InvalidOperationException(
                $"{_cube.PacketsOutstanding} packets are still owned at {_cube.NowNanos} "
                    + $"ns:\n{_cube.DescribeOutstanding()}"
            );
        }
    }

    /// <summary>Stops all servers.</summary>
    public void Dispose()
    {
        try
        {
            using CallbackWatch.Scope driving = _watch.Drive();
            _cube?.Dispose();
        }
        catch (TimeoutException e)
        {
            Console.Error.WriteLine(e.Message);
        }
        finally
        {
            _watch.End();
        }
    }

    /// <summary>How the process ends when a callback cannot be stopped, for our own tests.</summary>
    internal Action<string> FailFast
    {
        set => _watch.FailFast = value;
    }

    /// <summary>A server was stopped, in whatever way, or did not run.</summary>
    internal event Action<int>? Stopped;

    /// <summary>The detection time of the servers.</summary>
    internal TimeSpan DetectionTime => _server.Liveness.DetectionTime;

    /// <summary>Ids of the services that were added.</summary>
    internal IEnumerable<ServiceId> ServiceIds => _services.Select(static service => service.Id);

    /// <summary>A scenario runs on this cube: it is looked at as callbacks are, and whoever drives is the
    /// swarm.</summary>
    internal void WatchScenario(ulong seed, Func<long?> turn, Action<string>? failFast)
    {
        _watch.Scenario = turn;
        _watch.Context = $"; seed {seed} of TestCube.Swarm";
        _watch.FailFast = failFast ?? _watch.FailFast;
    }

    /// <summary>The swarm drives the cube until the scope is disposed.</summary>
    internal CallbackWatch.Scope DriveForSwarm()
    {
        _isDrivenBySwarm = true;
        return _watch.Drive();
    }

    /// <summary>Whether all running servers of each connected part have equal views, with their keys where they may
    /// have them.</summary>
    internal bool IsConverged()
    {
        var digests = new Dictionary<int, ulong>();
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            if (!Cube.IsRunning(rank))
            {
                continue;
            }

            ITopologyView view = Cube.TopologyOf(rank);
            if (view.HasMajority != view.HasKeys)
            {
                return false;
            }

            int first = 0;
            while (!Cube.IsRunning(first) || !view.IsReachable(Shape.At(first)))
            {
                first++;
            }

            ulong digest = Cube.ViewDigestOf(rank);
            if (digests.TryGetValue(first, out ulong other) && other != digest)
            {
                return false;
            }

            digests[first] = digest;
        }

        return true;
    }

    private void Drive(Func<bool> done, string what)
    {
        CheckMayDrive();
        using CallbackWatch.Scope driving = _watch.Drive();
        long begin = Cube.NowNanos,
            step = 10_000,
            end = begin + (MostAwait.Ticks * 100);
        while (!done())
        {
            if (Cube.NowNanos >= end)
            {
                throw new TimeoutException(
                    $"{what} within {MostAwait} of virtual time. Packets:\n{Cube.DescribeOutstanding()}"
                );
            }

            Cube.AdvanceTo(Cube.NowNanos + step);

            // Fine steps while answers come within microseconds, coarse ones while a time-out is waited for.
            step = Math.Min(1_000_000, step + (step >> 4));
        }
    }

    private void CheckMayDrive()
    {
        if (_isDrivenBySwarm)
        {
            throw new InvalidOperationException(
                "In a scenario of TestCube.Swarm time is not moved but awaited: run.DelayAsync, run.UntilAsync, "
                    + "run.CalmAsync, client.AskAsync."
            );
        }
    }

    private string NameOf(ServiceId id) => _services.Find(service => service.Id == id)?.Name ?? id.ToString();
}
