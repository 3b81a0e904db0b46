namespace CamCube.Services.KeyValue.Log;

/// <summary>How far the scrubber is.</summary>
/// <param name="Passes">Passes that it has ended in this run.</param>
/// <param name="BegunNanos">Server time at which the present pass began, perhaps in an earlier run.</param>
/// <param name="Segment">The segment that it looks at.</param>
/// <param name="DoneBytes">Bytes that it has looked at in this run.</param>
internal readonly record struct LogScrubProgress(long Passes, long BegunNanos, uint Segment, long DoneBytes)
{
    /// <summary>What of all bytes lies in segments that were looked at in the present pass, from 0 to 1.</summary>
    public double Share { get; init; }
}
