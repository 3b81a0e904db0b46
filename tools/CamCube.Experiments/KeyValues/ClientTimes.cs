namespace CamCube.Experiments.KeyValues;

/// <summary>What clients had in some time.</summary>
/// <param name="PerSecond">Operations.</param>
/// <param name="MedianNanos">Their median time.</param>
/// <param name="WorstNanos">The time that 99 of 100 did not exceed.</param>
internal sealed record ClientTimes(double PerSecond, long MedianNanos, long WorstNanos)
{
    /// <summary>Of the answers that came in some time.</summary>
    public static ClientTimes Of(IEnumerable<MixedClient> clients, long from, long until)
    {
        List<long> took =
        [
            .. clients
                .SelectMany(static c => c.Done)
                .Where(d => d.At > from && d.At <= until)
                .Select(static d => d.Took)
                .Order(),
        ];
        return took.Count == 0
            ? new ClientTimes(0, 0, 0)
            : new ClientTimes(took.Count * 1e9 / (until - from), took[took.Count / 2], took[took.Count * 99 / 100]);
    }
}
