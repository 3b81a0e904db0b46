namespace CamCube.Services.KeyValue.Log;

/// <summary>What a <see cref="SegmentCursor"/> has come to.</summary>
internal enum SegmentPlace
{
    /// <summary>A batch that is right.</summary>
    Batch = 0,

    /// <summary>Bytes that were never written there, in a batch or instead of one.</summary>
    Rot = 1,

    /// <summary>Sectors that were never written, with a batch behind them.</summary>
    Missing = 2,

    /// <summary>Sectors that were never written, and nothing but parts of a batch behind them: a power failure came
    /// first.</summary>
    Torn = 3,

    /// <summary>The end of the segment.</summary>
    End = 4,

    /// <summary>Zeros to the end of the file, which were written ahead of batches that did not come.</summary>
    Ahead = 5,
}
