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
) : IChaosClient
{
    /// <summary>What keys begin with if nothing else is said.</summary>
    public const string Keys = "key/";

    // Values of more than 64 KiB go to the disks by another way than shorter ones.
    private const int LongestShort = 300,
        ShortestLong = 65 << 10,
        LongestLong = 300 << 10;
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(100);

    private readonly Random _random = new((int)(options.Seed * 7919 + (ulong)number));
    private readonly Dictionary<string, ulong> _seen = [];
    private long _values;

    /// <summary>A key of the run.</summary>
    public static string KeyOf(int number) => NameOf(Keys, number);

    /// <inheritdoc/>
    public void Dispose()
    {
        // The servers' clients are all clients'.
    }

    /// <inheritdoc/>
    public async Task RunAsync(CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            HistoryOperation told = await servers[_random.Next(servers.Count)]
                .AskAsync(Draw(), clock, over)
                .ConfigureAwait(false);
            Note(told);
            TimeSpan pause = told.Answer is HistoryAnswer.Unavailable or HistoryAnswer.Unknown
                ? Rest
                : options.Pause * _random.NextDouble();
            await Task.Delay(pause, CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task ReadAsync(string key, CancellationToken cancel)
    {
        HistoryOperation told;
        do
        {
            cancel.ThrowIfCancellationRequested();
            var get = new HistoryOperation { Client = number, Key = key };
            told = await servers[_random.Next(servers.Count)].AskAsync(get, clock, cancel).ConfigureAwait(false);
            Note(told);
        } while (told.Answer is HistoryAnswer.Unavailable or HistoryAnswer.Unknown);
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
        string key = NameOf(keys, _random.Next(options.Keys));
        int kind = _random.Next(100);
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
        int condition = _random.Next(10);
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
            _random.Next(50) == 0 ? _random.Next(ShortestLong, LongestLong)
            : _random.Next(10) == 0 ? _random.Next(ShortestLong)
            : _random.Next(LongestShort);
        return StoredValue.Name(number, _values++, length);
    }
}
