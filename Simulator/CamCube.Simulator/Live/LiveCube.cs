using CamCube.Faults;
using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;
using CamCube.Runtime.Storage;
using CamCube.Runtime.Watching;
using CamCube.Simulator.Engine;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Live;

/// <summary>
/// A whole cube in this process in real time: the servers, services and simulated cables of
/// <see cref="SimulatedCube"/>, driven by one thread that runs virtual time along the real clock and sleeps when there
/// is nothing to do. Requests from other threads wake it. Members may be called from any thread.
/// </summary>
public sealed class LiveCube : ICube, IFaultyCube
{
    private const int MostSleepMillis = 100;
    private readonly CubeContext _context;
    private AwakeClock? _clock;
    private int _staying = -1;
    private readonly SweepEngine _engine;
    private readonly FaultyCables _faults;
    private readonly LiveCubeOptions _options;
    private readonly TimeProvider _time;
    private readonly ulong[] _incarnations;
    private readonly LoopLock? _lock;
    private readonly LoopSampler _sampler;
    private readonly LoopSignal _wake = LoopSignal.Create();
    private readonly LoopLife _life = new();
    private long _origin;
    private volatile bool _stop;

    /// <summary>A cube; nothing runs yet.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="services">Services of every server, in order.</param>
    /// <param name="server">Settings of the servers.</param>
    /// <param name="events">Who is told of faults and changes; called on the cube's thread.</param>
    /// <param name="options">Cables and waiting.</param>
    /// <param name="seed">Seed of the services' random streams.</param>
    /// <param name="time">The real clock.</param>
    public LiveCube(
        TorusShape shape,
        IReadOnlyList<ServiceDefinition> services,
        ServerOptions server,
        IServerEvents events,
        LiveCubeOptions options,
        ulong seed,
        TimeProvider time
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (Shape, _options, _time) = (shape, options, time);
        _context = new CubeContext
        {
            Shape = shape,
            Options = server,
            Events = events,
            Services = services,
            Seed = seed,
            EpochUnixMicros = (ulong)((time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks) / 10),
            Calendar = new CalendarClock(time),
            TimerGrainNanos = options.TimerGrainMillis * 1_000_000L,
            IsVirtual = false,
            ReadClock = _ => _clock!.Read(),
            LocalDelayNanos = 100,
            Data = DataFolder.For(server.DataFolder),
        };
        _context.Inbox.Wake = () => _wake.Set();
        _context.Inbox.Agents = _wake.Agents;
        _context.Inbox.NowNanos = () => _context.NowNanos;
        _context.Inbox.Clock = Now;
        _lock = _context.Inbox.Lock = options.IsShared ? new LoopLock() : null;
        _engine = new SweepEngine(
            () => _context,
            new SimulatorOptions
            {
                LinkBitsPerSecond = options.LinkBitsPerSecond,
                LinkDelayNanos = options.LinkDelayNanos,
                ReceiveLimit = options.ReceiveLimit,
                MaxFrameLength = options.MaxFrameLength,
                IsTracing = false,
                WrapLinks = options.Decorate is { } decorate
                    ? (server, links) => decorate(shape.RankOf(server), _context.EpochUnixMicros, links)
                    : null,
            }
        );
        _faults = new FaultyCables(_engine, seed, act => _context.Inbox.Post(new LiveAct(act)));
        _sampler = new LoopSampler(_context.Inbox, _context.Pulse, shape.Count, _engine.ServerAt);
        _incarnations = new ulong[shape.Count];
        LocalRanks = [.. Enumerable.Range(0, shape.Count)];
    }

    /// <inheritdoc/>
    public TorusShape Shape { get; }

    /// <inheritdoc/>
    public string Shim => "Simulator";

    /// <inheritdoc/>
    public IReadOnlyList<int> LocalRanks { get; }

    /// <summary>Disturbances of links (docs/faults.md). They take effect a moment after they are added or
    /// ended.</summary>
    public LinkFaultRules LinkFaults => _faults.Rules;

    /// <inheritdoc/>
    public bool CanControl => true;

    /// <inheritdoc/>
    public IServerGate GateOf(int rank) => _engine.Gates[rank];

    /// <inheritdoc/>
    public ValueTask StartAsync(CancellationToken cancel) => _life.StartAsync("camcube", Loop, cancel);

    /// <inheritdoc/>
    public LoopSight LookAtLoop(long nanos) => _sampler.Look(nanos);

    /// <inheritdoc/>
    public void NudgeLoop() => _context.Inbox.Post(new LoopBeat());

    /// <inheritdoc/>
    public Task Ended => _life.Ended;

    /// <inheritdoc/>
    public ValueTask StopAsync(CancellationToken cancel) =>
        _life.StopAsync(
            () =>
            {
                _stop = true;
                _wake.Set();
            },
            cancel
        );

    /// <inheritdoc/>
    public ValueTask StopServerAsync(int rank) =>
        ActAsync(() =>
        {
            if (_engine.ServerAt(rank) is not null)
            {
                _engine.Stop(rank, StopReason.Shutdown);
            }
        });

    /// <inheritdoc/>
    public ValueTask StartServerAsync(int rank) =>
        ActAsync(() =>
        {
            if (_engine.ServerAt(rank) is null)
            {
                StartRun(rank, commissioned: false);
            }
        });

    /// <inheritdoc/>
    public ValueTask<CommandResult> StartServiceAsync(int rank, string service) =>
        new(_engine.Gates[rank].StartServiceAsync(service));

    /// <inheritdoc/>
    public ValueTask<ReplaceResult> ReplaceServicesAsync(int rank, IReadOnlyList<ServiceDefinition> next) =>
        new(_engine.Gates[rank].ReplaceServicesAsync(_context, rank, next));

    /// <inheritdoc/>
    public ValueTask CutCableAsync(int rank, Link link) => ActAsync(() => SetCable(rank, link, cut: true));

    /// <inheritdoc/>
    public ValueTask MendCableAsync(int rank, Link link) => ActAsync(() => SetCable(rank, link, cut: false));

    /// <inheritdoc/>
    public CubeStatus GetStatus()
    {
        var servers = new List<ServerStatus>(Shape.Count);
        Dictionary<uint, int> owners = _context.CountPacketsByOwner();
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            servers.Add(
                _engine.ServerAt(rank) is { } server
                    ? StatusReader.Read(server, owners)
                    : StatusReader.NotRunning(Shape, rank, Ended)
            );
        }

        var cables = new List<CableStatus>();
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            // Each cable once: from the end where it is a + link.
            foreach (Link link in Shape.CabledLinks(Shape.At(rank)))
            {
                if (link.Sign() > 0)
                {
                    (int other, Link back) = _engine.PeerOf(rank, link);
                    bool up = IsUp(servers[rank], link) && IsUp(servers[other], back);
                    CableState state =
                        _engine.IsCut(rank, link) ? CableState.Cut
                        : up ? CableState.Up
                        : CableState.Down;
                    cables.Add(new CableStatus(rank, link, other, state));
                }
            }
        }

        return new CubeStatus(Shape, Shim, servers, cables);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
        _engine.Dispose();
        _wake.Dispose();
    }

    private static bool IsUp(ServerStatus server, Link link) => server.Links.Any(l => l.Link == link && l.IsUp);

    private long Now() => (long)_time.GetElapsedTime(_origin).TotalNanoseconds;

    private async ValueTask ActAsync(Action act)
    {
        var work = new LiveAct(() =>
        {
            if (_stop || _context.Inbox.IsClosed)
            {
                throw new InvalidOperationException("The cube is stopped.");
            }

            act();
        });
        _context.Inbox.Post(work);
        await work.Done.ConfigureAwait(false);
    }

    private void SetCable(int rank, Link link, bool cut)
    {
        (int other, Link back) = _engine.PeerOf(rank, link);
        _engine.SetCut(rank, link, cut);
        _engine.SetCut(other, back, cut);
    }

    private void StartRun(int rank, bool commissioned)
    {
        _incarnations[rank] = Math.Max(
            _incarnations[rank] + 1,
            (ulong)((_context.UtcTicks(_engine.Now) - DateTime.UnixEpoch.Ticks) / 10)
        );
        _engine.Start(rank, _incarnations[rank], commissioned);
    }

    private void Loop()
    {
        // Begun before the other, it is never behind it.
        _clock = new AwakeClock(_time);
        _origin = _time.GetTimestamp();
        _context.Pulse.Begin();
        Exception? fault = null;
        try
        {
            Run();
        }
        catch (Exception e)
        {
            fault = e;
            if (_lock is { IsMine: true })
            {
                _lock.Leave();
            }
        }

        StopAll(fault is null ? StopReason.Shutdown : null);
        _life.End(
            fault,
            _context.Inbox.Close,
            _context.Close,
            () => TurnAgents(Now()),
            _context.Pulse.End,
            _context.ThrowOwnError
        );
    }

    private void Run()
    {
        _lock?.Enter();
        foreach (int rank in LocalRanks)
        {
            StartRun(rank, commissioned: !_options.ColdStart);
            _context.Pulse.Turn();
        }

        _lock?.Leave();
        _life.Begin();
        bool slept = false;
        while (!_stop || !HasLeft())
        {
            _context.Pulse.Turn();
            long now = Now();
            if (slept && (!_context.Inbox.IsEmpty || HasDueAgents))
            {
                // Who woke the loop goes first: the timers that came due meanwhile have waited for the grain anyway.
                _lock?.Enter();
                _engine.SkipTo(now);
                _context.Inbox.Drain();
                _lock?.Leave();
                TurnAgents(now);
            }

            _lock?.Enter();
            bool paused = now - _engine.Now > _options.CatchUpMillis * 1_000_000L;
            _engine.Run(now, floor: paused ? now : 0);
            _options.Advanced?.Invoke();
            int work = _context.Inbox.Drain();
            _lock?.Leave();
            if (!slept)
            {
                LookForAgents();
            }

            work += TurnAgents(now);
            _context.ThrowOwnError();
            slept = work == 0 && Idle(NextEvent());
        }
    }

    // Whether all services have done what they do before a stop in order. Asked first, it tells them.
    private bool HasLeft()
    {
        if (_staying < 0)
        {
            _lock?.Enter();
            _staying = 1;
            foreach (int rank in LocalRanks)
            {
                if (_engine.ServerAt(rank) is { } server)
                {
                    _staying++;
                    server.Host.Leave(_context.Options.StopTimeout, () => _staying--);
                    _engine.Touch(rank);
                }
            }

            _staying--;
            _lock?.Leave();
        }

        return _staying == 0;
    }

    // After an error as if the power had failed: those who wait for services learn of the end, and no service is told.
    private void StopAll(StopReason? reason)
    {
        _lock?.Enter();
        foreach (int rank in LocalRanks)
        {
            try
            {
                if (_engine.ServerAt(rank) is not null)
                {
                    _engine.Stop(rank, reason);
                }
            }
            catch (Exception e)
            {
                // The others are stopped all the same.
                _context.Failed(e);
            }
        }

        _lock?.Leave();
    }

    // What another thread makes due after this ends the sleep.
    private long NextEvent()
    {
        _lock?.Enter();
        long next = _engine.NextEvent();
        _lock?.Leave();
        return next;
    }

    private long NextEventButTimers()
    {
        _lock?.Enter();
        long next = _engine.NextEventButTimers();
        _lock?.Leave();
        return next;
    }

    private bool HasDueAgents => OperatingSystem.IsLinux() && _wake.Agents is { HasDue: true };

    private long AgentsDeadline =>
        OperatingSystem.IsLinux() && _wake.Agents is { } agents ? agents.Deadline : long.MaxValue;

    private void LookForAgents()
    {
        if (OperatingSystem.IsLinux())
        {
            _wake.Agents?.Wait(0);
        }
    }

    private int TurnAgents(long now) =>
        OperatingSystem.IsLinux() && _wake.Agents is { } agents ? agents.TurnAll(now) : 0;

    // True: the loop slept. False: there was something to do before it got to that.
    private bool Idle(long next)
    {
        long spinEnd = Now() + (_options.SpinMicros * 1_000L);
        long now;
        do
        {
            now = Now();
            if (next <= now || !_context.Inbox.IsEmpty)
            {
                return false;
            }

            Thread.SpinWait(8);
        } while (now < spinEnd || next < spinEnd);

        long packets = NextEventButTimers();
        if (!_context.Inbox.TryDeclareAsleep())
        {
            return false;
        }

        // Timers wait for the next multiple of the grain; packets do not: on a link of 20 Mbit/s one takes 4 ms.
        long grain = _options.TimerGrainMillis * 1_000_000L;
        next = Math.Min(next, AgentsDeadline);
        long wake = next > long.MaxValue - grain ? next : (next + grain - 1) / grain * grain;
        wake = Math.Min(wake, packets);
        _wake.Wait(Math.Clamp(wake - now, 0, MostSleepMillis * 1_000_000L));
        _context.Inbox.Awake();
        return true;
    }
}
