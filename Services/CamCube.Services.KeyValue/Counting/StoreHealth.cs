using System.Globalization;

namespace CamCube.Services.KeyValue.Counting;

/// <summary>What is not as it should be of one server's part of the store, in a line. Looked at on the loop, read by
/// any thread.</summary>
/// <param name="counters">What is counted.</param>
internal sealed class StoreHealth(KeyValueCounters counters)
{
    private volatile string? _words;
    private (long Away, long Leaderless, string? Waiting) _seen;

    /// <summary>In words; null: all is well.</summary>
    public string? Words => _words;

    /// <summary>Looks at what was counted. Makes words only when that has changed.</summary>
    /// <param name="waiting">What the first start waits for; null: it was.</param>
    public void Look(string? waiting)
    {
        (long Away, long Leaderless, string? Waiting) now = (counters.Away.Value, counters.Leaderless.Value, waiting);
        if (now == _seen)
        {
            return;
        }

        _seen = now;
        List<string> words = [];
        if (waiting is not null)
        {
            words.Add($"waits for {waiting}");
        }

        if (now.Leaderless > 0)
        {
            words.Add(Number(now.Leaderless, "of its groups has", "of its groups have") + " no leader with a majority");
        }

        if (now.Away > 0)
        {
            words.Add(Number(now.Away, "copy is", "copies are") + " missing of groups that it leads");
        }

        _words = words.Count == 0 ? null : string.Join("; ", words);
    }

    private static string Number(long number, string one, string several) =>
        string.Create(CultureInfo.InvariantCulture, $"{number} {(number == 1 ? one : several)}");
}
