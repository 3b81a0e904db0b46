namespace CamCube.Histories.Checking;

/// <summary>Beginnings and ends of the operations of a key whose answer is known, in the order of time, in a list from
/// which those of placed ones are taken out.</summary>
internal sealed class KeyTimeline
{
    private readonly int[] _next;
    private readonly int[] _previous;
    private readonly int[] _operationOf;
    private readonly int[] _endOf;
    private readonly bool[] _isBegin;

    // Those that say a version, by it: the lower ones are in front of the higher ones in every order.
    private readonly ulong[] _versions;
    private readonly int[] _versioned;
    private readonly int[] _placeOf;
    private readonly bool[] _isPlaced;
    private int _lowest;

    /// <summary>All of them.</summary>
    public KeyTimeline(HistoryOperation[] operations)
    {
        Operations = operations;
        List<(long Time, bool IsEnd, int Operation)> events = [];
        for (int i = 0; i < operations.Length; i++)
        {
            // What begins when another ends may have been before it.
            events.Add((operations[i].Begin, false, i));
            events.Add((operations[i].End, true, i));
        }

        events.Sort();
        int count = events.Count + 1;
        (_next, _previous) = (new int[count + 1], new int[count + 1]);
        (_operationOf, _endOf, _isBegin) = (new int[count], new int[operations.Length], new bool[count]);
        for (int entry = 1; entry < count; entry++)
        {
            (_, bool isEnd, int operation) = events[entry - 1];
            (_next[entry - 1], _previous[entry]) = (entry, entry - 1);
            (_operationOf[entry], _isBegin[entry]) = (operation, !isEnd);
            if (isEnd)
            {
                _endOf[operation] = entry;
            }
        }

        (_next[count - 1], _previous[count]) = (count, count - 1);
        HistoryOperation[] losses = [.. operations.Where(static o => o.Kind == HistoryKind.Loss)];
        _versions = [.. operations.Select(o => VersionOf(o, losses))];
        _versioned =
        [
            .. Enumerable
                .Range(0, operations.Length)
                .Where(i => _versions[i] > 0)
                .OrderBy(i => _versions[i])
                .ThenBy(i => i),
        ];
        (_placeOf, _isPlaced) = (new int[operations.Length], new bool[operations.Length]);
        Array.Fill(_placeOf, -1);
        for (int i = 0; i < _versioned.Length; i++)
        {
            _placeOf[_versioned[i]] = i;
        }

        Left = operations.Length;
    }

    /// <summary>The operations.</summary>
    public HistoryOperation[] Operations { get; }

    /// <summary>How many are not placed.</summary>
    public int Left { get; private set; }

    /// <summary>What stands for the set of those that are placed.</summary>
    public UInt128 Placed { get; private set; }

    /// <summary>The first beginning or end of one that is not placed.</summary>
    public int First => _next[0];

    /// <summary>Of those that are not placed, the one that says the lowest version; -1: none says one.</summary>
    public int Lowest => _lowest < _versioned.Length ? _versioned[_lowest] : -1;

    /// <summary>The one behind it.</summary>
    public int Next(int entry) => _next[entry];

    /// <summary>It is a beginning.</summary>
    public bool IsBegin(int entry) => _isBegin[entry];

    /// <summary>Whose it is.</summary>
    public int OperationAt(int entry) => _operationOf[entry];

    /// <summary>Where an operation ends.</summary>
    public int EndOf(int operation) => _endOf[operation];

    /// <summary>When the first of them ends.</summary>
    public long FirstEnd()
    {
        int entry = First;
        while (_isBegin[entry])
        {
            entry = _next[entry];
        }

        return Operations[_operationOf[entry]].End;
    }

    /// <summary>One that says a lower version has to be placed before this.</summary>
    public bool IsTooEarly(int operation) => Lowest >= 0 && _versions[operation] > _versions[Lowest];

    /// <summary>Places the one that begins there.</summary>
    public void TakeOut(int entry)
    {
        int operation = _operationOf[entry];
        Unlink(entry);
        Unlink(_endOf[operation]);
        Left--;
        Placed ^= Mark(operation);
        _isPlaced[operation] = true;
        while (_lowest < _versioned.Length && _isPlaced[_versioned[_lowest]])
        {
            _lowest++;
        }
    }

    /// <summary>Takes back what was placed last.</summary>
    public void PutBack(int entry)
    {
        int operation = _operationOf[entry];
        Link(_endOf[operation]);
        Link(entry);
        Left++;
        Placed ^= Mark(operation);
        _isPlaced[operation] = false;
        _lowest = _placeOf[operation] is var place and >= 0 ? Math.Min(_lowest, place) : _lowest;
    }

    // Of what was done or in the way, the version that the key had then; 0: nothing is said. Who saw what is left after
    // a loss may have seen it before or behind what was lost.
    private static ulong VersionOf(HistoryOperation one, HistoryOperation[] losses)
    {
        bool isSeen = one.Kind == HistoryKind.Get || one.Answer == HistoryAnswer.Conflict,
            isLeft = isSeen && Array.Exists(losses, l => l.Kept == one.Version && one.End >= l.Begin);
        return one.Answer is HistoryAnswer.Done or HistoryAnswer.Conflict && !isLeft ? one.Version : 0;
    }

    // Two rounds of a mixer: sets differ where their marks, taken together, do.
    private static UInt128 Mark(int operation) =>
        new(Mix((ulong)operation + 0x9E37_79B9_7F4A_7C15UL), Mix(~((ulong)operation * 0xD1B5_4A32_D192_ED03UL)));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }

    private void Unlink(int entry)
    {
        _next[_previous[entry]] = _next[entry];
        _previous[_next[entry]] = _previous[entry];
    }

    private void Link(int entry)
    {
        _next[_previous[entry]] = entry;
        _previous[_next[entry]] = entry;
    }
}
