using System.Runtime.CompilerServices;
using System.Text;
using CamCube.Client.Cache.Entries;
using CamCube.Client.Cache.Observing;
using CamCube.Client.Cache.Protocol;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache.Connections;

/// <summary>
/// All servers. Carries a command out on one of them, and on the others in turn when that one does not answer or
/// answers with an error. Commands are repeated without asking what became of the first try: reading, storing a value,
/// removing and setting a time to live may happen twice. Any thread.
/// </summary>
internal sealed class ServerPool
{
    private readonly CacheServer[] _servers;
    private readonly KeyedOrder? _keyed;
    private readonly CommandWriter _writer;
    private readonly ILogger _logger;
    private uint _turn;
    private int _isOut;

    public ServerPool(CamCubeCacheOptions options, TimeProvider time, ILogger logger)
    {
        _logger = logger;
        _writer = new CommandWriter(Encoding.UTF8.GetBytes(options.KeyPrefix));
        var reader = new AnswerReader(options.MaxValueLength, time);
        _servers = [.. options.Servers.Select(name => new CacheServer(name, options, _writer, reader, time, logger))];
        _keyed = options.Distribution == Distribution.ByKey ? new KeyedOrder(options.Servers) : null;
    }

    /// <summary>Carries a command out.</summary>
    /// <returns>The first answer that is one; else the last failure: Lost or Refused, with the reason.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<Answer> ExecuteAsync(Command command, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        int only = _keyed is null ? -1 : ServerOf(command.Key);
        uint turn = Interlocked.Increment(ref _turn);
        if (_keyed is null)
        {
            _servers[turn % (uint)_servers.Length].Warm();
        }

        Answer last = default;
        ulong tried = 0;

        // Every server once, and one of them once more: its connection may have died while nobody used it.
        for (int attempt = 0; attempt <= (only < 0 ? _servers.Length : 1); attempt++)
        {
            int next = only >= 0 ? only : Choose(tried, turn);
            if (next < 0 && tried != 0)
            {
                next = Choose(tried = 0, turn);
            }

            if (next < 0)
            {
                break;
            }

            tried |= 1ul << next;
            CacheServer server = _servers[next];
            if (await server.GetConnectionAsync(token).ConfigureAwait(false) is not { } connection)
            {
                continue;
            }

            Answer answer = await connection.ExecuteAsync(command, token).ConfigureAwait(false);
            if (answer.Kind == AnswerKind.Lost)
            {
                last = last.Kind == AnswerKind.Refused ? last : answer;
                continue;
            }

            server.NoteAnswer();
            if (answer.Kind != AnswerKind.Refused)
            {
                if (Volatile.Read(ref _isOut) != 0 && Interlocked.Exchange(ref _isOut, 0) != 0)
                {
                    CacheClientLog.OutageEnded(_logger);
                }

                return answer;
            }

            last = answer with { Error = $"{server.Name} answered '{answer.Error}'" };
        }

        last = last.Kind == AnswerKind.Refused ? last : new Answer(AnswerKind.Lost) { Error = Describe(only) };
        if (Interlocked.Exchange(ref _isOut, 1) == 0)
        {
            CacheClientLog.OutageBegan(_logger, last.Error!);
        }

        return last;
    }

    /// <summary>Ends all connections.</summary>
    public Task StopAsync() => Task.WhenAll(_servers.Select(server => server.StopAsync()));

    /// <summary>The connected server with the least to do; if none is, one that may be connected; -1 if there is
    /// none.</summary>
    private int Choose(ulong tried, uint turn)
    {
        int best = -1;
        int least = int.MaxValue;
        int other = -1;
        for (uint i = 0; i < _servers.Length; i++)
        {
            int number = (int)((turn + i) % (uint)_servers.Length);
            CacheServer server = _servers[number];
            if ((tried & (1ul << number)) != 0)
            {
                continue;
            }

            if (server.IsOpen)
            {
                int pending = server.PendingCount;
                if (pending < least)
                {
                    (best, least) = (number, pending);
                }
            }
            else if (best < 0 && other < 0 && server.MayConnect)
            {
                other = number;
            }
        }

        return best >= 0 ? best : other;
    }

    private int ServerOf(string key)
    {
        Span<byte> bytes = stackalloc byte[CacheKey.MaxLength];
        return _keyed!.ServerOf(bytes[.._writer.WriteKey(key, bytes)]);
    }

    private string Describe(int only)
    {
        IEnumerable<CacheServer> asked = only >= 0 ? [_servers[only]] : _servers;
        IEnumerable<string> told = asked.Select(server =>
            server.LastFailure.Length > 0 ? $"{server.Name} ({server.LastFailure})" : server.Name
        );
        return $"No cache server answered: {string.Join("; ", told)}.";
    }
}
