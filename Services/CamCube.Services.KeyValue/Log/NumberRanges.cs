namespace CamCube.Services.KeyValue.Log;

/// <summary>A set of numbers that mostly follow each other, as ranges in order.</summary>
internal sealed class NumberRanges
{
    private readonly List<(ulong First, ulong Last)> _ranges = [];

    public int Count => _ranges.Count;

    public (ulong First, ulong Last) this[int index] => _ranges[index];

    /// <summary>Adds all from the first to the last.</summary>
    public void Add(ulong first, ulong last)
    {
        if (first > last)
        {
            return;
        }

        // Those that it touches become one with it.
        int from = 0;
        while (from < _ranges.Count && _ranges[from].Last != ulong.MaxValue && _ranges[from].Last + 1 < first)
        {
            from++;
        }

        int to = from;
        while (to < _ranges.Count && (_ranges[to].First == 0 || _ranges[to].First - 1 <= last))
        {
            (first, last) = (Math.Min(first, _ranges[to].First), Math.Max(last, _ranges[to].Last));
            to++;
        }

        _ranges.RemoveRange(from, to - from);
        _ranges.Insert(from, (first, last));
    }

    /// <summary>Whether all from the first to the last are in it.</summary>
    public bool Contains(ulong first, ulong last)
    {
        foreach ((ulong begin, ulong end) in _ranges)
        {
            if (begin <= first && last <= end)
            {
                return true;
            }
        }

        return false;
    }

    public NumberRanges Copy()
    {
        var copy = new NumberRanges();
        copy._ranges.AddRange(_ranges);
        return copy;
    }
}
