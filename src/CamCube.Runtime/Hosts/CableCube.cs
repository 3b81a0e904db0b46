using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Gates;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;
using CamCube.Runtime.Storage;
using CamCube.Runtime.Watching;
using CamCube.Runtime.Wire;
using CamCube.Topology;

namespace CamCube.Runtime.Hosts;

/// <summary>
/// The one server of this process on real cables: a thread that steps it and sleeps in the link driver when there is
/// nothing to do. Every member from any thread.
/// </summary>
public sealed class CableCube : ICube
{
    private const int LeastFrameLength = 1_514;

    // What the system needs to wake a thread, on a machine that does other things too.
    private const long TimerGrainNanos = 1_000_000;
    private readonly LinkProviderRequest _request;
    private IReadOnlyList<ServiceDefinition> _services;
    private readonly ServerOptions _options;
    private readonly IServerEvents _events;
    private readonly ulong _seed;
    private readonly bool _findsCoordinate;
    private readonly LoopInbox _inbox = new();
    private readonly HotArray _hot = new(1);
    private readonly TimeProvider _time;
    private readonly LoopLife _life = new();
    private readonly LoopPulse _pulse = new();
    private readonly LoopSleeps _sleeps = new();
    private readonly LoopSampler _sampler;
    private readonly LinkDriver _driver;
    private CubeContext? _context;
    private AwakeClock? _clock;
    private long _origin;
    private bool _agentsHappened;
    private volatile Placed? _placed;
    private volatile ServerRuntime? _server;
    private volatile ServerRuntime? _watched;
    private volatile CuttableLinks? _cuts;
    private volatile Order? _order;
    private volatile bool _stop;

    /// <summary>Opens the links; nothing runs yet.</summary>
    /// <param name="links">What makes the links.</param>
    /// <param name="request">The cube, this server's place in it if it is known already, and the provider's
    /// settings.</param>
    /// <param name="services">The services.</param>
    /// <param name="options">Settings of the server.</param>
    /// <param name="events">Who is told of faults and changes.</param>
    /// <param name="seed">Seed of the services' random streams.</param>
    /// <exception cref="LinkProviderException">The links cannot be opened, or the place is not known and nobody finds
    /// it out.</exception>
    public CableCube(
        ILinkProvider links,
        LinkProviderRequest request,
        IReadOnlyList<ServiceDefinition> services,
        ServerOptions options,
        IServerEvents events,
        ulong seed
    )
    {
        ArgumentNullException.ThrowIfNull(links);
        ArgumentNullException.ThrowIfNull(request);
        ServiceDefinition.CheckList(services);
        (_request, _services, _options, _events, _seed, _time) = (
            request,
            services,
            options,
            events,
            seed,
            request.Time
        );
        (Shape, Shim, _findsCoordinate) = (request.Shape, links.Name, links.FindsCoordinate);
        if (request.Coordinate is { } coordinate)
        {
            Shape.RankOf(coordinate);
        }
        else if (!_findsCoordinate)
        {
            throw new LinkProviderException(
                $"the shim {links.Name} has to be told which server this is: set CamCube:Coordinate, as in 0,0,0."
            );
        }

        _sampler = new LoopSampler(_inbox, _pulse, 1, _ => _watched);
        _driver = links.Open(request);
        _inbox.Wake = _driver.Wake;
        _inbox.NowNanos = Now;
        if (OperatingSystem.IsLinux())
        {
            LoopAgents agents = new();
            if (_driver.TryWatch(agents.Handle, () => _agentsHappened = true))
            {
                _inbox.Agents = agents;
            }
            else
            {
                agents.Dispose();
            }
        }
    }

    /// <inheritdoc/>
    public TorusShape Shape { get; }

    /// <inheritdoc/>
    public string Shim { get; }

    /// <summary>This server's rank, or nothing as long as its place is not known.</summary>
    public IReadOnlyList<int> LocalRanks => _placed is { } placed ? [placed.Rank] : [];

    /// <inheritdoc/>
    public bool CanControl { get; init; }

    /// <summary>Puts something in front of the links once the server's rank is known: captures, fault rules. On the
    /// loop. Told the rank and the Unix time of server time 0, in microseconds.</summary>
    public Func<int, ulong, LinkDriver, LinkDriver> Decorate { get; init; } = static (_, _, links) => links;

    /// <inheritdoc/>
    public CablingReport? Cabling => _driver.Cabling;

    /// <inheritdoc/>
    public IServerGate GateOf(int rank) =>
        _placed is { } placed && rank == placed.Rank
            ? placed.Gate
            : throw new ArgumentOutOfRangeException(nameof(rank), rank, "Not a server of this process.");

    /// <summary>Starts the loop. Returns when the server runs, which may take as long as it takes to find its
    /// place.</summary>
    public ValueTask StartAsync(CancellationToken cancel) => _life.StartAsync("camcube-server", Loop, cancel);

    /// <inheritdoc/>
    public LoopSight LookAtLoop(long nanos) => _sampler.Look(nanos);

    /// <inheritdoc/>
    public ILoopAlarm? CreateAlarm(TimeSpan after) => _sleeps.CreateAlarm(after);

    /// <inheritdoc/>
    public void NudgeLoop()
    {
        _inbox.Post(new LoopBeat());
        _driver.Wake();
    }

    /// <inheritdoc/>
    public Task Ended => _life.Ended;

    /// <inheritdoc/>
    public ValueTask StopAsync(CancellationToken cancel) =>
        _life.StopAsync(
            () =>
            {
                _stop = true;
                _driver.Wake();
            },
            cancel
        );

    /// <inheritdoc/>
    public ValueTask StopServerAsync(int rank) => DoAsync(rank, wantsServer: false);

    /// <inheritdoc/>
    public ValueTask StartServerAsync(int rank) => DoAsync(rank, wantsServer: true);

    /// <inheritdoc/>
    public async ValueTask<CommandResult> StartServiceAsync(int rank, string service)
    {
        CheckControl(rank);
        return await _placed!.Gate.StartServiceAsync(service).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask<ReplaceResult> ReplaceServicesAsync(int rank, IReadOnlyList<ServiceDefinition> next)
    {
        CheckControl(rank);
        return await _placed!.Gate.ReplaceServicesAsync(_context!, rank, next).ConfigureAwait(false);
    }

    /// <summary>Loses all packets of a link of this server, both ways, as a cut would. The frames that say who is at
    /// the other end still pass.</summary>
    public ValueTask CutCableAsync(int rank, Link link) => SetCut(rank, link, cut: true);

    /// <inheritdoc/>
    public ValueTask MendCableAsync(int rank, Link link) => SetCut(rank, link, cut: false);

    /// <inheritdoc/>
    public CubeStatus GetStatus()
    {
        if (_placed is not { } placed)
        {
            return new CubeStatus(Shape, Shim, [], []);
        }

        ServerStatus status = _server is { } server
            ? StatusReader.Read(server)
            : StatusReader.NotRunning(Shape, placed.Rank, Ended);
        var cables = status.Links.Select(l => new CableStatus(
            placed.Rank,
            l.Link,
            Shape.RankOf(l.Neighbour),
            _cuts?.Cut.Contains(l.Link) == true ? CableState.Cut
                : l.IsUp ? CableState.Up
                : CableState.Down
        ));
        return new CubeStatus(Shape, Shim, [status], [.. cables]);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
        if (!_life.HasThread)
        {
            _driver.Close();
        }

        _hot.Dispose();
    }

    private async ValueTask DoAsync(int rank, bool wantsServer)
    {
        CheckControl(rank);
        Order order = new(wantsServer);
        if (Interlocked.CompareExchange(ref _order, order, null) is not null)
        {
            throw new InvalidOperationException("One order at a time.");
        }

        _driver.Wake();
        await Task.WhenAny(order.Done.Task, _life.Ended).ConfigureAwait(false);
    }

    private ValueTask SetCut(int rank, Link link, bool cut)
    {
        CheckControl(rank);
        _cuts?.Set(link, cut);
        return ValueTask.CompletedTask;
    }

    private void CheckControl(int rank)
    {
        if (!CanControl)
        {
            throw new NotSupportedException("This server is real, and control of it is not enabled.");
        }

        if (_placed?.Rank != rank)
        {
            throw new ArgumentOutOfRangeException(nameof(rank), rank, "Not a server of this process.");
        }
    }

    private long AgentsDeadline =>
        OperatingSystem.IsLinux() && _inbox.Agents is { } agents ? agents.Deadline : long.MaxValue;

    private long Now() => (long)_time.GetElapsedTime(_origin).TotalNanoseconds;

    private void Loop()
    {
        // Begun before the other, it is never behind it.
        _clock = new AwakeClock(_time);
        _origin = _time.GetTimestamp();
        _pulse.Begin();
        Exception? fault = null;
        try
        {
            if (TryFindPlace(out Coordinate place))
            {
                Run(place);
            }
        }
        catch (Exception e)
        {
            fault = e;
        }

        _life.End(fault, EndServer, _inbox.Close, CloseWorkers, EndAgents, _pulse.End, _driver.Close, ForgetAgents);
    }

    // A server that an error has broken off ends as if its power had failed, so that those who wait for its services
    // learn of it.
    private void EndServer()
    {
        ServerRuntime? server = _server;
        _server = null;
        if (_placed is { } placed)
        {
            placed.Gate.Current = null;
        }

        if (server is not null)
        {
            ServerLifecycle.Stop(server, null);
        }
    }

    private void CloseWorkers() => _context?.Close();

    // Turns that were asked for before the end; later ones are had by those who ask for them.
    private void EndAgents() => TurnAgents(Now());

    private void ForgetAgents()
    {
        if (OperatingSystem.IsLinux() && _inbox.Agents is { } agents)
        {
            _inbox.Post(new LastWork(agents.Dispose));
        }
    }

    private bool TryFindPlace(out Coordinate place)
    {
        if (!_findsCoordinate)
        {
            place = _request.Coordinate!.Value;
            return true;
        }

        long deadline;
        while (!_driver.TryPlace(Now(), out place, out deadline))
        {
            if (_stop)
            {
                return false;
            }

            _driver.Wait(Now(), deadline);
            _pulse.Turn();
        }

        return true;
    }

    private void Run(Coordinate place)
    {
        if (_driver.MaxFrameLength < LeastFrameLength)
        {
            throw new LinkProviderException(
                $"the links of the shim {Shim} carry frames of {_driver.MaxFrameLength} bytes; "
                    + $"at least {LeastFrameLength} are needed."
            );
        }

        CubeContext context = _context = new()
        {
            Shape = Shape,
            Options = _options,
            Events = _events,
            Services = _services,
            Seed = _seed,
            EpochUnixMicros =
                (ulong)((_time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks) / 10) - (ulong)(Now() / 1_000),
            Calendar = new CalendarClock(_time),
            TimerGrainNanos = TimerGrainNanos,
            IsVirtual = false,
            ReadClock = _ => _clock!.Read(),
            Views = new CubeViewCache(),
            Data = DataFolder.For(_options.DataFolder),
            Inbox = _inbox,
            Pulse = _pulse,
            ServerCount = 1,
        };

        // The context has them now, and lets go of them when they are replaced.
        _services = [];
        ServerGate gate = new(_inbox, place, Shape, _options.GateLimit)
        {
            AgentEnded = (agent, e) => context.Events.AgentEnded(place, agent, e),
        };
        Placed placed = new(Shape.RankOf(place), gate);
        LinkDriver links = _driver;
        if (CanControl)
        {
            links = _cuts = new CuttableLinks(links);
        }

        links = Decorate(placed.Rank, context.EpochUnixMicros, links);
        _placed = placed;
        RunJournal runs = new(_request.StateDirectory, _time, _request.News);
        while (!_stop)
        {
            ServerRuntime server = new(
                context,
                placed.Rank,
                _hot.Pointer(0),
                placed.Gate,
                runs.Begin(),
                commissioned: false
            );
            StepMachine machine = new(server);
            links.Attach(machine.Port);
            _watched = server;
            ServerLifecycle.Start(server, links, Now());
            _server = server;
            EndOrder();
            _life.Begin();
            Drive(context, machine, links, () => !_stop && _order is null or { WantsServer: true });
            if (_stop)
            {
                bool left = false;
                server.Host.Leave(_options.StopTimeout, () => left = true);
                Drive(context, machine, links, () => !left);
            }

            _server = null;
            ServerLifecycle.Stop(server, _stop ? StopReason.Shutdown : null);
            _watched = null;
            runs.Note(server.Incarnation);
            links.Flush(Now());
            context.ThrowOwnError();
            EndOrder();
            Idle(links, new DeadEnd(machine.Port));
        }
    }

    private void Drive(CubeContext context, StepMachine machine, LinkDriver links, Func<bool> goesOn)
    {
        while (goesOn())
        {
            EndOrder();
            _pulse.Turn();
            context.NowNanos = Now();
            int work = _inbox.Drain() + TurnAgents(context.NowNanos);
            work += machine.Step(context.NowNanos, out long deadline);
            context.ThrowOwnError();
            if (work == 0 && _inbox.TryDeclareAsleep())
            {
                long now = Now();
                _sleeps.Begin(now);
                links.Wait(now, Math.Min(deadline, AgentsDeadline));
                _inbox.Awake();
                _sleeps.End(Now());
            }
        }
    }

    /// <summary>The server is stopped as if its power had failed: what its cables bring is thrown away.</summary>
    private void Idle(LinkDriver links, DeadEnd deadEnd)
    {
        while (!_stop && _order is null or { WantsServer: false })
        {
            EndOrder();
            _pulse.Turn();
            long now = Now();
            int work = _inbox.Drain() + TurnAgents(now) + links.Receive(deadEnd, 64, now);
            links.Flush(now);
            if (work == 0 && _inbox.TryDeclareAsleep())
            {
                links.Wait(now, AgentsDeadline);
                _inbox.Awake();
            }
        }
    }

    // The driver looks at the agents' epoll together with its ports, so there is no call for it while nothing happens.
    private int TurnAgents(long now)
    {
        if (_inbox.Agents is not { } agents || !OperatingSystem.IsLinux())
        {
            return 0;
        }

        if (_agentsHappened)
        {
            _agentsHappened = false;
            agents.Wait(0);
        }

        return agents.TurnAll(now);
    }

    private void EndOrder()
    {
        if (_order is { } order && order.WantsServer == _server is not null)
        {
            _order = null;
            order.Done.TrySetResult();
        }
    }

    /// <summary>What there is once the server knows where it is.</summary>
    private sealed record Placed(int Rank, ServerGate Gate);

    /// <summary>What an operator wants of the loop.</summary>
    private sealed record Order(bool WantsServer)
    {
        public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
