namespace CamCube.Services.Diagnostics;

/// <summary>What a server did with a trace.</summary>
internal enum TraceVerdict : byte
{
    /// <summary>Sent it on, by the first free one of the links.</summary>
    Forwarded = 0,

    /// <summary>It has arrived.</summary>
    Arrived = 1,

    /// <summary>The server knows no way to the destination.</summary>
    NoRoute = 2,

    /// <summary>It would have sent it on, but the trace was to go no farther.</summary>
    Ended = 3,
}
