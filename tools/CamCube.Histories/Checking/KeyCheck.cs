using System.Globalization;

namespace CamCube.Histories.Checking;

/// <summary>The search for an order of the operations of one key. Used once.</summary>
internal sealed class KeyCheck
{
    private const long NoValue = long.MinValue + 1;
    private const long Unseen = long.MinValue + 2;
    private const int MostBeside = 20;
    private readonly HistoryOperation[] _operations;
    private readonly long[] _values;
    private readonly long _mostSteps;

    // Calls and returns in the order of time, in a list from which those of placed operations are taken out; entry 0
    // is in front of all.
    private readonly int[] _next;
    private readonly int[] _previous;
    private readonly int[] _operationOf;
    private readonly int[] _returnOf;
    private readonly bool[] _isCall;

    // Of changes that nobody saw, and of which nothing is known, one is as good as another: they are placed in the
    // order in which they began.
    private readonly int[] _alikeBefore;
    private readonly bool[] _isPlaced;

    // Of the changes that were done, in their order: versions grow, so that none can follow a later one.
    private readonly ulong[] _versions;
    private int _versionsPlaced;
    private int _returns;
    private int _best = -1;

    /// <summary>A search among these.</summary>
    public KeyCheck(HistoryOperation[] operations, long mostSteps)
    {
        (_operations, _mostSteps) = (operations, mostSteps);
        _values = Number(operations);
        (_alikeBefore, _isPlaced) = (FindAlike(operations, _values), new bool[operations.Length]);
        _versions = [.. operations.Where(IsVersioned).Select(static o => o.Version).Order()];
        List<(long Time, bool IsReturn, int Operation)> events = [];
        for (int i = 0; i < operations.Length; i++)
        {
            events.Add((operations[i].Begin, false, i));
            if (operations[i].Answer != HistoryAnswer.Unknown)
            {
                // What begins when another ends may have been before it.
                events.Add((operations[i].End, true, i));
                _returns++;
            }
        }

        events.Sort();
        int count = events.Count + 1;
        (_next, _previous) = (new int[count + 1], new int[count + 1]);
        (_operationOf, _returnOf, _isCall) = (new int[count], new int[operations.Length], new bool[count]);
        for (int entry = 1; entry < count; entry++)
        {
            (_, bool isReturn, int operation) = events[entry - 1];
            (_next[entry - 1], _previous[entry]) = (entry, entry - 1);
            (_operationOf[entry], _isCall[entry]) = (operation, !isReturn);
            if (isReturn)
            {
                _returnOf[operation] = entry;
            }
        }

        (_next[count - 1], _previous[count]) = (count, count - 1);
    }

    /// <summary>What was found; null: not decided.</summary>
    public bool? IsLinearizable { get; private set; }

    /// <summary>Steps that it took.</summary>
    public long Steps { get; private set; }

    /// <summary>The operation that could not be placed in the best attempt.</summary>
    public HistoryOperation? Unexplained { get; private set; }

    /// <summary>Those that were open beside it.</summary>
    public IReadOnlyList<HistoryOperation> Beside { get; private set; } = [];

    /// <summary>Searches.</summary>
    public void Run()
    {
        HashSet<(UInt128 Placed, KeyState State)> tried = [];
        Stack<(int Entry, KeyState State)> placed = new();
        KeyState state = KeyState.Nothing;
        UInt128 set = 0;
        for (int entry = _next[0]; _returns > 0; )
        {
            if (++Steps > _mostSteps)
            {
                return;
            }

            int operation = _operationOf[entry];
            if (!_isCall[entry])
            {
                NoteBest(placed.Count, entry);
                if (!placed.TryPop(out (int Entry, KeyState State) last))
                {
                    IsLinearizable = false;
                    return;
                }

                PutBack(last.Entry);
                set ^= Mark(_operationOf[last.Entry]);
                (state, entry) = (last.State, _next[last.Entry]);
                continue;
            }

            bool isInTurn = _alikeBefore[operation] is var other && (other < 0 || _isPlaced[other]);
            if (
                isInTurn
                && !IsTooEarly(_operations[operation])
                && state.TryPlace(_operations[operation], _values[operation], out KeyState after)
                && tried.Add((set ^ Mark(operation), after))
            )
            {
                placed.Push((entry, state));
                (state, set) = (after, set ^ Mark(operation));
                TakeOut(entry);
                entry = _next[0];
                continue;
            }

            entry = _next[entry];
        }

        IsLinearizable = true;
    }

    private static bool IsVersioned(HistoryOperation one) =>
        one is { Answer: HistoryAnswer.Done, Kind: not HistoryKind.Get, Version: > 0 };

    // It says a version behind that of a change which has to be placed yet.
    private bool IsTooEarly(HistoryOperation one) =>
        one.Answer is HistoryAnswer.Done or HistoryAnswer.Conflict
        && _versionsPlaced < _versions.Length
        && one.Version > _versions[_versionsPlaced];

    private static long[] Number(HistoryOperation[] operations)
    {
        if (operations.Any(static o => o.Kind == HistoryKind.Add))
        {
            return [.. operations.Select(static o => ReadNumber(o.Value))];
        }

        var read = operations.Where(o => o.Kind == HistoryKind.Get).Select(o => o.Value ?? "").ToHashSet();
        Dictionary<string, long> numbers = new(StringComparer.Ordinal);
        foreach (HistoryOperation operation in operations.Where(o => o.Kind == HistoryKind.Put))
        {
            numbers.TryAdd(operation.Value!, read.Contains(operation.Value!) ? numbers.Count : Unseen);
        }

        return [.. operations.Select(o => numbers.GetValueOrDefault(o.Value ?? "", NoValue))];
    }

    private static long ReadNumber(string? value) =>
        long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number)
            ? number
            : NoValue;

    private static int[] FindAlike(HistoryOperation[] operations, long[] values)
    {
        Dictionary<long, int> adds = [];
        int[] before = new int[operations.Length];
        Array.Fill(before, -1);
        int put = -1,
            delete = -1;
        foreach (int i in Enumerable.Range(0, operations.Length).OrderBy(i => operations[i].Begin).ThenBy(i => i))
        {
            HistoryOperation one = operations[i];
            if (one.Answer != HistoryAnswer.Unknown || one.IfVersion is not null || one.IfPresent || one.Version > 0)
            {
                continue;
            }

            if (one.Kind == HistoryKind.Add)
            {
                before[i] = adds.GetValueOrDefault(one.By, -1);
                adds[one.By] = i;
            }
            else if (one.Kind == HistoryKind.Delete)
            {
                (before[i], delete) = (delete, i);
            }
            else if (values[i] == Unseen)
            {
                (before[i], put) = (put, i);
            }
        }

        return before;
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

    private void TakeOut(int entry)
    {
        _isPlaced[_operationOf[entry]] = true;
        _versionsPlaced += IsVersioned(_operations[_operationOf[entry]]) ? 1 : 0;
        Unlink(entry);
        if (_returnOf[_operationOf[entry]] is var end and > 0)
        {
            Unlink(end);
            _returns--;
        }
    }

    private void PutBack(int entry)
    {
        _isPlaced[_operationOf[entry]] = false;
        _versionsPlaced -= IsVersioned(_operations[_operationOf[entry]]) ? 1 : 0;
        if (_returnOf[_operationOf[entry]] is var end and > 0)
        {
            Link(end);
            _returns++;
        }

        Link(entry);
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

    private void NoteBest(int count, int end)
    {
        if (count <= _best)
        {
            return;
        }

        _best = count;
        Unexplained = _operations[_operationOf[end]];
        List<HistoryOperation> beside = [];
        for (int entry = _next[0]; entry != end && beside.Count < MostBeside; entry = _next[entry])
        {
            if (_operationOf[entry] != _operationOf[end])
            {
                beside.Add(_operations[_operationOf[entry]]);
            }
        }

        Beside = beside;
    }
}
