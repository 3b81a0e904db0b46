using System.Globalization;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// What the cache had counted when a client said <c>stats reset</c>: told counts are those since then. The counters
/// themselves go on, for they are also the server's metrics, and other front ends'. Any thread.
/// </summary>
internal sealed class StatisticsBaseline
{
    private readonly Lock _lock = new();
    private Dictionary<(StatisticsGroup Group, string Name), long> _counts = [];

    /// <summary>Begins anew.</summary>
    /// <param name="all">Every group with its lines, as the cache tells them.</param>
    public void Set(IEnumerable<(StatisticsGroup Group, IEnumerable<CacheStatistic> Lines)> all)
    {
        var counts = new Dictionary<(StatisticsGroup, string), long>();
        foreach ((StatisticsGroup group, IEnumerable<CacheStatistic> lines) in all)
        {
            foreach (CacheStatistic line in lines.Where(IsCount))
            {
                counts[(group, line.Name)] = Number(line.Value);
            }
        }

        lock (_lock)
        {
            _counts = counts;
        }
    }

    /// <summary>Lines of a group as they are told.</summary>
    public IEnumerable<CacheStatistic> Since(StatisticsGroup group, IEnumerable<CacheStatistic> lines)
    {
        Dictionary<(StatisticsGroup, string), long> counts;
        lock (_lock)
        {
            counts = _counts;
        }

        return lines.Select(line =>
        {
            // A count that fell is a server's that has started again.
            bool hasBegun = counts.TryGetValue((group, line.Name), out long before) && Number(line.Value) >= before;
            return hasBegun
                ? line with
                {
                    Value = (Number(line.Value) - before).ToString(CultureInfo.InvariantCulture),
                }
                : line;
        });
    }

    // By memcached's names: what only rises, and is no level, time or limit.
    private static bool IsCount(CacheStatistic line)
    {
        string name = line.Name[(line.Name.LastIndexOf(':') + 1)..];
        return name.StartsWith("cmd_", StringComparison.Ordinal)
            || name.EndsWith("_hits", StringComparison.Ordinal)
            || name.EndsWith("_misses", StringComparison.Ordinal)
            || name.EndsWith("_unfetched", StringComparison.Ordinal)
            || name
                is "get_expired"
                    or "get_flushed"
                    or "cas_badval"
                    or "total_items"
                    or "evictions"
                    or "reclaimed"
                    or "items_dropped"
                    or "retries"
                    or "repeated_answers"
                    or "refusals"
                    or "copies_flushed"
                    or "copies_renewed"
                    or "changes_waited"
                    or "store_too_large"
                    or "store_no_memory"
                    or "evicted"
                    or "evicted_nonzero"
                    or "outofmemory";
    }

    private static long Number(string text) =>
        long.TryParse(text, CultureInfo.InvariantCulture, out long number) ? number : 0;
}
