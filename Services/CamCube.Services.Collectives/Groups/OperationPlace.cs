namespace CamCube.Services.Collectives.Groups;

/// <summary>Where an operation's bytes are on an edge.</summary>
/// <param name="Start">Where its head begins, or would.</param>
/// <param name="Head">Bytes of its head.</param>
/// <param name="From">Where its stripe begins in the vector.</param>
/// <param name="Length">Bytes of the stripe that go along the edge.</param>
/// <param name="Tail">Bytes behind them that say that all below have theirs: the head once more.</param>
internal readonly record struct OperationPlace(long Start, int Head, int From, int Length, int Tail = 0)
{
    /// <summary>Where its stripe begins on the edge.</summary>
    public long Data => Start + Head;

    /// <summary>Where its stripe ends.</summary>
    public long DataEnd => Data + Length;

    /// <summary>Where it ends.</summary>
    public long End => DataEnd + Tail;
}
