namespace CamCube.Services.KeyValue.Log;

/// <summary>A place of a log that is not as it was written.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Segment">The segment; for a missing one, the next that is there.</param>
/// <param name="Offset">The batch, or the place where one should begin.</param>
internal readonly record struct LogDamage(LogDamageKind Kind, uint Segment, long Offset)
{
    /// <summary>Where it ends; 0 where batches are missing between two that are right.</summary>
    public long End { get; init; }

    /// <summary>A sum of what is there, if the head of the batch is right; else 0. Damage that was known at an earlier
    /// start has the same.</summary>
    public uint Sum { get; init; }

    /// <summary>In words, as "rot in segment 2 at 512".</summary>
    public override string ToString() =>
        Kind == LogDamageKind.Lost ? $"the file '{SegmentFormat.StoreName}' is lost"
        : Kind == LogDamageKind.Pending ? "an earlier start found damage and was broken off"
        : Kind == LogDamageKind.Rot ? $"rot in segment {Segment} at {Offset}"
        : End == 0 ? $"writes are missing before segment {Segment} at {Offset}"
        : $"a write is missing in segment {Segment} at {Offset}";
}
