namespace CamCube.Histories.Tests;

/// <summary>Another checker, for few operations of one key: tries every order, whatever else it costs, and for a change
/// of which no version is known each that it may have had.</summary>
internal static class EveryOrder
{
    public static bool IsLinearizable(IReadOnlyList<HistoryOperation> all)
    {
        double[] versions =
        [
            .. all.SelectMany(o => new[] { (double)o.Version, (double)o.Kept, (double)(o.IfVersion ?? 0) }).Distinct(),
        ];
        return Try(all, versions, 0, null, 0, 0);
    }

    // What is left has to come after what was taken.
    private static bool Try(
        IReadOnlyList<HistoryOperation> all,
        double[] versions,
        int taken,
        string? value,
        double version,
        double floor
    )
    {
        bool isDone = true;
        for (int i = 0; i < all.Count; i++)
        {
            isDone &= (taken & (1 << i)) != 0 || all[i].Answer == HistoryAnswer.Unknown;
        }

        if (isDone)
        {
            return true;
        }

        for (int i = 0; i < all.Count; i++)
        {
            bool isFirst = (taken & (1 << i)) == 0;
            for (int k = 0; isFirst && k < all.Count; k++)
            {
                bool isBefore = k != i && (taken & (1 << k)) == 0 && all[k].Answer != HistoryAnswer.Unknown;
                isFirst = !isBefore || all[k].End >= all[i].Begin;
            }

            if (isFirst && TryOne(all, versions, taken | (1 << i), all[i], value, version, floor))
            {
                return true;
            }
        }

        return false;
    }

    private static bool TryOne(
        IReadOnlyList<HistoryOperation> all,
        double[] versions,
        int taken,
        HistoryOperation one,
        string? value,
        double version,
        double floor
    )
    {
        if (one.Kind == HistoryKind.Loss)
        {
            bool isBehind = one.Version == 0 || one.Version > floor;
            return isBehind && Try(all, versions, taken, one.Value, one.Kept, Math.Max(floor, one.Version));
        }

        bool isThere = value is not null,
            isMet =
                (isThere || !one.IfPresent)
                && (one.IfValue is null || one.IfValue == value)
                && (one.IfVersion is not { } asked || (isThere ? version == asked : asked == 0)),
            isSaid = one.Version == 0 || one.Version == version;
        bool isChange = one.Kind != HistoryKind.Get,
            canChange = isChange && isMet && (one.Kind != HistoryKind.Delete || isThere);
        bool isSame = one.Answer switch
        {
            HistoryAnswer.Done => !isChange && value == one.Value && isSaid,
            HistoryAnswer.NotFound => !isThere,
            HistoryAnswer.Conflict => isChange && !isMet && (isThere ? isSaid : one.Version == 0),
            _ => true,
        };
        if (isSame && Try(all, versions, taken, value, version, floor))
        {
            return true;
        }

        if (!canChange || one.Answer is not (HistoryAnswer.Done or HistoryAnswer.Unknown))
        {
            return false;
        }

        string? sum = one.Kind == HistoryKind.Add ? $"{long.Parse(value ?? "0") + one.By}" : null;
        if (one is { Kind: HistoryKind.Add, Answer: HistoryAnswer.Done } && one.Value != sum)
        {
            return false;
        }

        IEnumerable<double> own = one.Version > 0 ? [one.Version] : versions.Append(floor + 0.001);
        foreach (double other in own.Where(v => v > floor))
        {
            string? after = one.Kind == HistoryKind.Put ? one.Value : sum;
            if (Try(all, versions, taken, after, other, other))
            {
                return true;
            }
        }

        return false;
    }
}
