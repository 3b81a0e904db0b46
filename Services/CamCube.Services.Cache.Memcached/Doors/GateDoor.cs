using System.Globalization;
using System.IO.Hashing;

namespace CamCube.Services.Cache.Memcached.Doors;

/// <summary>
/// The door of connections on pool threads: through the gates of the servers of this process that share the keys among
/// them, as a rule one. Any thread.
/// </summary>
internal sealed class GateDoor(IReadOnlyList<IServerGate> gates) : ICacheDoor
{
    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) =>
        gates[gates.Count == 1 ? 0 : PartOf(request.Key.Span, gates.Count)]
            .CallAsync(static (ICache cache, CacheRequest request) => cache.ExecuteAsync(request), request);

    public async ValueTask<CacheReply> FlushAllAsync(long delaySeconds)
    {
        CacheReply reply = default;
        foreach (IServerGate gate in gates)
        {
            CacheReply one = await gate.CallAsync(
                    static (ICache cache, long delay) => cache.FlushAllAsync(delay),
                    delaySeconds
                )
                .ConfigureAwait(false);
            reply = one.Status == CacheStatus.Done ? reply : one;
        }

        return reply;
    }

    public async ValueTask<IReadOnlyList<TAnswer>> AskPartsAsync<TArgument, TAnswer>(
        Func<ICache, TArgument, TAnswer> question,
        TArgument argument
    )
    {
        var answers = new List<TAnswer>(gates.Count);
        foreach (IServerGate gate in gates)
        {
            answers.Add(
                await gate.CallAsync(
                        static (ICache cache, (Func<ICache, TArgument, TAnswer> Question, TArgument Argument) ask) =>
                            ValueTask.FromResult(ask.Question(cache, ask.Argument)),
                        (question, argument)
                    )
                    .ConfigureAwait(false)
            );
        }

        return answers;
    }

    public async ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube)
    {
        if (gates.Count == 1)
        {
            return await StatisticsOf(gates[0], wholeCube).ConfigureAwait(false);
        }

        var names = new List<string>();
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (IServerGate gate in gates)
        {
            foreach (CacheStatistic line in await StatisticsOf(gate, wholeCube).ConfigureAwait(false))
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

    /// <summary>Whose a key is. Not the hash of any table behind it, or a part would use a fraction of its
    /// table.</summary>
    public static int PartOf(ReadOnlySpan<byte> key, int parts) => (int)(XxHash3.HashToUInt64(key) % (uint)parts);

    private static ValueTask<IReadOnlyList<CacheStatistic>> StatisticsOf(IServerGate gate, bool wholeCube) =>
        gate.CallAsync(static (ICache cache, bool wholeCube) => cache.GetStatisticsAsync(wholeCube), wholeCube);

    // What is the same everywhere, and not a count.
    private static bool IsOfAll(string name) =>
        name is "uptime" or "time" or "pid" or "chunk_size"
        || name.EndsWith(":chunk_size", StringComparison.Ordinal)
        || name.EndsWith(":chunks_per_page", StringComparison.Ordinal)
        || name.EndsWith(":age", StringComparison.Ordinal);

    private static string Sum(string one, string other) =>
        long.TryParse(one, CultureInfo.InvariantCulture, out long a)
        && long.TryParse(other, CultureInfo.InvariantCulture, out long b)
            ? (a + b).ToString(CultureInfo.InvariantCulture)
            : one;
}
