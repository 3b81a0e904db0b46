namespace CamCube.Histories.Checking;

/// <summary>
/// Batches whose end nobody knows, and of which somebody read a value: all of it was done, for it is done as a whole.
/// </summary>
/// <remarks>By the same reason as for one put alone (<see cref="SeenChanges"/>): it was before the end of each read
/// that saw a part of it, and the version that the read said is that of all its changes.</remarks>
internal static class SeenBatches
{
    /// <summary>The same operations, those of such a batch as done.</summary>
    public static HistoryOperation[] Of(IEnumerable<HistoryOperation> all)
    {
        HistoryOperation[] operations = [.. all];
        Dictionary<(string Key, string Value), int> puts = [];
        Dictionary<(string Key, string Value), HistoryOperation> firstReads = [];
        foreach (HistoryOperation one in operations)
        {
            if (one is { Kind: HistoryKind.Put, Value: { } put })
            {
                puts[(one.Key, put)] = puts.GetValueOrDefault((one.Key, put)) + 1;
            }
            else if (one is { Kind: HistoryKind.Get, Answer: HistoryAnswer.Done, Value: { } read, Version: > 0 })
            {
                (string, string) what = (one.Key, read);
                bool isFirst = !firstReads.TryGetValue(what, out HistoryOperation? other) || one.End < other.End;
                firstReads[what] = isFirst ? one : other!;
            }
        }

        Dictionary<long, (long End, ulong Version)> seen = [];
        foreach (HistoryOperation one in operations.Where(IsOpen))
        {
            bool isSeen = puts.GetValueOrDefault((one.Key, one.Value ?? "")) == 1;
            if (isSeen && firstReads.TryGetValue((one.Key, one.Value!), out HistoryOperation? read))
            {
                bool isFirst =
                    !seen.TryGetValue(one.Batch, out (long End, ulong Version) other) || read.End < other.End;
                seen[one.Batch] = isFirst ? (read.End, read.Version) : other;
            }
        }

        for (int i = 0; i < operations.Length; i++)
        {
            HistoryOperation one = operations[i];
            if (IsOpen(one) && seen.TryGetValue(one.Batch, out (long End, ulong Version) by))
            {
                operations[i] = one with
                {
                    Answer = HistoryAnswer.Done,
                    Version = by.Version,
                    End = Math.Max(one.Begin, by.End),
                };
            }
        }

        return operations;
    }

    private static bool IsOpen(HistoryOperation one) => one is { Batch: > 0, Answer: HistoryAnswer.Unknown };
}
