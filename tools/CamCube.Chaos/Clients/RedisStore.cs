using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Histories;
using CamCube.Loads.Resp;

namespace CamCube.Chaos.Clients;

/// <summary>One client's connection to one server that speaks Redis, made anew after each failure: what comes of an
/// operation, in the words of a history. One task.</summary>
/// <param name="server">The server.</param>
/// <param name="clock">Nanoseconds of the clock that all clients share.</param>
/// <param name="login">Who it is; null: it does not say it.</param>
/// <param name="socketOf">Makes a socket, as in another network namespace; null: an ordinary one.</param>
internal sealed class RedisStore(
    IPEndPoint server,
    Func<long> clock,
    RespLogin? login = null,
    Func<Socket>? socketOf = null
) : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15),
        ConnectTime = TimeSpan.FromSeconds(2);
    private RespClient? _client;
    private long _known;

    /// <summary>Operations of which this server said what came of them, whether they were done or not. Any thread.
    /// </summary>
    public long Known => Volatile.Read(ref _known);

    /// <summary>GET.</summary>
    public Task<HistoryOperation> GetAsync(HistoryOperation asked) =>
        AskAsync(asked, [Words("GET", asked.Key)], static (get, answers) => RedisAnswers.Got(get, answers[0]));

    /// <summary>SET, with XX if the put asks for a key that is there.</summary>
    /// <param name="asked">The put.</param>
    /// <param name="isGet">It is to tell what it replaces.</param>
    /// <param name="expiresMillis">After which it is gone; 0: it stays.</param>
    public Task<HistoryOperation> PutAsync(HistoryOperation asked, bool isGet, long expiresMillis)
    {
        List<byte[]> words = [.. Words("SET", asked.Key), StoredValue.Of(asked.Value!)];
        words.AddRange(asked.IfPresent ? Words("XX") : []);
        words.AddRange(isGet ? Words("GET") : []);
        words.AddRange(expiresMillis > 0 ? Words("PX", $"{expiresMillis}") : []);
        return AskAsync(asked, [words], (put, answers) => RedisAnswers.Put(put, answers[0], isGet));
    }

    /// <summary>DEL.</summary>
    public Task<HistoryOperation> DeleteAsync(HistoryOperation asked) =>
        AskAsync(asked, [Words("DEL", asked.Key)], static (one, answers) => RedisAnswers.Deleted(one, answers[0]));

    /// <summary>INCR.</summary>
    public Task<HistoryOperation> AddAsync(HistoryOperation asked) =>
        AskAsync(asked, [Words("INCR", asked.Key)], static (one, answers) => RedisAnswers.Added(one, answers[0]));

    /// <summary>WATCH and GET; then, once it is known what is there, MULTI, SET and EXEC: done only if nobody came in
    /// between.</summary>
    /// <param name="asked">The put.</param>
    /// <returns>The get, and the put if it was tried.</returns>
    public async Task<(HistoryOperation Get, HistoryOperation? Put)> ReplaceAsync(HistoryOperation asked)
    {
        HistoryOperation get = await AskAsync(
                asked with
                {
                    Kind = HistoryKind.Get,
                    Value = null,
                },
                [Words("WATCH", asked.Key), Words("GET", asked.Key)],
                static (get, answers) =>
                    answers[0].IsOk
                        ? RedisAnswers.Got(get, answers[1])
                        : get with
                        {
                            Answer = HistoryAnswer.Unavailable,
                        }
            )
            .ConfigureAwait(false);
        if (get.Answer is not (HistoryAnswer.Done or HistoryAnswer.NotFound))
        {
            // Perhaps it watches, and perhaps not.
            Drop();
            return (get, null);
        }

        HistoryOperation put = await AskAsync(
                get.Answer == HistoryAnswer.Done ? asked with { IfValue = get.Value } : asked with { IfVersion = 0 },
                [Words("MULTI"), [.. Words("SET", asked.Key), StoredValue.Of(asked.Value!)], Words("EXEC")],
                static (put, answers) => RedisAnswers.Executed(put, answers[2])
            )
            .ConfigureAwait(false);
        if (put.Answer == HistoryAnswer.Unknown)
        {
            Drop();
        }

        return (get, put);
    }

    /// <inheritdoc/>
    public void Dispose() => Drop();

    private static List<byte[]> Words(params string[] words) => [.. words.Select(Encoding.UTF8.GetBytes)];

    private void Drop()
    {
        _client?.Dispose();
        _client = null;
    }

    private async Task<RespClient> ConnectAsync()
    {
        using var limit = new CancellationTokenSource(ConnectTime);
        RespClient client = await RespClient
            .ConnectAsync(server, limit.Token, socketOf?.Invoke())
            .ConfigureAwait(false);
        try
        {
            return await client.GreetAsync(login, 0, limit.Token).ConfigureAwait(false) is { } error
                ? throw new RespException($"{server} refuses: {error.Text}", wasSent: false)
                : client;
        }
        catch (RespException e)
        {
            // Nothing of the operation was sent.
            client.Dispose();
            throw new RespException(e.Message, wasSent: false, e);
        }
    }

    private async Task<HistoryOperation> AskAsync(
        HistoryOperation asked,
        IReadOnlyList<IReadOnlyList<byte[]>> commands,
        Func<HistoryOperation, IReadOnlyList<RespValue>, HistoryOperation> told
    )
    {
        HistoryOperation begun = asked with { Begin = clock() };
        try
        {
            _client ??= await ConnectAsync().ConfigureAwait(false);
            using var limit = new CancellationTokenSource(Patience);
            IReadOnlyList<RespValue> answers = await _client.AskAllAsync(commands, limit.Token).ConfigureAwait(false);
            HistoryOperation ended = told(begun, answers) with { End = clock() };
            if (ended.Answer is not (HistoryAnswer.Unknown or HistoryAnswer.Unavailable))
            {
                Volatile.Write(ref _known, _known + 1);
            }

            return ended;
        }
        catch (RespException e)
        {
            Drop();
            return begun with { Answer = e.WasSent ? HistoryAnswer.Unknown : HistoryAnswer.Unavailable, End = clock() };
        }
    }
}
