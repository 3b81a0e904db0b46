using CamCube.Runtime.Async;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Internal;
using CamCube.Runtime.Services;
using CamCube.Runtime.Storage;
using CamCube.Topology;

namespace CamCube.Runtime;

/// <summary>
/// The one server of this process on real cables: a thread that steps it and sleeps in the link driver when there is nothing to do.
/// Every member from any thread.
/// </summary>
public sealed class CableCube : ICube
{
    private readonly CubeContext _context;
    private readonly HotArray _hot = new(1);
    private readonly ServerGate _gate;
    private readonly LinkDriver _driver;
    private readonly TimeProvider _time;
    private readonly int _rank;
    private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Thread? _thread;
    private long _origin;
    private volatile ServerRuntime? _server;
    private volatile bool _stop;

    /// <summary>Opens the links; nothing runs yet.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="coordinate">This server's place in it.</param>
    /// <param name="links">What makes the links.</param>
    /// <param name="settings">The provider's settings.</param>
    /// <param name="services">The services.</param>
    /// <param name="options">Settings of the server.</param>
    /// <param name="events">Who is told of faults and changes.</param>
    /// <param name="seed">Seed of the services' random streams.</param>
    /// <param name="time">The real clock.</param>
    /// <exception cref="LinkProviderException">The links cannot be opened.</exception>
    public CableCube(
        TorusShape shape,
        Coordinate coordinate,
        ILinkProvider links,
        IReadOnlyDictionary<string, string> settings,
        IReadOnlyList<ServiceDefinition> services,
        ServerOptions options,
        IServerEvents events,
        ulong seed,
        TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(links);
        ArgumentNullException.ThrowIfNull(time);
        (Shape, Shim, _time) = (shape, links.Name, time);
        _rank = shape.RankOf(coordinate);
        LocalRanks = [_rank];
        _context = new CubeContext
        {
            Shape = shape,
            Options = options,
            Events = events,
            Services = services,
            Seed = seed,
            EpochUnixMicros = (ulong)((time.GetUtcNow().UtcTicks - DateTime.UnixEpoch.Ticks) / 10),
            IsVirtual = false,
            Views = new CubeViewCache(),
            DiskOf = FileDisk.For(options),
        };
        _gate = new ServerGate(_context.Inbox, coordinate, shape, options.GateLimit);
        _driver = links.Open(new LinkProviderRequest(coordinate, shape, settings));
        _context.Inbox.Wake = _driver.Wake;
    }

    /// <inheritdoc/>
    public TorusShape Shape { get; }

    /// <inheritdoc/>
    public string Shim { get; }

    /// <inheritdoc/>
    public IReadOnlyList<int> LocalRanks { get; }

    /// <inheritdoc/>
    public bool CanControl => false;

    /// <inheritdoc/>
    public IServerGate GateOf(int rank) =>
        rank == _rank ? _gate : throw new ArgumentOutOfRangeException(nameof(rank), rank, "Not a server of this process.");

    /// <inheritdoc/>
    public async ValueTask StartAsync(CancellationToken cancel)
    {
#pragma warning disable RS0030 // This is the border where a server gets its thread; nothing inside a server makes one.
        _thread = new Thread(Loop) { Name = $"camcube-{Shape.At(_rank)}", IsBackground = true };
#pragma warning restore RS0030
        _thread.Start();
        await _started.Task.WaitAsync(cancel).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask StopAsync(CancellationToken cancel)
    {
        if (_thread is null)
        {
            return;
        }

        _stop = true;
        _driver.Wake();
        await _ended.Task.WaitAsync(cancel).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask StopServerAsync(int rank) => throw NotControllable();

    /// <inheritdoc/>
    public ValueTask StartServerAsync(int rank) => throw NotControllable();

    /// <inheritdoc/>
    public ValueTask CutCableAsync(int rank, Link link) => throw NotControllable();

    /// <inheritdoc/>
    public ValueTask MendCableAsync(int rank, Link link) => throw NotControllable();

    /// <inheritdoc/>
    public CubeStatus GetStatus()
    {
        ServerStatus status = _server is { } server ? StatusReader.Read(server) : StatusReader.Stopped(Shape, _rank);
        var cables = status.Links.Select(l => new CableStatus(
            _rank, l.Link, Shape.RankOf(l.Neighbour), l.IsUp ? CableState.Up : CableState.Down));
        return new CubeStatus(Shape, Shim, [status], [.. cables]);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
        if (_thread is null)
        {
            _driver.Close();
        }

        _hot.Dispose();
    }

    private static NotSupportedException NotControllable() => new("Only the servers and cables of a simulated cube can be controlled from here.");

    private long Now() => (long)_time.GetElapsedTime(_origin).TotalNanoseconds;

    private void Loop()
    {
        _origin = _time.GetTimestamp();
        var server = new ServerRuntime(_context, _rank, _hot.Pointer(0), _gate, _context.EpochUnixMicros, commissioned: false);
        var machine = new StepMachine(server);
        try
        {
            _driver.Attach(machine.Port);
            ServerLifecycle.Start(server, _driver, 0);
            _server = server;
            _started.SetResult();
            while (!_stop)
            {
                _context.NowNanos = Now();
                int work = _context.Inbox.Drain();
                work += machine.Step(_context.NowNanos, out long deadline);
                if (work == 0 && _context.Inbox.TryDeclareAsleep())
                {
                    _driver.Wait(Now(), deadline);
                    _context.Inbox.Awake();
                }
            }

            ServerLifecycle.Stop(server, StopReason.Shutdown);
            _driver.Flush(Now());
            _ended.SetResult();
        }
        catch (Exception e)
        {
            // The runtime's own error ends this server loudly: whoever starts or stops it gets the cause.
            _started.TrySetException(e);
            _ended.TrySetException(e);
        }
        finally
        {
            _server = null;
            _gate.Current = null;
            _context.Inbox.Close();
            _driver.Close();
        }
    }
}
