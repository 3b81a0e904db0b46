namespace CamCube;

/// <summary>How a command ended.</summary>
public enum CommandStatus
{
    /// <summary>It did what it does.</summary>
    Done = 0,

    /// <summary>The arguments or the body are wrong, or the command said no.</summary>
    Refused = 1,

    /// <summary>There is no such service, or no such command.</summary>
    NotFound = 2,

    /// <summary>The service, or its server, is stopped, or stopped meanwhile.</summary>
    NotRunning = 3,

    /// <summary>It changes something, and the caller may not.</summary>
    NeedsControl = 4,

    /// <summary>It threw.</summary>
    Threw = 5,

    /// <summary>It ended early because its caller had gone.</summary>
    Cancelled = 6,
}
