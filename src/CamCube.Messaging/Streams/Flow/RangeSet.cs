namespace CamCube.Messaging.Streams.Flow;

/// <summary>A set of whole numbers as ranges without gaps between them, in order: what of a stream is lost, arrived or
/// acknowledged, and which packets came. Grows, and is used again without allocating.</summary>
internal sealed class RangeSet
{
    private (long Start, long End)[] _ranges = [];

    /// <summary>Ranges.</summary>
    public int Count { get; private set; }

    public bool IsEmpty => Count == 0;

    /// <summary>A range: its first number, and the one behind its last.</summary>
    public (long Start, long End) this[int index] => _ranges[index];

    public void Clear() => Count = 0;

    /// <summary>Adds the numbers from start up to, and without, end. Returns how many were not there.</summary>
    public long Add(long start, long end)
    {
        if (start >= end)
        {
            return 0;
        }

        int from = FirstThatEndsAtOrBehind(start),
            to = from;
        long known = 0,
            mergedStart = start,
            mergedEnd = end;
        while (to < Count && _ranges[to].Start <= end)
        {
            (long s, long e) = _ranges[to++];
            known += Math.Max(0, Math.Min(e, end) - Math.Max(s, start));
            (mergedStart, mergedEnd) = (Math.Min(mergedStart, s), Math.Max(mergedEnd, e));
        }

        Replace(from, to, 1);
        _ranges[from] = (mergedStart, mergedEnd);
        return end - start - known;
    }

    /// <summary>Takes the numbers from start up to, and without, end out.</summary>
    public void Remove(long start, long end)
    {
        int from = FirstThatEndsAtOrBehind(start + 1),
            to = from;
        if (start >= end || from == Count || _ranges[from].Start >= end)
        {
            return;
        }

        (long, long) left = (_ranges[from].Start, start),
            right = default;
        while (to < Count && _ranges[to].Start < end)
        {
            right = (end, _ranges[to++].End);
        }

        bool hasLeft = left.Item1 < left.Item2,
            hasRight = right.Item1 < right.Item2;
        Replace(from, to, (hasLeft ? 1 : 0) + (hasRight ? 1 : 0));
        if (hasLeft)
        {
            _ranges[from++] = left;
        }

        if (hasRight)
        {
            _ranges[from] = right;
        }
    }

    /// <summary>All numbers up to, and without, this one are in: takes out those that belong to them, and returns up to
    /// where they go then.</summary>
    public long TakeFrom(long end)
    {
        int taken = 0;
        while (taken < Count && _ranges[taken].Start <= end)
        {
            end = Math.Max(end, _ranges[taken++].End);
        }

        Replace(0, taken, 0);
        return end;
    }

    /// <summary>Whether all of these numbers are in.</summary>
    public bool Contains(long start, long end)
    {
        int at = FirstThatEndsAtOrBehind(end);
        return start >= end || (at < Count && _ranges[at].Start <= start);
    }

    /// <summary>Forgets the ranges with the lowest numbers, so that no more than this are left.</summary>
    public void KeepLast(int most)
    {
        if (Count > most)
        {
            Replace(0, Count - most, 0);
        }
    }

    // Makes the ranges from one index up to another so many.
    private void Replace(int from, int to, int by)
    {
        int count = Count - (to - from) + by;
        if (count > _ranges.Length)
        {
            Array.Resize(ref _ranges, Math.Max(4, 2 * count));
        }

        Array.Copy(_ranges, to, _ranges, from + by, Count - to);
        Count = count;
    }

    private int FirstThatEndsAtOrBehind(long number)
    {
        int low = 0,
            high = Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            if (_ranges[middle].End >= number)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }

        return low;
    }
}
