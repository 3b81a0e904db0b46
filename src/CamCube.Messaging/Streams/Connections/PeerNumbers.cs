using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>The connections that peers have opened here, by their numbers: one that is over never begins again, however
/// late a greeting of it comes, or comes twice. Loop only.</summary>
internal sealed class PeerNumbers
{
    // Of a peer so many runs are remembered, each with so many ranges; below them all numbers count as used. Who is
    // refused by mistake takes the next number.
    private const int MostRuns = 4,
        MostRanges = 16;

    private const long Lowest = -(1L << 40);

    private readonly Dictionary<Coordinate, List<(ulong Run, RangeSet Numbers)>> _byPeer = [];

    /// <summary>A connection begins. False: it has done so before.</summary>
    /// <param name="peer">Who opens it.</param>
    /// <param name="run">The run of the peer's endpoint.</param>
    /// <param name="number">The peer's number.</param>
    public bool TryUse(Coordinate peer, ulong run, uint number)
    {
        RangeSet numbers = Of(peer, run);
        long expanded = Serial.Expand(number, numbers.IsEmpty ? number : numbers[numbers.Count - 1].End - 1);
        bool isNew = numbers.Add(expanded, expanded + 1) > 0;
        if (numbers.Count > MostRanges)
        {
            numbers.Add(Lowest, numbers[numbers.Count - MostRanges].Start);
        }

        return isNew;
    }

    private RangeSet Of(Coordinate peer, ulong run)
    {
        if (!_byPeer.TryGetValue(peer, out List<(ulong Run, RangeSet Numbers)>? runs))
        {
            _byPeer.Add(peer, runs = []);
        }

        foreach ((ulong known, RangeSet numbers) in runs)
        {
            if (known == run)
            {
                return numbers;
            }
        }

        if (runs.Count == MostRuns)
        {
            runs.RemoveAt(0);
        }

        runs.Add((run, new RangeSet()));
        return runs[^1].Numbers;
    }
}
