namespace CamCube.Services.Collectives.Groups;

/// <summary>Where an operation's bytes are on an edge.</summary>
/// <param name="Start">Where its head begins, or would.</param>
/// <param name="Head">Bytes of its head.</param>
/// <param name="From">Where its stripe begins in the vector.</param>
/// <param name="Length">Bytes of the stripe that go along the edge.</param>
internal readonly record struct OperationPlace(long Start, int Head, int From, int Length)
{
    /// <summary>Where its stripe begins on the edge.</summary>
    public long Data => Start + Head;

    /// <summary>Where it ends.</summary>
    public long End => Data + Length;
}
