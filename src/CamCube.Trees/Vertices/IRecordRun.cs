namespace CamCube.Trees;

/// <summary>Records that a server itself has to give, in the order of their keys; of equal keys always in the same
/// order. Loop only.</summary>
public interface IRecordRun
{
    /// <summary>Whether there is a record. False: that was all.</summary>
    /// <param name="key">Its key, valid until <see cref="Take"/>.</param>
    /// <param name="value">Its value, valid until <see cref="Take"/>.</param>
    bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value);

    /// <summary>Goes on to the next.</summary>
    void Take();
}
