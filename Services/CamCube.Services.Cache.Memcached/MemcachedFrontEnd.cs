using CamCube.FrontEnds;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Doors;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.Cache.Memcached.Statistics;
using CamCube.Services.Cache.Memcached.Text;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Cache.Memcached;

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
[FrontEnd("memcached", 11211, Service = "cache")]
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
    public const string Version = ProtocolVersion.Text;

    private const int MaxValueLengthOfMemcached = 1 << 20;

    private readonly CommandCounters _counters = new();
    private ConnectionServer<ICache>? _server;
    private AuthFile? _users;
    private MemcachedContext? _context;

    /// <summary>The first TCP port it listens on, also where the system chose it; 0 while there is none.</summary>
    public int Port => _server?.Port ?? 0;

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
    internal bool IsInLoop => _server is { IsInLoop: true };

    /// <summary>Who serves its clients; null before the first start.</summary>
    internal ConnectionServer<ICache>? Server => _server;

    /// <summary>Clients connected now.</summary>
    internal int ConnectionCount => _server?.Connections.Count ?? 0;

    /// <inheritdoc/>
    public async ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        if (_server is { IsRunning: true })
        {
            throw new InvalidOperationException("The memcached front end is running.");
        }

        int maxValueLength = await GetMaxValueLengthAsync(cancel).ConfigureAwait(false);
        _users = OpenAuthFile();
        _server ??= CreateServer();
        _context = new MemcachedContext(
            new GateDoor(Parts),
            options,
            _counters,
            _server.Counters,
            _server.Connections,
            endpoint,
            maxValueLength,
            logger
        )
        {
            Process = Process,
            Users = _users,
            Server = _server,
            Collect = StatisticsText.CollectAsync,
            Threads = Parts.Count,
        };
        _server.Start(endpoint);
    }

    /// <summary>Reads the authentication file and the certificates again. Clients that are connected keep what they
    /// have. Any thread.</summary>
    /// <exception cref="FrontEndException">One of them cannot be read or is wrong: it stays as it was.</exception>
    public void Reload()
    {
        try
        {
            _server?.Tls?.Reload();
        }
        finally
        {
            _users?.Load();
        }
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => _server?.DrainAsync(cancel) ?? ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask StopAsync() => _server?.StopAsync() ?? ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => StopAsync();

    private ConnectionServer<ICache> CreateServer() =>
        new(
            new ConnectionTerms<ICache>
            {
                Name = "memcached",
                Protocol = (turn, owner) => new MemcachedConnection(_context!, turn, owner),
                Options = options,
                Gates = Parts,
                Join = parts => new PartitionedCache(parts, Parts, _context!.MaxValueLength),
                Logger = logger,
                Time = time,
                Refusal = TextReplies.TooManyConnections.ToArray(),
                AnswersPerTurn = options.CommandsPerTurn,
                MaxUnread = options.MaxLineLength,
                MaxAnswer = int.MaxValue,
            }
        );

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
