namespace CamCube;

/// <summary>How work off the loop ended.</summary>
public enum OffloadStatus
{
    /// <summary>It returned.</summary>
    Done = 0,

    /// <summary>The deadline passed; it may have run, run still, or never run.</summary>
    TimedOut = 1,

    /// <summary>The instance has ended; it may have run, run still, or never run.</summary>
    Stopped = 2,

    /// <summary>Too much of this class waits on this server already (<c>CamCube:Work</c>): back-pressure. It was not
    /// begun.</summary>
    Busy = 3,

    /// <summary>It threw.</summary>
    Failed = 4,
}
