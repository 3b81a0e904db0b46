namespace CamCube.Histories.Checking;

/// <summary>Whether histories are linearizable, key by key.</summary>
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
        foreach (
            IGrouping<string, HistoryOperation> key in history
                .Where(o => o.Answer != HistoryAnswer.Unavailable)
                .GroupBy(o => o.Key, StringComparer.Ordinal)
        )
        {
            HistoryOperation[] all = [.. key];
            KeyCheck check = CheckKey(all, mostSteps);
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

        return new HistoryVerdict(undecided is null ? true : null, history.Count, steps) { Key = undecided };
    }

    private static KeyCheck CheckKey(HistoryOperation[] all, long mostSteps)
    {
        // Of what is counted nothing can be left out: the next sum is another by it.
        bool isCounted = all.Any(static o => o.Kind == HistoryKind.Add);
        var values = all.Where(o => o.Kind == HistoryKind.Get && o.Value is not null).Select(o => o.Value!).ToHashSet();
        HistoryOperation[] seen =
        [
            .. all.Where(o =>
                o.Answer != HistoryAnswer.Unknown
                || (isCounted && o.Kind != HistoryKind.Get)
                || (o.Kind == HistoryKind.Put && values.Contains(o.Value!))
            ),
        ];
        var first = new KeyCheck(seen, mostSteps);
        first.Run();
        if (
            first.IsLinearizable == true
            || all.All(o => o.Answer != HistoryAnswer.Unknown || o.Kind == HistoryKind.Get)
        )
        {
            return first;
        }

        // A get whose answer nobody knows explains nothing.
        var second = new KeyCheck(
            [.. all.Where(o => o.Answer != HistoryAnswer.Unknown || o.Kind != HistoryKind.Get)],
            mostSteps
        );
        second.Run();
        return second;
    }
}
