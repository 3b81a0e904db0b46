namespace CamCube.Histories.Checking;

/// <summary>
/// Whether batches were done at one moment each: the order of several keys together, where each alone has one. Versions
/// of keys that batches have in common grow from one change to the next, whichever of the keys that changes.
/// </summary>
/// <remarks>
/// <para>So the order of all changes whose version is known is known, and what saw a version stands between the change
/// that made it and the next one of its key. Each change is placed as early as it can be: not before its beginning, the
/// change in front of it, and the beginnings of those that saw what it replaced. Where that is behind its end, or
/// behind the end of one that saw it, there is no order; otherwise these moments are one, for what is looked at.</para>
/// <para>Not looked at, so that nothing good is called bad: changes without a version, that a key was not there once
/// somebody may have deleted it, and keys of which something was lost.</para>
/// </remarks>
internal static class BatchCheck
{
    /// <summary>Looks at all keys that are in a batch.</summary>
    /// <param name="history">Operations, those that were not done left out, batches that were seen as done.</param>
    /// <returns>One that nothing explains; null: there is none.</returns>
    public static HistoryOperation? Find(IReadOnlyList<HistoryOperation> history)
    {
        Dictionary<string, string> sets = SetsOf(history);
        return history
            .Where(o => sets.ContainsKey(o.Key))
            .GroupBy(o => Root(sets, o.Key), StringComparer.Ordinal)
            .Where(static set => set.All(static o => o.Kind != HistoryKind.Loss))
            .Select(static set => FindIn([.. set]))
            .FirstOrDefault(static found => found is not null);
    }

    private static HistoryOperation? FindIn(HistoryOperation[] all)
    {
        Moment[] moments = MomentsOf(all);
        ulong[] versions = [.. moments.Select(static m => m.Version)];
        foreach (HistoryOperation seen in all.Where(IsSight))
        {
            int made = VersionAt(versions, seen.Version);
            while (made >= 0 && !moments[made].Keys.Contains(seen.Key))
            {
                made--;
            }

            int next = VersionAt(versions, seen.Version) + 1;
            while (next < moments.Length && !moments[next].Keys.Contains(seen.Key))
            {
                next++;
            }

            if (made >= 0)
            {
                moments[made].Seen.Add(seen);
            }

            if (next < moments.Length)
            {
                // A condition of a batch saw it in that moment, and no later change lies between.
                if (seen.Batch > 0 && moments[next].Version < VersionOf(all, seen.Batch))
                {
                    return seen;
                }

                moments[next].Replaced.Add(seen);
            }
        }

        long earliest = long.MinValue;
        foreach (Moment moment in moments)
        {
            earliest = Math.Max(earliest, moment.Begin);
            foreach (HistoryOperation seen in moment.Replaced)
            {
                earliest = Math.Max(earliest, seen.Begin);
            }

            if (earliest > moment.End)
            {
                return moment.First;
            }

            foreach (HistoryOperation seen in moment.Seen)
            {
                if (earliest > seen.End)
                {
                    return seen;
                }
            }
        }

        return null;
    }

    // The last of them that is not above it; -1: all are.
    private static int VersionAt(ulong[] versions, ulong version)
    {
        int at = Array.BinarySearch(versions, version);
        return at >= 0 ? at : ~at - 1;
    }

    // A get, or a conflict, which says the version in its way.
    private static bool IsSight(HistoryOperation one) =>
        one.Version > 0
        && (one.Answer == HistoryAnswer.Conflict || one is { Kind: HistoryKind.Get, Answer: HistoryAnswer.Done });

    private static bool IsChange(HistoryOperation one) =>
        one is { Answer: HistoryAnswer.Done, Version: > 0, Kind: not HistoryKind.Get };

    private static Moment[] MomentsOf(HistoryOperation[] all)
    {
        SortedDictionary<ulong, Moment> moments = [];
        foreach (HistoryOperation one in all.Where(IsChange))
        {
            if (!moments.TryGetValue(one.Version, out Moment? moment))
            {
                moments.Add(one.Version, moment = new Moment(one));
            }

            moment.Take(one);
        }

        return [.. moments.Values];
    }

    private static ulong VersionOf(HistoryOperation[] all, long batch) =>
        Array.Find(all, o => o.Batch == batch && IsChange(o))?.Version ?? 0;

    private static Dictionary<string, string> SetsOf(IReadOnlyList<HistoryOperation> history)
    {
        Dictionary<string, string> sets = new(StringComparer.Ordinal);
        Dictionary<long, string> first = [];
        foreach (HistoryOperation one in history.Where(static o => o.Batch > 0))
        {
            sets.TryAdd(one.Key, one.Key);
            if (!first.TryAdd(one.Batch, one.Key))
            {
                sets[Root(sets, one.Key)] = Root(sets, first[one.Batch]);
            }
        }

        return sets;
    }

    private static string Root(Dictionary<string, string> sets, string key)
    {
        while (sets[key] is { } parent && parent != key)
        {
            key = parent;
        }

        return key;
    }

    // When a version was made: at once for all keys that have it.
    private sealed class Moment(HistoryOperation first)
    {
        public HistoryOperation First => first;

        public ulong Version => first.Version;

        public long Begin { get; private set; } = first.Begin;

        public long End { get; private set; } = first.End;

        public HashSet<string> Keys { get; } = new(StringComparer.Ordinal);

        // Who saw it, and who saw what it replaced.
        public List<HistoryOperation> Seen { get; } = [];

        public List<HistoryOperation> Replaced { get; } = [];

        public void Take(HistoryOperation one)
        {
            Keys.Add(one.Key);
            (Begin, End) = (Math.Max(Begin, one.Begin), Math.Min(End, one.End));
        }
    }
}
