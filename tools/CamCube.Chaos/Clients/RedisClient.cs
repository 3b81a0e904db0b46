using System.Globalization;
using System.Net;
using System.Net.Sockets;
using CamCube.Chaos.Settings;
using CamCube.Histories;
using CamCube.Loads.Resp;

namespace CamCube.Chaos.Clients;

/// <summary>
/// A client that asks any server that speaks Redis, one operation at a time, and writes down all of them. Of four keys
/// two have values that are replaced, one is a number that is added to, and one has values that end by themselves. One
/// task.
/// </summary>
/// <param name="number">Who it is.</param>
/// <param name="servers">All servers.</param>
/// <param name="options">The run.</param>
/// <param name="history">Gets what it was told.</param>
/// <param name="clock">Nanoseconds of the clock that all clients share.</param>
/// <param name="keys">What all keys begin with.</param>
/// <param name="login">Who it is for the servers; null: it does not say it.</param>
/// <param name="socketOf">Makes a socket for one of the servers; null: an ordinary one.</param>
internal sealed class RedisClient(
    int number,
    IReadOnlyList<IPEndPoint> servers,
    ChaosOptions options,
    HistoryWriter history,
    Func<long> clock,
    string keys,
    RespLogin? login = null,
    Func<int, Socket>? socketOf = null
) : ChaosClient(options.Pause, new Random((int)((options.Seed * 7919) + (ulong)number)))
{
    private const int Kinds = 4,
        LongestShort = 300,
        LongestLong = 8 << 10,
        ShortestStay = 50,
        LongestStay = 600;

    // A server reads its clock in whole milliseconds, and before it looks what came.
    private const long EarlyNanos = 20_000_000;

    // Each value that ends by itself is one more that may have, at any time after: not too many on a key.
    private const long KeyNanos = 5_000_000_000;
    private readonly RedisStore[] _stores =
    [
        .. servers.Select((one, i) => new RedisStore(one, clock, login, socketOf is null ? null : () => socketOf(i))),
    ];
    private long _values;

    /// <summary>All keys that clients may have used up to a moment.</summary>
    public static IEnumerable<string> KeysOf(string keys, int count, long nanos) =>
        Enumerable
            .Range(0, count)
            .SelectMany(key =>
                key % Kinds == Kinds - 1
                    ? Enumerable.Range(0, (int)(nanos / KeyNanos) + 1).Select(time => NameOf(keys, key, time))
                    : [NameOf(keys, key, 0)]
            );

    /// <summary>Keys whose values stay.</summary>
    public static IReadOnlyList<string> LastingKeysOf(string keys, int count) =>
        [
            .. Enumerable
                .Range(0, count)
                .Where(static key => key % Kinds < Kinds - 1)
                .Select(key => NameOf(keys, key, 0)),
        ];

    /// <summary>Operations of which a server said to this client what came of them. Any thread.</summary>
    public long KnownOf(int server) => _stores[server].Known;

    /// <inheritdoc/>
    public override void Dispose() => Array.ForEach(_stores, static one => one.Dispose());

    /// <inheritdoc/>
    protected override Task<HistoryOperation> AskAsync(CancellationToken over) => AskAsync(AnyServer());

    /// <inheritdoc/>
    protected override async Task<HistoryOperation> GetAsync(string key, CancellationToken cancel) =>
        Note(await AnyServer().GetAsync(new HistoryOperation { Client = number, Key = key }).ConfigureAwait(false));

    private RedisStore AnyServer() => _stores[Random.Next(_stores.Length)];

    private static string NameOf(string keys, int key, long time) =>
        string.Create(CultureInfo.InvariantCulture, $"{keys}{key}.{time}");

    private Task<HistoryOperation> AskAsync(RedisStore store)
    {
        int key = Random.Next(options.Keys),
            chance = Random.Next(100);
        bool expires = key % Kinds == Kinds - 1;
        var asked = new HistoryOperation { Client = number, Key = NameOf(keys, key, expires ? clock() / KeyNanos : 0) };
        return (key % Kinds) switch
        {
            0 => AskNumberAsync(store, asked, chance),
            Kinds - 1 => AskShortLivedAsync(store, asked, chance),
            _ => AskValueAsync(store, asked, chance),
        };
    }

    private async Task<HistoryOperation> AskNumberAsync(RedisStore store, HistoryOperation asked, int chance) =>
        Note(
            await (
                chance < 60 ? store.AddAsync(asked with { Kind = HistoryKind.Add, By = 1 }) : store.GetAsync(asked)
            ).ConfigureAwait(false)
        );

    private async Task<HistoryOperation> AskShortLivedAsync(RedisStore store, HistoryOperation asked, int chance)
    {
        if (chance is < 45 or >= 95)
        {
            return await AskValueAsync(store, asked, chance).ConfigureAwait(false);
        }

        long stay = chance < 80 ? Random.Next(ShortestStay, LongestStay) : 0;
        HistoryOperation told = Note(
            await store.PutAsync(Putting(asked), isGet: chance % 2 == 0, stay).ConfigureAwait(false)
        );
        if (stay > 0 && told.Answer is HistoryAnswer.Done or HistoryAnswer.Unknown)
        {
            history.Add(
                new HistoryOperation
                {
                    Client = number,
                    Key = told.Key,
                    Kind = HistoryKind.Delete,
                    IfValue = told.Value,
                    Begin = told.Begin + (stay * 1_000_000) - EarlyNanos,
                }
            );
        }

        return told;
    }

    private async Task<HistoryOperation> AskValueAsync(RedisStore store, HistoryOperation asked, int chance)
    {
        if (chance is >= 75 and < 92)
        {
            (HistoryOperation get, HistoryOperation? put) = await store
                .ReplaceAsync(Putting(asked))
                .ConfigureAwait(false);
            Note(get);
            return put is null ? get : Note(put);
        }

        return Note(
            await (
                chance switch
                {
                    < 45 => store.GetAsync(asked),
                    < 55 => store.PutAsync(Putting(asked), isGet: false, 0),
                    < 65 => store.PutAsync(Putting(asked), isGet: true, 0),
                    < 75 => store.PutAsync(Putting(asked) with { IfPresent = true }, isGet: true, 0),
                    _ => store.DeleteAsync(asked with { Kind = HistoryKind.Delete }),
                }
            ).ConfigureAwait(false)
        );
    }

    private HistoryOperation Putting(HistoryOperation asked)
    {
        int length = Random.Next(Random.Next(10) == 0 ? LongestLong : LongestShort);
        return asked with { Kind = HistoryKind.Put, Value = StoredValue.Name(number, _values++, length) };
    }

    private HistoryOperation Note(HistoryOperation told)
    {
        history.Add(told);
        return told;
    }
}
