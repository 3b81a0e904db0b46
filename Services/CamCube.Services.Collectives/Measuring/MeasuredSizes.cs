using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Measuring;

/// <summary>Which sizes are measured: twice as many bytes each time, in whole elements, and in equal parts for all
/// members where the operation wants that. The same at all members.</summary>
internal static class MeasuredSizes
{
    /// <summary>What is wrong with terms, in words; null: nothing.</summary>
    public static string? WrongOf(MeasureTerms terms, int most) =>
        !Enum.IsDefined(terms.Kind) ? $"there is no operation {terms.Kind}"
        : FoldKernels.Of(terms.Type, terms.Operator) is null ? $"there is no {terms.Operator} of {terms.Type}"
        : terms.Rounds is < 1 or > MeasureTerms.MostRounds
            ? $"rounds are 1 to {MeasureTerms.MostRounds:N0}, and not {terms.Rounds:N0}"
        : terms.LeastBytes < 1 || terms.MostBytes < terms.LeastBytes
            ? $"{terms.LeastBytes:N0} to {terms.MostBytes:N0} bytes are no sizes"
        : BytesOf(terms) > most
            ? $"{BytesOf(terms):N0} bytes are more than {most:N0} (CamCube:Services:collectives:MostMeasured)"
        : null;

    /// <summary>The sizes in bytes, each once.</summary>
    public static IReadOnlyList<int> Of(MeasureTerms terms)
    {
        List<int> sizes = [];
        for (long bytes = terms.LeastBytes; bytes <= terms.MostBytes && HasSizes(terms); bytes *= 2)
        {
            int whole = (int)WholeOf(terms, bytes);
            if (sizes.Count == 0 || sizes[^1] != whole)
            {
                sizes.Add(whole);
            }
        }

        return sizes.Count > 0 ? sizes : [0];
    }

    /// <summary>Bytes of the longest.</summary>
    public static long BytesOf(MeasureTerms terms) => HasSizes(terms) ? WholeOf(terms, terms.MostBytes) : 0;

    /// <summary>Bytes that went over the busiest part of any network at least, as a part of those of the vector: what
    /// times can be compared by, whatever the operation and the number of members.</summary>
    public static double BusShareOf(OperationKind kind, int members) =>
        kind switch
        {
            OperationKind.AllReduce => 2.0 * (members - 1) / members,
            OperationKind.ReduceScatter or OperationKind.AllGather => (members - 1.0) / members,
            _ => 1,
        };

    private static bool HasSizes(MeasureTerms terms) => terms.Kind != OperationKind.Barrier;

    private static long WholeOf(MeasureTerms terms, long bytes)
    {
        bool hasParts = terms.Kind is OperationKind.ReduceScatter or OperationKind.AllGather;
        long unit = (long)ElementTypes.SizeOf(terms.Type) * (hasParts ? terms.Members.Length : 1);
        return Math.Max(unit, bytes / unit * unit);
    }
}
