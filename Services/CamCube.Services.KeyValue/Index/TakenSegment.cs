namespace CamCube.Services.KeyValue.Index;

/// <summary>What a snapshot has of the keys whose last change lies in a segment.</summary>
/// <param name="number">The segment.</param>
internal sealed class TakenSegment(uint number)
{
    public uint Number => number;

    /// <summary>Bytes of their records.</summary>
    public long Bytes { get; set; }

    /// <summary>Where the last of these records ends.</summary>
    public long End { get; set; }
}
