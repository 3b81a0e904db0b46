using CamCube.Topology;

namespace CamCube.Simulator.Checkers;

/// <summary>
/// Who holds itself to be root of which keys. Measures how often and how long two servers did at once; that is a
/// failure where nothing but stops and restarts happened (<paramref name="isStrict"/>), and everywhere when both are in
/// one connected part whose views agree. A key class is all keys of one home with one replica sequence: in every view
/// they have the same root.
/// </summary>
/// <param name="truth">The cube as it is.</param>
/// <param name="isStrict">Whether there may never be two roots.</param>
public sealed class RootChecker(TrueCube truth, bool isStrict) : Checker("one-root")
{
    private const int MostTables = 64;
    private readonly int _classes = truth.Shape.Count * ReplicaSequences.Count;
    private readonly Dictionary<(CubeView View, int First), ushort[]> _tables = [];
    private readonly byte[] _claims = new byte[truth.Shape.Count * ReplicaSequences.Count];
    private readonly long[] _doubledFrom = new long[truth.Shape.Count * ReplicaSequences.Count];
    private readonly long[] _doubledUntil = new long[truth.Shape.Count * ReplicaSequences.Count];
    private readonly int[]?[] _owned = new int[truth.Shape.Count][];
    private int _doubled;
    private long _doubledSince;
    private string _doubledWhat = "";

    /// <summary>Times during which some key class had two roots.</summary>
    public long Overlaps { get; private set; }

    /// <summary>The longest of them in nanoseconds.</summary>
    public long LongestOverlapNanos { get; private set; }

    /// <summary>All of them together in nanoseconds.</summary>
    public long OverlapNanos { get; private set; }

    /// <summary>Takes changes in the order of time.</summary>
    internal void Look(List<Claim> changes)
    {
        foreach (Claim change in changes)
        {
            Checks++;
            Replace(change);
        }
    }

    /// <summary>
    /// Looks at the present: two roots in one connected part whose servers all have the same view are a failure in
    /// every run.
    /// </summary>
    /// <param name="nanos">The present.</param>
    /// <param name="digestOf">Digest of a running server's view.</param>
    public void LookNow(long nanos, Func<int, ulong> digestOf)
    {
        Checks++;
        if (_doubled == 0)
        {
            return;
        }

        for (int component = 0; component < truth.Components; component++)
        {
            int[] members = [.. Enumerable.Range(0, truth.Shape.Count).Where(r => truth.ComponentOf(r) == component)];
            if (members.Any(r => digestOf(r) != digestOf(members[0])))
            {
                continue;
            }

            var seen = new Dictionary<int, int>();
            foreach (int rank in members)
            {
                foreach (int keyClass in _owned[rank] ?? [])
                {
                    if (!seen.TryAdd(keyClass, rank))
                    {
                        Fail(
                            nanos,
                            $"{truth.Shape.At(seen[keyClass])} and {truth.Shape.At(rank)} are both root of "
                                + $"{Describe(keyClass)}, "
                                + "though all views of their part of the cube agree."
                        );
                        return;
                    }
                }
            }
        }
    }

    /// <summary>After healing: every key class has exactly one root, the first running server of its sequence in the
    /// connected majority; without a majority nobody is.</summary>
    public void CheckExactlyOne(long nanos)
    {
        Checks++;
        int majority = Enumerable.Range(0, truth.Components).FirstOrDefault(truth.HasMajority, -1);
        var root = new int[_classes];
        Array.Fill(root, -1);
        for (int rank = 0; rank < _owned.Length; rank++)
        {
            foreach (int keyClass in _owned[rank] ?? [])
            {
                if (root[keyClass] >= 0)
                {
                    Fail(
                        nanos,
                        $"{NameOf(root[keyClass])} and {NameOf(rank)} are both root of {Describe(keyClass)} in a "
                            + $"settled cube."
                    );
                    return;
                }

                root[keyClass] = rank;
            }
        }

        for (int keyClass = 0; keyClass < _classes; keyClass++)
        {
            int expected =
                majority < 0 ? -1 : truth.FirstOf(RouteOf(keyClass), rank => truth.ComponentOf(rank) == majority);
            if (root[keyClass] != expected)
            {
                Fail(
                    nanos,
                    $"{NameOf(root[keyClass])} is root of {Describe(keyClass)} in a settled cube, "
                        + $"but it should be {NameOf(expected)}."
                );
                return;
            }
        }
    }

    /// <summary>
    /// Whether a key had two roots lately: for longer than a time in which neither's view changed, and still so at or
    /// after a moment. What a service promises only while that does not happen cannot be judged then.
    /// </summary>
    public bool HadTwoRoots(ulong route, long longerThanNanos, long sinceNanos, long nanos)
    {
        int keyClass =
            (truth.Shape.RankOf(Destination.FromWire(route, isKey: true).HomeIn(truth.Shape)) * ReplicaSequences.Count)
            + ReplicaSequences.IndexOf(route);
        long until = _claims[keyClass] > 1 ? nanos : _doubledUntil[keyClass];
        return until >= sinceNanos && until - _doubledFrom[keyClass] > longerThanNanos;
    }

    /// <summary>The run is over: an overlap that lasts until now counts.</summary>
    public void End(long nanos)
    {
        if (_doubled > 0)
        {
            EndOverlap(nanos);
        }
    }

    private void Replace(Claim change)
    {
        int before = _doubled;
        foreach (int keyClass in _owned[change.Rank] ?? [])
        {
            if (_claims[keyClass]-- == 2)
            {
                _doubled--;
                _doubledUntil[keyClass] = change.Nanos;
            }
        }

        int[]? owned = _owned[change.Rank] =
            change.HasKeys && change.View is not null ? OwnedBy(change.View, change.Rank) : null;
        int second = -1;
        foreach (int keyClass in owned ?? [])
        {
            if (_claims[keyClass]++ == 1)
            {
                _doubled++;
                _doubledFrom[keyClass] = change.Nanos;
                second = keyClass;
            }
        }

        if (before == 0 && _doubled > 0)
        {
            _doubledSince = change.Nanos;
            int first = Array.FindIndex(_owned, o => o is not null && o != owned && Array.BinarySearch(o, second) >= 0);
            _doubledWhat = $"{NameOf(first)} and {NameOf(change.Rank)} were both root of {Describe(second)}";
        }
        else if (before > 0 && _doubled == 0)
        {
            EndOverlap(change.Nanos);
        }
    }

    private void EndOverlap(long nanos)
    {
        long length = nanos - _doubledSince;
        if (length == 0)
        {
            // A view and its keys change one after the other within one step.
            return;
        }

        Overlaps++;
        OverlapNanos += length;
        LongestOverlapNanos = Math.Max(LongestOverlapNanos, length);
        if (isStrict)
        {
            Fail(_doubledSince, $"{_doubledWhat} for {length:N0} ns, though servers were only stopped and started.");
        }
    }

    private int[] OwnedBy(CubeView view, int rank)
    {
        // Servers of one component have the same roots; the first of them names it.
        Coordinate self = truth.Shape.At(rank);
        int first = 0;
        while (!view.IsReachable(self, truth.Shape.At(first)))
        {
            first++;
        }

        if (!_tables.TryGetValue((view, first), out ushort[]? roots))
        {
            if (_tables.Count == MostTables)
            {
                _tables.Clear();
            }

            roots = new ushort[_classes];
            for (int i = 0; i < roots.Length; i++)
            {
                roots[i] = (ushort)truth.Shape.RankOf(view.RootOf(RouteOf(i), self));
            }

            _tables[(view, first)] = roots;
        }

        var owned = new List<int>(ReplicaSequences.Count);
        for (int i = 0; i < roots.Length; i++)
        {
            if (roots[i] == rank)
            {
                owned.Add(i);
            }
        }

        return [.. owned];
    }

    private ulong RouteOf(int keyClass) =>
        ((Destination)truth.Shape.At(keyClass / ReplicaSequences.Count)).Route
        | (uint)(keyClass % ReplicaSequences.Count);

    private string NameOf(int rank) => rank < 0 ? "nobody" : truth.Shape.At(rank).ToString();

    private string Describe(int keyClass) =>
        $"home {truth.Shape.At(keyClass / ReplicaSequences.Count)}, sequence {keyClass % ReplicaSequences.Count}";
}
