namespace CamCube.Services.KeyValue.Log;

/// <summary>Where a record lies.</summary>
/// <param name="Segment">The number of its segment.</param>
/// <param name="Offset">Its first byte there, a multiple of 8.</param>
/// <param name="Length">Its bytes, head included.</param>
internal readonly record struct LogLocation(uint Segment, uint Offset, int Length)
{
    /// <summary>Whether it was written before another.</summary>
    public bool IsBefore(in LogLocation other) =>
        Segment < other.Segment || (Segment == other.Segment && Offset < other.Offset);
}
