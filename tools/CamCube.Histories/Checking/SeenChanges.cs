namespace CamCube.Histories.Checking;

/// <summary>
/// What is left of a history to be put in order, once all is used that it says by itself.
/// </summary>
/// <remarks>
/// Of a get whose answer nobody knows nothing needs an explanation, and it changes nothing: it is left out. A put whose
/// end nobody knows, and whose value only this one puts, was done if somebody read that value, or replaced it and was
/// told so: it was before the end of each of these, and its version is the one that the reads say. So it becomes one
/// that was done, which ends with the first of them. No order is lost by that, for in each that explains them the put
/// is in front of them, and has that version; and none is gained, for such a put is done as it asked in both. Of a key
/// that is counted values are sums, which several changes may have led to: there nothing is said by one.
/// </remarks>
internal static class SeenChanges
{
    /// <summary>The operations that need an order, each beside the one that it was.</summary>
    /// <param name="all">All of a key, but those that were not done.</param>
    public static List<(HistoryOperation Operation, HistoryOperation Original)> Of(HistoryOperation[] all)
    {
        bool isCounted = all.Any(static o => o.Kind == HistoryKind.Add);
        Dictionary<string, HistoryOperation> firstReads = new(StringComparer.Ordinal);
        Dictionary<string, int> puts = new(StringComparer.Ordinal);
        foreach (HistoryOperation one in all)
        {
            if (SeenBy(one) is { } read)
            {
                bool isFirst = !firstReads.TryGetValue(read, out HistoryOperation? other) || one.End < other.End;
                firstReads[read] = isFirst ? one : other!;
            }

            if (one is { Kind: HistoryKind.Put, Value: { } put })
            {
                puts[put] = puts.GetValueOrDefault(put) + 1;
            }
        }

        List<(HistoryOperation Operation, HistoryOperation Original)> left = [];
        foreach (HistoryOperation one in all)
        {
            bool isOpen = one.Answer == HistoryAnswer.Unknown;
            if (isOpen && one.Kind == HistoryKind.Get)
            {
                continue;
            }

            bool isSeen =
                isOpen
                && !isCounted
                && one is { Kind: HistoryKind.Put, Value: not null }
                && puts[one.Value!] == 1
                && firstReads.ContainsKey(one.Value!);
            left.Add((isSeen ? Done(one, firstReads[one.Value!]) : one, one));
        }

        return left;
    }

    private static string? SeenBy(HistoryOperation one) =>
        one.Answer != HistoryAnswer.Done ? null
        : one.Kind == HistoryKind.Get ? one.Value
        : one.IfValue;

    private static HistoryOperation Done(HistoryOperation put, HistoryOperation read) =>
        put with
        {
            Answer = HistoryAnswer.Done,
            End = Math.Max(put.Begin, read.End),
            Version =
                put.Version > 0 ? put.Version
                : read.Kind == HistoryKind.Get ? read.Version
                : 0,
        };
}
