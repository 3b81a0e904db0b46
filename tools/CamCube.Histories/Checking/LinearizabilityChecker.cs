namespace CamCube.Histories.Checking;

/// <summary>Whether histories are linearizable, key by key, and batches of several keys as wholes.</summary>
public static class LinearizabilityChecker
{
    /// <summary>Steps of the search, for each key.</summary>
    public const long DefaultMostSteps = 100_000_000;

    /// <summary>Checks all keys, until one is not linearizable.</summary>
    /// <param name="history">Operations in any order.</param>
    /// <param name="mostSteps">Steps for a key, after which it is not decided.</param>
    public static HistoryVerdict Check(IReadOnlyList<HistoryOperation> history, long mostSteps = DefaultMostSteps)
    {
        long steps = 0;
        string? undecided = null;
        HistoryOperation[] all = SeenBatches.Of(history.Where(static o => o.Answer != HistoryAnswer.Unavailable));
        foreach (IGrouping<string, HistoryOperation> key in all.GroupBy(o => o.Key, StringComparer.Ordinal))
        {
            var check = new KeyCheck([.. key], mostSteps);
            check.Run();
            steps += check.Steps;
            if (check.IsLinearizable == false)
            {
                return new HistoryVerdict(false, history.Count, steps)
                {
                    Key = key.Key,
                    Unexplained = check.Unexplained,
                    Beside = check.Beside,
                };
            }

            undecided ??= check.IsLinearizable is null ? key.Key : null;
        }

        if (BatchCheck.Find(all) is { } torn)
        {
            return new HistoryVerdict(false, history.Count, steps) { Key = torn.Key, Unexplained = torn };
        }

        return new HistoryVerdict(undecided is null ? true : null, history.Count, steps) { Key = undecided };
    }
}
