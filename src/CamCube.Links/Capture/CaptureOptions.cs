namespace CamCube.Capture;

/// <summary>What of the captured links goes into the file.</summary>
public sealed class CaptureOptions
{
    /// <summary>Frames after which nothing more is recorded; <see cref="CaptureFile.CutOffNanos"/> says when that was.
    /// Default a million, about 120 MB of small frames.</summary>
    public long MostFrames { get; init; } = 1_000_000;

    /// <summary>Server time in nanoseconds before which frames are left out. Default 0: none.</summary>
    public long FromNanos { get; init; }

    /// <summary>Unix time of server time 0, in nanoseconds. Default 0, so that time stamps are virtual time itself;
    /// real links give the cluster's epoch.</summary>
    public long EpochUnixNanos { get; init; }
}
