namespace CamCube.Runtime.Core;

/// <summary>
/// In which order this server learned what it knows: one record per server that ever said anything, the latest news
/// last. A link needs only one number, up to where its neighbour has everything; what comes after it, oldest first, is
/// what the neighbour still needs. Sent in this order, nobody learns of a change before the changes that its origin
/// knew of (docs/link-state.md).
/// </summary>
internal sealed class FloodLog
{
    private readonly List<Record> _records = [];

    /// <summary>Stamp of the latest record; the first is 1.</summary>
    public long LastStamp { get; private set; }

    /// <summary>A server said something new; it goes to the end.</summary>
    /// <param name="rank">The server.</param>
    /// <param name="knownOn">Links whose neighbours have it already, because it came from there.</param>
    public void Append(int rank, LinkSet knownOn)
    {
        int place = PlaceOf(rank);
        if (place >= 0)
        {
            _records.RemoveAt(place);
        }

        _records.Add(new Record(++LastStamp, (ushort)rank, knownOn.Bits));
    }

    /// <summary>The neighbour sent the very same: it need not be sent there.</summary>
    public void MarkKnown(int rank, Link link)
    {
        int place = PlaceOf(rank);
        if (place >= 0)
        {
            Record record = _records[place];
            _records[place] = record with { KnownOn = (byte)(record.KnownOn | ((LinkSet)link).Bits) };
        }
    }

    /// <summary>The neighbour on this link may have forgotten all.</summary>
    public void ForgetKnown(Link link)
    {
        for (int i = 0; i < _records.Count; i++)
        {
            _records[i] = _records[i] with { KnownOn = (byte)(_records[i].KnownOn & ~((LinkSet)link).Bits) };
        }
    }

    /// <summary>Whether the neighbour, which has all up to a stamp, needs anything.</summary>
    public bool HasPending(Link link, long after)
    {
        for (int i = _records.Count - 1; i >= 0 && _records[i].Stamp > after; i--)
        {
            if (!_records[i].IsKnownOn(link))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether the neighbour needs the record of this server.</summary>
    public bool IsPending(int rank, Link link, long after)
    {
        int place = PlaceOf(rank);
        return place >= 0 && _records[place].Stamp > after && !_records[place].IsKnownOn(link);
    }

    /// <summary>Picks what the neighbour needs, oldest first.</summary>
    /// <param name="link">The link.</param>
    /// <param name="after">The neighbour has all up to this stamp.</param>
    /// <param name="ranks">Gets the ranks; its length is the most that fit.</param>
    /// <param name="end">Whoever gets these has all up to this stamp.</param>
    /// <returns>How many.</returns>
    public int Pick(Link link, long after, Span<ushort> ranks, out long end)
    {
        int place = _records.Count;
        while (place > 0 && _records[place - 1].Stamp > after)
        {
            place--;
        }

        int count = 0;
        end = LastStamp;
        for (; place < _records.Count; place++)
        {
            if (_records[place].IsKnownOn(link))
            {
                continue;
            }

            if (count == ranks.Length)
            {
                end = _records[place].Stamp - 1;
                break;
            }

            ranks[count++] = _records[place].Rank;
        }

        return count;
    }

    // The latest are looked up most, and they are last.
    private int PlaceOf(int rank)
    {
        for (int i = _records.Count - 1; i >= 0; i--)
        {
            if (_records[i].Rank == rank)
            {
                return i;
            }
        }

        return -1;
    }

    private readonly record struct Record(long Stamp, ushort Rank, byte KnownOn)
    {
        public bool IsKnownOn(Link link) => (KnownOn >> (int)link & 1) != 0;
    }
}
