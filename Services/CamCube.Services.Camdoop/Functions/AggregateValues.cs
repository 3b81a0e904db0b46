using System.Buffers.Text;
using System.Globalization;

namespace CamCube.Services.Camdoop.Functions;

/// <summary>
/// Values of keys that say how they become one. Numbers are decimal text, so that a program reads what has not been
/// combined like what has; of kinds that count different values a value is a list: of each its length, its bytes, and
/// how often it is there, by value. Combining is associative, and of the same values always the same. Any thread.
/// </summary>
internal static class AggregateValues
{
    /// <summary>Bytes of the longest number as text.</summary>
    private const int MostNumber = 32;

    /// <summary>Whether a kind's values are lists.</summary>
    public static bool IsList(AggregateKind kind) =>
        kind is AggregateKind.UniqValueCount or AggregateKind.ValueHistogram;

    /// <summary>Whether a job's keys say how their values become one.</summary>
    public static bool IsOf(JobDescription job) =>
        job.Reduce.Kind == JobFunctionKind.Aggregate || job.Combine is { Kind: JobFunctionKind.Aggregate };

    /// <summary>What is wrong with a pair, in words; null: nothing.</summary>
    public static string? WrongOf(AggregateKind kind, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        bool isRight = kind switch
        {
            AggregateKind.None => false,
            AggregateKind.LongValueSum or AggregateKind.LongValueMax or AggregateKind.LongValueMin => TryRead(
                value,
                out _
            ),
            AggregateKind.DoubleValueSum => double.TryParse(
                value,
                NumberStyles.Float,
                CultureInfo.InvariantCulture,
                out _
            ),
            _ => true,
        };
        return isRight ? null
            : kind == AggregateKind.None
                ? $"a key of aggregate begins with how its values become one, as in LongValueSum:word, not {Shown(key)}"
            : $"a value of {Shown(key)} is no number: {Shown(value)}";
    }

    /// <summary>A list of one value. Returns its length.</summary>
    /// <param name="value">The value.</param>
    /// <param name="to">Room for the value and 10 bytes.</param>
    public static int WriteOne(ReadOnlySpan<byte> value, Span<byte> to) => ValueList.Write(value, 1, to);

    /// <summary>Combines two values.</summary>
    /// <param name="kind">How.</param>
    /// <param name="left">The one.</param>
    /// <param name="right">The other.</param>
    /// <param name="result">Room for the result.</param>
    /// <returns>Bytes of it; less than 0: it has no room, or a value is no number.</returns>
    public static int Combine(
        AggregateKind kind,
        ReadOnlySpan<byte> left,
        ReadOnlySpan<byte> right,
        Span<byte> result
    ) =>
        kind switch
        {
            AggregateKind.LongValueSum or AggregateKind.LongValueMax or AggregateKind.LongValueMin => CombineLongs(
                kind,
                left,
                right,
                result
            ),
            AggregateKind.DoubleValueSum => CombineDoubles(left, right, result),
            AggregateKind.StringValueMax => Copy(left.SequenceCompareTo(right) >= 0 ? left : right, result),
            AggregateKind.StringValueMin => Copy(left.SequenceCompareTo(right) <= 0 ? left : right, result),
            AggregateKind.UniqValueCount or AggregateKind.ValueHistogram => ValueList.Merge(left, right, result),
            _ => -1,
        };

    /// <summary>What a value is as output.</summary>
    public static string Show(AggregateKind kind, ReadOnlySpan<byte> value) =>
        kind switch
        {
            AggregateKind.UniqValueCount => ValueList.CountsOf(value).Count.ToString(CultureInfo.InvariantCulture),
            AggregateKind.ValueHistogram => ShowHistogram(ValueList.CountsOf(value)),
            _ => System.Text.Encoding.UTF8.GetString(value),
        };

    private static int CombineLongs(
        AggregateKind kind,
        ReadOnlySpan<byte> left,
        ReadOnlySpan<byte> right,
        Span<byte> result
    )
    {
        if (!TryRead(left, out long first) || !TryRead(right, out long second))
        {
            return -1;
        }

        // As Java's numbers do, sums go round.
        long value =
            kind == AggregateKind.LongValueSum ? unchecked(first + second)
            : kind == AggregateKind.LongValueMax ? Math.Max(first, second)
            : Math.Min(first, second);
        return Utf8Formatter.TryFormat(value, result, out int written) ? written : -1;
    }

    private static int CombineDoubles(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        Span<byte> text = stackalloc byte[MostNumber];
        return
            double.TryParse(left, NumberStyles.Float, CultureInfo.InvariantCulture, out double first)
            && double.TryParse(right, NumberStyles.Float, CultureInfo.InvariantCulture, out double second)
            && (first + second).TryFormat(text, out int written, "R", CultureInfo.InvariantCulture)
            ? Copy(text[..written], result)
            : -1;
    }

    private static bool TryRead(ReadOnlySpan<byte> text, out long value)
    {
        text = text.Trim((byte)' ');
        return Utf8Parser.TryParse(text, out value, out int read) && read == text.Length;
    }

    private static int Copy(ReadOnlySpan<byte> from, Span<byte> to)
    {
        if (from.Length > to.Length)
        {
            return -1;
        }

        from.CopyTo(to);
        return from.Length;
    }

    private static string Shown(ReadOnlySpan<byte> text) =>
        System.Text.Encoding.UTF8.GetString(text[..Math.Min(text.Length, 60)]);

    private static string ShowHistogram(List<long> counts)
    {
        counts.Sort();
        double mean = counts.Average(static c => (double)c);
        double spread = Math.Sqrt(counts.Average(c => (c - mean) * (c - mean)));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{counts.Count}\t{counts[0]}\t{counts[counts.Count / 2]}\t{counts[^1]}\t{mean}\t{spread}"
        );
    }
}
