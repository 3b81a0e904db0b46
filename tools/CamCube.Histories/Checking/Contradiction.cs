namespace CamCube.Histories.Checking;

/// <summary>
/// The smallest part that was found of a history that is not linearizable, and is none either. Only what cannot make a
/// good history bad is left out: all that begins after a moment, with the ends behind it, and reads.
/// </summary>
public static class Contradiction
{
    // Each is a search of its own; most are short. Those that are not must not add up.
    private const int MostTries = 400;
    private const long MostSteps = 2_000_000;
    private const long MostStepsInAll = 60_000_000;

    /// <summary>Finds it.</summary>
    /// <param name="history">All operations.</param>
    /// <param name="verdict">What was found of them: that they are not.</param>
    /// <returns>Operations by their beginning.</returns>
    public static IReadOnlyList<HistoryOperation> Of(IReadOnlyList<HistoryOperation> history, HistoryVerdict verdict)
    {
        long steps = 0;
        HistoryOperation[] all = [.. history.Where(static o => o.Answer != HistoryAnswer.Unavailable)];
        HistoryOperation[] alone = [.. all.Where(o => o.Key == verdict.Key)];
        HistoryOperation[] left = [.. (IsBad(alone) ? alone : all).OrderBy(static o => o.Begin)];

        // The earliest moment at which it was wrong already: what is wrong stays so.
        long[] ends = [.. left.Where(IsKnown).Select(static o => o.End).Distinct().Order()];
        int low = 0,
            high = ends.Length - 1;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = IsBad(Until(left, ends[middle])) ? (low, middle) : (middle + 1, high);
        }

        HistoryOperation[] earliest = ends.Length > 0 ? Until(left, ends[high]) : left;
        left = IsBad(earliest) ? earliest : left;
        int tries = 0;
        for (int size = Math.Max(1, left.Length / 2); size >= 1 && MayTry(); size /= 2)
        {
            for (int i = left.Length - size; i >= 0 && MayTry(); i -= size, tries++)
            {
                // What changed something, or may have, is needed to understand the rest.
                HistoryOperation[] less = [.. left.Where((o, at) => at < i || at >= i + size || !IsRead(o))];
                left = less.Length < left.Length && IsBad(less) ? less : left;
                i = Math.Min(i, left.Length);
            }
        }

        return left;

        bool MayTry() => tries < MostTries && steps < MostStepsInAll;

        bool IsBad(HistoryOperation[] some)
        {
            HistoryVerdict found = LinearizabilityChecker.Check(some, MostSteps);
            steps += found.Steps;
            return found.IsLinearizable == false;
        }
    }

    private static bool IsKnown(HistoryOperation one) => one.Answer != HistoryAnswer.Unknown;

    private static bool IsRead(HistoryOperation one) =>
        one.Kind == HistoryKind.Get || one.Answer is HistoryAnswer.NotFound or HistoryAnswer.Conflict;

    private static HistoryOperation[] Until(HistoryOperation[] all, long end) =>
        [
            .. all.Where(o => o.Begin <= end)
                .Select(o =>
                    IsKnown(o) && o.End > end && o.Kind != HistoryKind.Loss
                        ? o with
                        {
                            Answer = HistoryAnswer.Unknown,
                            Version = 0,
                        }
                        : o
                )
                // Of a read nobody knows anything then.
                .Where(static o => IsKnown(o) || o.Kind != HistoryKind.Get),
        ];
}
