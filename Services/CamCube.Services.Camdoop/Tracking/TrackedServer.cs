namespace CamCube.Services.Camdoop.Tracking;

/// <summary>A server as a job's tracker sees it. Loop only.</summary>
/// <param name="at">The server.</param>
/// <param name="nowNanos">The time.</param>
internal sealed class TrackedServer(Coordinate at, long nowNanos)
{
    /// <summary>The server.</summary>
    public Coordinate At => at;

    /// <summary>A question to it is open.</summary>
    public bool IsAsked { get; set; }

    /// <summary>It is to be asked now.</summary>
    public bool IsDue { get; set; } = true;

    /// <summary>When it was asked last.</summary>
    public long AskedNanos { get; set; } = long.MinValue / 2;

    /// <summary>When it answered last; before that, when it was first to be asked.</summary>
    public long HeardNanos { get; set; } = nowNanos;

    /// <summary>It has answered since it was last lost.</summary>
    public bool IsKnown { get; set; }

    /// <summary>It can be reached, and has not answered for long.</summary>
    public bool IsSilent { get; set; }

    /// <summary><see cref="Wire.HoldersSum"/> of those that it has said to have.</summary>
    public ulong HoldersSum { get; set; }

    /// <summary>The run of it that was last heard of.</summary>
    public ulong Incarnation { get; set; }
}
