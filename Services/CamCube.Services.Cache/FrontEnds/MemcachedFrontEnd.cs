using Microsoft.Extensions.Logging;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// memcached's protocols (version 1.6.18: text, meta and binary) on one server: any memcached client can use the cube's
/// cache through any server. Clients, those of TLS too, are served in the server's own loop where that can wait for
/// sockets (Linux), on pool threads elsewhere; an idle front end has a listening socket and nothing else. What differs
/// from memcached is in the folder's README.
/// </summary>
/// <param name="gate">The way to the cache of this server.</param>
/// <param name="options">Limits.</param>
/// <param name="logger">Log.</param>
/// <param name="time">The clock of time limits on pool threads.</param>
[FrontEnd("memcached", 11211)]
public sealed class MemcachedFrontEnd(
    IServerGate gate,
    MemcachedFrontEndOptions options,
    ILogger<MemcachedFrontEnd> logger,
    TimeProvider time
) : IFrontEnd
{
    /// <summary>
    /// The answer to <c>version</c>. libmemcached takes three numbers off the front and treats a server whose first
    /// number is 0, or none, as broken: memcping and memcstat fail, and clients turn off commands that an old version
    /// lacks. So it names the version whose protocol is spoken, then the product, in one word because <c>stats</c>
    /// values are read up to a space.
    /// </summary>
    public const string Version = "1.6.18-camcube-0.1.0";

    private const int MaxValueLengthOfMemcached = 1 << 20;

    private readonly FrontEndCounters _counters = new();
    private readonly ConnectionList _connections = new();
    private IReadOnlyList<IClientListener> _listeners = [];
    private AuthFile? _users;
    private TlsServer? _tls;
    private ClientSweeper? _sweeper;

    /// <summary>The first TCP port it listens on, also where the system chose it; 0 while there is none.</summary>
    public int Port { get; private set; }

    /// <summary>
    /// Servers of this process that share the keys among them, each a cube of its own with a loop of its own; this
    /// server first. Several that do not let other threads in (<see cref="IServerGate.TryShare"/>) are served from pool
    /// threads. Default: this server alone.
    /// </summary>
    public IReadOnlyList<IServerGate> Parts { get; init; } = [gate];

    /// <summary>The program it runs in, for <c>shutdown</c> and <c>verbosity</c>. Default none: the first is refused,
    /// the second does nothing.</summary>
    public IMemcachedProcess? Process { get; init; }

    /// <summary>Whether its clients are served in the server's loop.</summary>
    internal bool IsInLoop => OperatingSystem.IsLinux() && _listeners is [ClientLoop, ..];

    /// <summary>What accepts its clients; empty while it is stopped.</summary>
    internal IReadOnlyList<IClientListener> Listeners => _listeners;

    /// <summary>Clients connected now.</summary>
    internal int ConnectionCount => _connections.Count;

    /// <inheritdoc/>
    public async ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        if (_listeners.Count > 0)
        {
            throw new InvalidOperationException("The memcached front end is running.");
        }

        int maxValueLength = await GetMaxValueLengthAsync(cancel).ConfigureAwait(false);
        _users = OpenAuthFile();
        _tls = options.Tls ? new TlsServer(options, time) : null;
        var context = new MemcachedContext(
            new GateDoor(Parts),
            options,
            _counters,
            _connections,
            endpoint,
            maxValueLength,
            logger,
            time
        )
        {
            Process = Process,
            Users = _users,
            Tls = _tls,
            Threads = Parts.Count,
        };
        IReadOnlyList<OpenPort> ports = ListeningSocket.OpenAll(context);
        _connections.Listen(ports.Select(port => ListeningSocket.Describe(port.Socket)));
        Port = ListeningSocket.PortOf(ports);
        _sweeper = new ClientSweeper(context);
        _listeners = Serve(ports, context, _sweeper);
    }

    /// <summary>Reads the authentication file and the certificates again. Clients that are connected keep what they
    /// have. Any thread.</summary>
    /// <exception cref="FrontEndException">One of them cannot be read or is wrong: it stays as it was.</exception>
    public void Reload()
    {
        try
        {
            _tls?.Reload();
        }
        finally
        {
            _users?.Load();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DrainAsync(CancellationToken cancel)
    {
        try
        {
            await CloseListenerAsync().WaitAsync(cancel).ConfigureAwait(false);
            foreach (IServedClient connection in _connections.ToArray())
            {
                connection.Drain();
            }

            while (_connections.Count > 0)
            {
                await _connections.WaitForAnEnd().WaitAsync(cancel).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            // Returns with clients left, or with a loop that does not turn; StopAsync closes them.
        }
    }

    /// <inheritdoc/>
    public async ValueTask StopAsync()
    {
        await CloseListenerAsync().ConfigureAwait(false);
        foreach (IServedClient connection in _connections.ToArray())
        {
            connection.Abort();
        }

        _sweeper?.Dispose();
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => StopAsync();

    private async Task CloseListenerAsync()
    {
        IReadOnlyList<IClientListener> listeners = _listeners;
        (_listeners, Port) = ([], 0);
        _connections.Listen([]);
        foreach (IClientListener listener in listeners)
        {
            await listener.CloseAsync().ConfigureAwait(false);
        }
    }

    private IReadOnlyList<IClientListener> Serve(
        IReadOnlyList<OpenPort> ports,
        MemcachedContext context,
        ClientSweeper sweeper
    )
    {
        IReadOnlyList<IClientListener>? loops = OperatingSystem.IsLinux()
            ? ClientLoop.TryServe(ports, Parts, context)
            : null;
        return loops ?? [.. ports.Select(port => new ClientListener(port, context, sweeper))];
    }

    private AuthFile? OpenAuthFile()
    {
        if (options.AuthFile.Length == 0)
        {
            return null;
        }

        if (options.Protocol == MemcachedProtocol.Binary)
        {
            throw new FrontEndException(
                "Protocol is Binary, and an AuthFile needs text: the binary protocol's way to authenticate is not there"
            );
        }

        var users = new AuthFile(options.AuthFile);
        users.Load();
        return users;
    }

    private async ValueTask<int> GetMaxValueLengthAsync(CancellationToken cancel)
    {
        try
        {
            return await gate.CallAsync(static (ICache cache, int _) => ValueTask.FromResult(cache.MaxValueLength), 0)
                .AsTask()
                .WaitAsync(cancel)
                .ConfigureAwait(false);
        }
        catch (ServiceUnavailableException)
        {
            // The cache may be started later, and refuses what is too large itself.
            return MaxValueLengthOfMemcached;
        }
    }
}
