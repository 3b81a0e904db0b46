using System.Globalization;
using CamCube.Chaos.Settings;
using CamCube.Histories;

namespace CamCube.Chaos.Clients;

/// <summary>A client that asks any server, one operation at a time, and writes down all of them. One task.</summary>
/// <param name="number">Who it is.</param>
/// <param name="servers">All servers.</param>
/// <param name="options">The run.</param>
/// <param name="history">Gets what it was told.</param>
/// <param name="clock">Nanoseconds of the clock that all clients share.</param>
/// <param name="keys">What all keys begin with.</param>
internal sealed class StoreClient(
    int number,
    IReadOnlyList<StoreHttp> servers,
    ChaosOptions options,
    HistoryWriter history,
    Func<long> clock,
    string keys = StoreClient.Keys
) : ChaosClient(options.Pause, new Random((int)(options.Seed * 7919 + (ulong)number)))
{
    /// <summary>What keys begin with if nothing else is said.</summary>
    public const string Keys = "key/";

    // Values of more than 64 KiB go to the disks by another way than shorter ones.
    private const int LongestShort = 300,
        ShortestLong = 65 << 10,
        LongestLong = 300 << 10;
    private readonly Dictionary<string, ulong> _seen = [];
    private long _values;

    /// <summary>A key of the run.</summary>
    public static string KeyOf(int number) => NameOf(Keys, number);

    /// <inheritdoc/>
    public override void Dispose()
    {
        // The servers' clients are all clients'.
    }

    /// <inheritdoc/>
    protected override Task<HistoryOperation> AskAsync(CancellationToken over) => AskAsync(AnyServer(), Draw(), over);

    /// <inheritdoc/>
    protected override Task<HistoryOperation> GetAsync(string key, CancellationToken cancel) =>
        AskAsync(AnyServer(), new HistoryOperation { Client = number, Key = key }, cancel);

    private StoreHttp AnyServer() => servers[Random.Next(servers.Count)];

    private async Task<HistoryOperation> AskAsync(StoreHttp server, HistoryOperation asked, CancellationToken cancel)
    {
        HistoryOperation told = await server.AskAsync(asked, clock, cancel).ConfigureAwait(false);
        Note(told);
        return told;
    }

    private static string NameOf(string keys, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{keys}{number}");

    private void Note(HistoryOperation told)
    {
        history.Add(told);
        if (told.Version != 0)
        {
            _seen[told.Key] = told.Version;
        }
    }

    private HistoryOperation Draw()
    {
        string key = NameOf(keys, Random.Next(options.Keys));
        int kind = Random.Next(100);
        var asked = new HistoryOperation { Client = number, Key = key };
        if (kind < 45)
        {
            return asked;
        }

        asked = asked with
        {
            Kind = kind < 92 ? HistoryKind.Put : HistoryKind.Delete,
            Value = kind < 92 ? Value() : null,
        };
        int condition = Random.Next(10);
        return condition switch
        {
            < 6 => asked,
            6 when asked.Kind == HistoryKind.Put => asked with { IfVersion = 0 },
            7 => asked with { IfPresent = true },
            _ => _seen.TryGetValue(key, out ulong version) ? asked with { IfVersion = version } : asked,
        };
    }

    private string Value()
    {
        int length =
            Random.Next(50) == 0 ? Random.Next(ShortestLong, LongestLong)
            : Random.Next(10) == 0 ? Random.Next(ShortestLong)
            : Random.Next(LongestShort);
        return StoredValue.Name(number, _values++, length);
    }
}
