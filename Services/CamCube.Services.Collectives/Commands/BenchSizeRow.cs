using CamCube.Services.Collectives.Measuring;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Commands;

/// <summary>What was measured with one size, as JSON has it.</summary>
/// <param name="Bytes">Bytes of the vector.</param>
/// <param name="Count">Its elements.</param>
/// <param name="Seconds">One operation.</param>
/// <param name="AlgorithmBytesPerSecond">Bytes of the vector in that time.</param>
/// <param name="BusBytesPerSecond">The same times what NCCL's tests call it for this operation.</param>
/// <param name="Wrong">Elements that were not what they must be.</param>
internal sealed record BenchSizeRow(
    int Bytes,
    int Count,
    double Seconds,
    double AlgorithmBytesPerSecond,
    double BusBytesPerSecond,
    long Wrong
)
{
    /// <summary>A size.</summary>
    public static BenchSizeRow Of(MeasureTerms terms, MeasuredSize size)
    {
        double seconds = size.Took.TotalSeconds,
            rate = seconds > 0 ? size.Bytes / seconds : 0;
        return new BenchSizeRow(
            size.Bytes,
            size.Bytes / ElementTypes.SizeOf(terms.Type),
            seconds,
            rate,
            rate * MeasuredSizes.BusShareOf(terms.Kind, terms.Members.Length),
            size.Wrong
        );
    }
}
