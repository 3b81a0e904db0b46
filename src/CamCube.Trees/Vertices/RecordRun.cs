namespace CamCube.Trees;

/// <summary>Records of one input that go on together.</summary>
/// <param name="records">The records, whole.</param>
/// <param name="lastKey">The key of the last one.</param>
/// <param name="taken">How many of that key are taken with them.</param>
internal readonly ref struct RecordRun(ReadOnlySpan<byte> records, ReadOnlySpan<byte> lastKey, long taken)
{
    /// <summary>The records, whole; empty: none.</summary>
    public ReadOnlySpan<byte> Records { get; } = records;

    /// <summary>The key of the last one.</summary>
    public ReadOnlySpan<byte> LastKey { get; } = lastKey;

    /// <summary>How many of that key are taken with them.</summary>
    public long Taken { get; } = taken;
}
