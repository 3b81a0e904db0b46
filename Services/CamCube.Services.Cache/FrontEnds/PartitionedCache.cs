using System.Globalization;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// The caches of several loops of one process as one: each has its part of the keys. Used from the loop of one of them, which does its own part
/// at once; the other parts are reached through their gates.
/// </summary>
/// <param name="own">The cache of this loop.</param>
/// <param name="gates">The gates of all loops.</param>
/// <param name="index">Which of them this is.</param>
internal sealed class PartitionedCache(ICache own, IReadOnlyList<IServerGate> gates, int index) : ICache
{
    /// <summary>The cache of this loop.</summary>
    internal ICache Own => own;

    public int MaxValueLength => own.MaxValueLength;

    public bool TryExecute(
        in CacheTerms terms, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ICacheValueReader? reader, out CacheReply reply)
    {
        reply = default;
        return PartOf(key, gates.Count) == index && own.TryExecute(terms, key, value, reader, out reply);
    }

    public void Hint(ReadOnlySpan<byte> key)
    {
        if (PartOf(key, gates.Count) == index)
            own.Hint(key);
    }

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request)
    {
        int part = PartOf(request.Key.Span, gates.Count);
        return part == index
            ? own.ExecuteAsync(request)
            : gates[part].CallAsync(static (ICache cache, CacheRequest request) => cache.ExecuteAsync(request), request);
    }

    public async ValueTask<CacheReply> FlushAllAsync(long delaySeconds)
    {
        CacheReply reply = default;
        foreach (IServerGate gate in gates)
        {
            CacheReply one = await gate.CallAsync(static (ICache cache, long delay) => cache.FlushAllAsync(delay), delaySeconds)
                .ConfigureAwait(false);
            reply = one.Status == CacheStatus.Done ? reply : one;
        }

        return reply;
    }

    public async ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube)
    {
        var names = new List<string>();
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (IServerGate gate in gates)
        {
            foreach (CacheStatistic line in await gate
                .CallAsync(static (ICache cache, bool wholeCube) => cache.GetStatisticsAsync(wholeCube), wholeCube).ConfigureAwait(false))
            {
                if (values.TryGetValue(line.Name, out string? value))
                {
                    values[line.Name] = IsOfAll(line.Name) ? value : Sum(value, line.Value);
                }
                else
                {
                    names.Add(line.Name);
                    values[line.Name] = line.Value;
                }
            }
        }

        return [.. names.Select(name => new CacheStatistic(name, values[name]))];
    }

    /// <summary>Whose a key is. Not the hash of any table behind it, or a part would use a fraction of its table.</summary>
    internal static int PartOf(ReadOnlySpan<byte> key, int parts)
    {
        ulong hash = 0xcbf29ce484222325;
        foreach (byte b in key)
            hash = (hash ^ b) * 0x100000001b3;
        hash ^= hash >> 32;
        return (int)((hash * 0x9e3779b97f4a7c15 >> 33) % (uint)parts);
    }

    // What is the same everywhere, and not a count.
    private static bool IsOfAll(string name) => name is "uptime" or "time" or "pid" or "chunk_size" ||
        name.EndsWith(":chunk_size", StringComparison.Ordinal) || name.EndsWith(":chunks_per_page", StringComparison.Ordinal) ||
        name.EndsWith(":age", StringComparison.Ordinal);

    private static string Sum(string one, string other) =>
        long.TryParse(one, CultureInfo.InvariantCulture, out long a) && long.TryParse(other, CultureInfo.InvariantCulture, out long b)
            ? (a + b).ToString(CultureInfo.InvariantCulture)
            : one;
}
