using CamCube.FrontEnds;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.KeyValue.Redis;

/// <summary>
/// Redis' protocol (RESP2 and RESP3) on one server: any Redis client can use the key-value store through any server,
/// with its strings, transactions and times. Clients are served in the server's own loop where that can wait for
/// sockets (Linux), on pool threads elsewhere. Which commands there are, and what differs from Redis, is in
/// docs/redis.md. It is started where
/// that is said: a machine may have a Redis of its own, and without users whoever reaches the port may change keys.
/// </summary>
/// <param name="gate">The way to the store of this server.</param>
/// <param name="options">Limits.</param>
/// <param name="logger">Log.</param>
/// <param name="time">The clock of times that are given since 1970, and of time limits on pool threads.</param>
[FrontEnd("redis", 6379, Service = "kv", StartsByDefault = false)]
public sealed class RedisFrontEnd(
    IServerGate gate,
    RedisFrontEndOptions options,
    ILogger<RedisFrontEnd> logger,
    TimeProvider time
) : IFrontEnd
{
    private ConnectionServer<IKeyValueStore>? _server;
    private RedisContext? _context;

    /// <summary>The first TCP port it listens on, also where the system chose it; 0 while there is none.</summary>
    public int Port => _server?.Port ?? 0;

    /// <summary>Whether its clients are served in the server's loop.</summary>
    internal bool IsInLoop => _server is { IsInLoop: true };

    /// <summary>What connections share; null before the first start.</summary>
    internal RedisContext? Context => _context;

    /// <inheritdoc/>
    public async ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        if (_server is { IsRunning: true })
        {
            throw new InvalidOperationException("The Redis front end is running.");
        }

        UserFile? users = options.UserFile.Length > 0 ? new UserFile(options.UserFile) : null;
        users?.Load();
        _server ??= new ConnectionServer<IKeyValueStore>(
            new ConnectionTerms<IKeyValueStore>
            {
                Name = "Redis",
                Protocol = (turn, owner) => new RedisConnection(_context!, turn, owner),
                Options = options,
                Gates = [gate],
                Logger = logger,
                Time = time,
                Refusal = "-ERR max number of clients reached\r\n"u8.ToArray(),
                AnswersPerTurn = options.CommandsPerTurn,
                MaxAnswer = int.MaxValue,
            }
        );
        _context = new RedisContext(gate, options, logger, time)
        {
            Users = users,
            Connections = _server.Connections,
            Traffic = _server.Counters,
            Endpoint = endpoint,
            Copies = await FindTablesAsync(cancel).ConfigureAwait(false),
        };
        _server.Start(endpoint);
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => _server?.DrainAsync(cancel) ?? ValueTask.CompletedTask;

    /// <inheritdoc/>
    public async ValueTask StopAsync()
    {
        if (_server is { } server)
        {
            await server.StopAsync().ConfigureAwait(false);
        }

        _context?.Pause.Dispose();
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => StopAsync();

    private async ValueTask<int[]?> FindTablesAsync(CancellationToken cancel)
    {
        try
        {
            return await gate.CallAsync(
                    static (IKeyValueStore store, int most) =>
                        ValueTask.FromResult(Enumerable.Range(0, most).Select(store.CopiesOf).ToArray()),
                    RedisContext.MostTables
                )
                .AsTask()
                .WaitAsync(cancel)
                .ConfigureAwait(false);
        }
        catch (ServiceUnavailableException)
        {
            // The store may be started later, and refuses a table that is none itself.
            return null;
        }
    }
}
