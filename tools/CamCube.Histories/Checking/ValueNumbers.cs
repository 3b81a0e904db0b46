using System.Globalization;

namespace CamCube.Histories.Checking;

/// <summary>Values as a <see cref="KeyState"/> has them.</summary>
internal static class ValueNumbers
{
    private const long NoValue = long.MinValue + 1;
    private const long Unseen = long.MinValue + 2;

    /// <summary>Of a key that is counted the numbers that they are; of others a number for each that is put, one and
    /// the same for all that nobody read or asked for. Beside each the value that it asks for.</summary>
    public static (long[] Values, long[] Asked) Of(HistoryOperation[] operations)
    {
        if (operations.Any(static o => o.Kind == HistoryKind.Add))
        {
            return (
                [.. operations.Select(static o => Read(o.Value))],
                [.. operations.Select(static o => Read(o.IfValue))]
            );
        }

        var read = operations.Where(o => o.Kind == HistoryKind.Get).Select(o => o.Value ?? "").ToHashSet();
        read.UnionWith(operations.Select(static o => o.IfValue ?? ""));
        Dictionary<string, long> numbers = new(StringComparer.Ordinal);
        foreach (HistoryOperation operation in operations.Where(o => o.Kind == HistoryKind.Put))
        {
            numbers.TryAdd(operation.Value!, read.Contains(operation.Value!) ? numbers.Count : Unseen);
        }

        return (
            [.. operations.Select(o => numbers.GetValueOrDefault(o.Value ?? "", NoValue))],
            [.. operations.Select(o => numbers.GetValueOrDefault(o.IfValue ?? "", NoValue))]
        );
    }

    private static long Read(string? value) =>
        long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number)
            ? number
            : NoValue;
}
