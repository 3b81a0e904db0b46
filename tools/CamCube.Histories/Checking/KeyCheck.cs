namespace CamCube.Histories.Checking;

/// <summary>The search for an order of the operations of one key. Used once.</summary>
/// <remarks>
/// <para>An order is built from its beginning, one operation at a time, out of those that began before the first end of
/// what is not placed (Wing and Gong; Lowe). Whatever is not tried is not tried for one of these reasons:</para>
/// <list type="number">
/// <item>Versions grow, and an answer that says one says that the key had it at that moment: so in every order lower
/// versions are in front of higher ones, whatever their times. Where all changes say theirs, their order is
/// known. A loss, which takes a key back to what it was, is behind all that it lost and in front of all that came
/// later; only who saw what is left then stands where it fits.</item>
/// <item>An answer that fits the state and changes nothing of it, a version that was not known included, is placed at
/// once. In any order that goes on from here it comes later, and can be taken from there to here: it is open, it fits,
/// and nothing between sees it.</item>
/// <item>A change whose end nobody knows (<see cref="OpenChanges"/>) is placed only where it changes something: if it
/// never does, it is left out, which is allowed. Of those that are alike the first to begin is used first: where
/// another stands, it can stand.</item>
/// <item>Behind such a change, and others like it, what follows must need it: what could follow as well, with the same
/// result, without the last of them (or the last few) is tried there. So is one that leads back to the state from
/// which they began. In an order with as few of them as can be, there are none that are not needed.</item>
/// <item>What failed once from the same state, with the same placed, fails again (<see cref="FailedStates"/>) for
/// whoever has no more left of what was missed then: of each kind of which one would have been placed somewhere, but
/// for all that had begun there being used. Of other kinds there were enough, and more of them change nothing. Only
/// what follows a known answer is remembered: what follows others may have been tried elsewhere, as item 4 says.</item>
/// </list>
/// <para>They are tried last, those that ask for most first. That is of no matter for the verdict: it is for the time,
/// since then most of what is tried with them has failed without them.</para>
/// </remarks>
internal sealed class KeyCheck
{
    private const int MostBeside = 20;
    private readonly List<(HistoryOperation Operation, HistoryOperation Original)> _all;
    private readonly int[] _known;
    private readonly long[] _values;
    private readonly long[] _asked;
    private readonly KeyTimeline _timeline;
    private readonly OpenChanges _open;
    private readonly FailedStates _failed = new();
    private readonly long _mostSteps;
    private readonly Stack<int> _taken = new();
    private readonly List<KeyCheckNode> _path = [];
    private int _best = -1;

    /// <summary>A search among these.</summary>
    public KeyCheck(HistoryOperation[] operations, long mostSteps)
    {
        _mostSteps = mostSteps;
        _all = SeenChanges.Of(operations);
        HistoryOperation[] all = [.. _all.Select(static o => o.Operation)];
        (long[] values, long[] asked) = ValueNumbers.Of(all);
        _open = new OpenChanges(all, values, asked);
        _known = [.. Enumerable.Range(0, all.Length).Where(i => all[i].Answer != HistoryAnswer.Unknown)];
        _values = [.. _known.Select(i => values[i])];
        _asked = [.. _known.Select(i => asked[i])];
        _timeline = new KeyTimeline([.. _known.Select(i => all[i])]);
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
        Enter(KeyState.Nothing, entry: 0, kind: -1);
        while (_timeline.Left > 0)
        {
            if (Steps > _mostSteps)
            {
                return;
            }

            if (TryOneKnown() || TryOneOpen())
            {
                continue;
            }

            NoteBest();
            KeyCheckNode last = _path[^1];
            if (!last.IsIdle)
            {
                _failed.Add(_timeline.Placed, last.State, last.Need);
            }

            Leave(last);
            if (_path.Count == 0)
            {
                IsLinearizable = false;
                return;
            }

            _path[^1].Fail(last.Need, last.Kind);
        }

        IsLinearizable = true;
    }

    // The state after what was placed last: at an entry, or one of a kind whose end is not known.
    private void Enter(KeyState state, int entry, int kind)
    {
        int taken = _taken.Count;
        if (entry > 0)
        {
            TakeOut(entry);
        }

        if (kind >= 0)
        {
            _open.Use(kind);
        }

        int before = _taken.Count;
        PlaceAnswers(state);
        _path.Add(
            new KeyCheckNode
            {
                State = state,
                Taken = taken,
                Kind = kind,
                NextEntry = _timeline.First,
                // Behind one whose end is not known, and that nobody has needed yet.
                IsIdle = kind >= 0 && _taken.Count == before,
            }
        );
    }

    private void Leave(KeyCheckNode last)
    {
        while (_taken.Count > last.Taken)
        {
            _timeline.PutBack(_taken.Pop());
        }

        if (last.Kind >= 0)
        {
            _open.GiveBack(last.Kind);
        }

        _path.RemoveAt(_path.Count - 1);
    }

    private void TakeOut(int entry)
    {
        _timeline.TakeOut(entry);
        _taken.Push(entry);
    }

    // The answers that fit this state, and change nothing of what is known of it.
    private void PlaceAnswers(in KeyState state)
    {
        for (int entry = _timeline.First; _timeline.Left > 0 && _timeline.IsBegin(entry); )
        {
            int at = _timeline.OperationAt(entry);
            HistoryOperation one = _timeline.Operations[at];
            int next = _timeline.Next(entry);
            Steps++;
            if (IsAnswer(one) && state.TryPlace(one, _values[at], _asked[at], out KeyState after) && after == state)
            {
                bool isLastBegin = next == _timeline.EndOf(at);
                next = isLastBegin ? _timeline.Next(next) : next;
                TakeOut(entry);
            }

            entry = next;
        }
    }

    private bool TryOneKnown()
    {
        KeyCheckNode node = _path[^1];
        for (int entry = node.NextEntry; _timeline.IsBegin(entry); )
        {
            int at = _timeline.OperationAt(entry);
            HistoryOperation one = _timeline.Operations[at];
            Steps++;
            if (
                !_timeline.IsTooEarly(at)
                && node.State.TryPlace(one, _values[at], _asked[at], out KeyState after)
                && !IsNeedless(one, _values[at], _asked[at], after)
            )
            {
                node.NextEntry = _timeline.Next(entry);
                Enter(after, entry, kind: -1);
                if (!HasFailed())
                {
                    return true;
                }
            }

            entry = _timeline.Next(entry);
        }

        node.NextEntry = _timeline.First;
        while (_timeline.IsBegin(node.NextEntry))
        {
            node.NextEntry = _timeline.Next(node.NextEntry);
        }

        return false;
    }

    private bool TryOneOpen()
    {
        KeyCheckNode node = _path[^1];
        long until = _open.Kinds > node.NextKind ? _timeline.FirstEnd() : 0;
        while (node.NextKind < _open.Kinds)
        {
            int kind = node.NextKind++;
            HistoryOperation one = _open.OneOf(kind);
            if (one.IfValue is not null && node.State.Value != _open.AskedBy(kind))
            {
                // One for each value that may have expired: too many to be a step each.
                continue;
            }

            Steps++;
            if (
                one.Begin > until
                || !node.State.TryPlace(one, _open.ValueOf(kind), _open.AskedBy(kind), out KeyState after)
                || node.State.Covers(after)
                || IsNeedless(one, _open.ValueOf(kind), _open.AskedBy(kind), after)
            )
            {
                continue;
            }

            int begun = _open.Begun(kind, until);
            if (_open.Used[kind] >= begun)
            {
                node.Miss(kind, begun, _open.Kinds);
                continue;
            }

            Enter(after, entry: 0, kind);
            if (!HasFailed())
            {
                return true;
            }
        }

        return false;
    }

    // What was entered last: then it is left again.
    private bool HasFailed()
    {
        KeyCheckNode last = _path[^1];
        if (last.IsIdle || _failed.Find(_timeline.Placed, last.State, _open.Used) is not { } need)
        {
            return false;
        }

        Leave(last);
        _path[^1].Fail(need, last.Kind);
        return true;
    }

    // It could be placed before the last of those whose end is not known, or the state before it is this one.
    private bool IsNeedless(HistoryOperation one, long value, long asked, in KeyState after)
    {
        bool isOpen = one.Answer == HistoryAnswer.Unknown;
        for (int i = _path.Count - 1; i > 0 && _path[i].IsIdle; i--)
        {
            KeyState before = _path[i - 1].State;
            bool isBack = isOpen && before.Covers(after);
            if (isBack || (before.TryPlace(one, value, asked, out KeyState other) && other.Covers(after)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsAnswer(HistoryOperation one) =>
        one.Kind == HistoryKind.Get || one.Answer is HistoryAnswer.NotFound or HistoryAnswer.Conflict;

    private void NoteBest()
    {
        if (_taken.Count <= _best)
        {
            return;
        }

        _best = _taken.Count;
        int entry = _timeline.First;
        while (_timeline.IsBegin(entry))
        {
            entry = _timeline.Next(entry);
        }

        // Who ends first is in the way, or else the one with a lower version that has to be in front of it.
        int at = _timeline.OperationAt(entry);
        at = _timeline.IsTooEarly(at) ? _timeline.Lowest : at;
        HistoryOperation end = _timeline.Operations[at];
        Unexplained = OriginalOf(at);
        List<HistoryOperation> beside = [];
        int other = _timeline.First;
        for (int left = 2 * _timeline.Left; left > 0 && beside.Count < MostBeside; left--)
        {
            int operation = _timeline.OperationAt(other);
            HistoryOperation one = _timeline.Operations[operation];
            if (_timeline.IsBegin(other) && operation != at && one.Begin <= end.End && one.End >= end.Begin)
            {
                beside.Add(OriginalOf(operation));
            }

            other = _timeline.Next(other);
        }

        beside.AddRange(_open.Left().Where(o => o.Begin <= end.End).Take(MostBeside - beside.Count));
        Beside = beside;
    }

    private HistoryOperation OriginalOf(int at) => _all[_known[at]].Original;
}
