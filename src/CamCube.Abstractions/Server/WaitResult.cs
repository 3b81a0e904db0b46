namespace CamCube;

/// <summary>How waiting for replies ended.</summary>
public enum WaitResult : byte
{
    /// <summary>As many replies as asked for are there.</summary>
    Enough = 0,

    /// <summary>The time is over.</summary>
    TimedOut = 1,

    /// <summary>The service is stopping, or nobody wants the replies any more.</summary>
    Stopped = 2,
}
