namespace CamCube.Histories.Checking;

/// <summary>The changes whose end nobody knows: each was done once or never. Those that ask for the same, with values
/// that nobody read, are alike, and are taken in the order in which they began.</summary>
internal sealed class OpenChanges
{
    private readonly List<(HistoryOperation First, long Value, long Asked, List<HistoryOperation> All)> _kinds = [];
    private readonly int[] _used;

    /// <summary>Those among these.</summary>
    /// <param name="operations">All of a key.</param>
    /// <param name="values">Their values, as states have them.</param>
    /// <param name="asked">The values that they ask for.</param>
    public OpenChanges(IReadOnlyList<HistoryOperation> operations, long[] values, long[] asked)
    {
        Dictionary<(HistoryKind, long, long, ulong?, bool, ulong, long?), int> kinds = [];
        foreach (int i in Enumerable.Range(0, operations.Count).OrderBy(i => operations[i].Begin).ThenBy(i => i))
        {
            HistoryOperation one = operations[i];
            if (one.Answer != HistoryAnswer.Unknown)
            {
                continue;
            }

            long value = one.Kind == HistoryKind.Put ? values[i] : 0;
            long? over = one.IfValue is null ? null : asked[i];
            var kind = (one.Kind, value, one.By, one.IfVersion, one.IfPresent, one.Version, over);
            if (!kinds.TryGetValue(kind, out int at))
            {
                kinds.Add(kind, at = _kinds.Count);
                _kinds.Add((one, value, asked[i], []));
            }

            _kinds[at].All.Add(one);
        }

        // What asks for little can be used for more, and is used last.
        _kinds.Sort(static (a, b) => Freedom(a.First).CompareTo(Freedom(b.First)));
        _used = new int[_kinds.Count];
    }

    /// <summary>How many kinds there are.</summary>
    public int Kinds => _kinds.Count;

    /// <summary>How many of each kind are used.</summary>
    public ReadOnlySpan<int> Used => _used;

    /// <summary>One of a kind, whichever.</summary>
    public HistoryOperation OneOf(int kind) => _kinds[kind].First;

    /// <summary>How many of a kind began at or before a moment.</summary>
    public int Begun(int kind, long until)
    {
        List<HistoryOperation> all = _kinds[kind].All;
        int low = 0,
            high = all.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = all[middle].Begin <= until ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    /// <summary>The value that one of this kind puts.</summary>
    public long ValueOf(int kind) => _kinds[kind].Value;

    /// <summary>The value that one of this kind asks for, if it asks for one.</summary>
    public long AskedBy(int kind) => _kinds[kind].Asked;

    /// <summary>Uses the next.</summary>
    public void Use(int kind) => _used[kind]++;

    /// <summary>The last was not used after all.</summary>
    public void GiveBack(int kind) => _used[kind]--;

    /// <summary>Those that are not used.</summary>
    public IEnumerable<HistoryOperation> Left() => _kinds.SelectMany((k, i) => k.All.Skip(_used[i]));

    private static int Freedom(HistoryOperation one) =>
        one.IfVersion > 0 || one.IfValue is not null ? 0
        : one.IfVersion == 0 || one.IfPresent ? 1
        : 2;
}
