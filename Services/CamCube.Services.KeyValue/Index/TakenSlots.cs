using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Index;

/// <summary>Looks at the keys that are taken from a snapshot: where their records lie, and when they end. Loop only.
/// </summary>
/// <param name="expiries">When keys end.</param>
/// <param name="nowNanos">The time.</param>
internal sealed class TakenSlots(Expiries expiries, long nowNanos)
{
    private readonly Dictionary<uint, TakenSegment> _segments = [];

    /// <summary>The group whose keys are looked at.</summary>
    public uint Group { get; set; }

    /// <summary>How long the index that was written had been there: its times are counted from its begin.</summary>
    public long PassedNanos { get; set; }

    /// <summary>What times of this one are counted from.</summary>
    public long BeginNanos { get; set; }

    /// <summary>Records that name pieces of values, of the group at hand.</summary>
    public List<LogLocation> InPieces { get; } = [];

    /// <summary>The segments that records lie in.</summary>
    public IReadOnlyCollection<TakenSegment> Segments => _segments.Values;

    /// <summary>What is known of a segment.</summary>
    public TakenSegment Of(uint segment)
    {
        if (!_segments.TryGetValue(segment, out TakenSegment? known))
        {
            known = new TakenSegment(segment);
            if (segment != 0)
            {
                _segments[segment] = known;
            }
        }

        return known;
    }

    /// <summary>Looks at a key that names pieces, or ends.</summary>
    /// <param name="name">The key.</param>
    /// <param name="entry">What is known of it; changed if it ends.</param>
    /// <returns>Whether it was changed.</returns>
    public bool Take(UInt128 name, ref IndexEntry entry)
    {
        if (entry.IsInPieces)
        {
            InPieces.Add(entry.Location);
        }

        if (entry.DueNanos == 0)
        {
            return false;
        }

        // Its time goes on where it was; that in which no server was there does not count.
        long left = Math.Max(entry.DueNanos - BeginNanos - PassedNanos, KeySlots.TimeUnit);
        entry = entry with { DueNanos = nowNanos + left is var due and not 0 ? due : 1 };
        expiries.Add(Group, name, entry.Version, entry.DueNanos);
        return true;
    }
}
