namespace CamCube.Histories.Tests;

/// <summary>Another checker, for few operations of several keys, batches among them: tries every order of them, and for
/// a change of which no version is known each that it may have had. Versions of all keys are in one order.</summary>
internal sealed class EveryOrderOfBatches
{
    private readonly HistoryOperation[][] _units;
    private readonly double[] _versions;

    private EveryOrderOfBatches(IReadOnlyList<HistoryOperation> all)
    {
        _units =
        [
            .. all.Select(static (o, i) => (Operation: o, Unit: o.Batch > 0 ? o.Batch : -1 - i))
                .GroupBy(static o => o.Unit)
                .Select(static unit => unit.Select(static o => o.Operation).ToArray()),
        ];
        _versions = [.. all.Select(static o => (double)o.Version).Distinct()];
    }

    public static bool IsLinearizable(IReadOnlyList<HistoryOperation> all) =>
        new EveryOrderOfBatches(all).Try(0, [], 0);

    private bool Try(int taken, Dictionary<string, (string Value, double Version)> state, double floor)
    {
        int[] left = [.. Enumerable.Range(0, _units.Length).Where(i => (taken & (1 << i)) == 0)];
        if (left.All(i => IsOpen(_units[i])))
        {
            return true;
        }

        foreach (int i in left)
        {
            long begin = _units[i][0].Begin;
            bool isFirst = left.All(k => k == i || IsOpen(_units[k]) || _units[k][0].End >= begin);
            if (isFirst && TryOne(taken | (1 << i), _units[i], state, floor))
            {
                return true;
            }
        }

        return false;
    }

    private bool TryOne(
        int taken,
        HistoryOperation[] unit,
        Dictionary<string, (string Value, double Version)> state,
        double floor
    )
    {
        bool isChange = unit.Any(static o => o.Kind != HistoryKind.Get && o.Answer is not HistoryAnswer.Conflict);
        if (!unit.All(o => Fits(o, state)))
        {
            return false;
        }

        if (!isChange)
        {
            return Try(taken, state, floor);
        }

        ulong said = unit.Max(static o => o.Answer == HistoryAnswer.Conflict ? 0 : o.Version);
        IEnumerable<double> own = said > 0 ? [said] : _versions.Append(floor + 0.001);
        foreach (double version in own.Where(v => v > floor))
        {
            Dictionary<string, (string, double)> after = new(state);
            foreach (HistoryOperation one in unit.Where(static o => o.Answer is not HistoryAnswer.Conflict))
            {
                if (one.Kind == HistoryKind.Put)
                {
                    after[one.Key] = (one.Value!, version);
                }
                else
                {
                    after.Remove(one.Key);
                }
            }

            if (Try(taken, after, version))
            {
                return true;
            }
        }

        return false;
    }

    private static bool Fits(HistoryOperation one, Dictionary<string, (string Value, double Version)> state)
    {
        bool isThere = state.TryGetValue(one.Key, out (string Value, double Version) found);
        return (one.Kind, one.Answer) switch
        {
            (HistoryKind.Get, HistoryAnswer.Done) => isThere && found == (one.Value!, one.Version),
            (HistoryKind.Get, _) => !isThere,
            (_, HistoryAnswer.Conflict) => isThere && found.Version == one.Version,
            (HistoryKind.Delete, _) => isThere,
            _ => one.IfVersion is not { } asked || (isThere ? found.Version == asked : asked == 0),
        };
    }

    private static bool IsOpen(HistoryOperation[] unit) => unit[0].Answer == HistoryAnswer.Unknown;
}
