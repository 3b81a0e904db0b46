namespace CamCube.Trees;

/// <summary>Records that a server itself has to give, in the order of their keys; of equal keys always in the same
/// order. They may come from a disk or from another server, so the next one is not always here. Its consumer disposes
/// of it. Loop only.</summary>
public interface IRecordRun : IDisposable
{
    /// <summary>There are no more records, and none will come.</summary>
    bool IsOver { get; }

    /// <summary>Whether the next record is here. False: that was all (<see cref="IsOver"/>), or it is not here yet, and
    /// the consumer is told when it is.</summary>
    /// <param name="key">Its key, valid until <see cref="Take"/>.</param>
    /// <param name="value">Its value, valid until <see cref="Take"/>.</param>
    bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value);

    /// <summary>Goes on to the next.</summary>
    void Take();
}
