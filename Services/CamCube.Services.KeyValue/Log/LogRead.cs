namespace CamCube.Services.KeyValue.Log;

/// <summary>A record that was read; its parts lie in the caller's buffer.</summary>
/// <param name="Status">Done; Failed: the disk failed; NotFound: no such segment; Stopped.</param>
/// <param name="IsRotten">It was read, and is not as it was written. Nothing else is set.</param>
/// <param name="Record">Its head.</param>
/// <param name="Key">The key.</param>
/// <param name="Extra">The extra bytes.</param>
/// <param name="Value">The value.</param>
internal readonly record struct LogRead(
    DiskStatus Status,
    bool IsRotten,
    LogRecord Record,
    ReadOnlyMemory<byte> Key,
    ReadOnlyMemory<byte> Extra,
    ReadOnlyMemory<byte> Value
)
{
    /// <summary>The sum of the value (<see cref="PieceList.SumOf"/>), of a record that was read as a piece.</summary>
    public uint ValueSum { get; init; }
}
