namespace CamCube.Services.Tunnel.Flooding;

/// <summary>What one server counts of broadcasts and multicasts, also read from outside as
/// <c>camcube.tunnel-flood.*</c>. Loop only.</summary>
internal sealed class FloodCounters(IServerCounters counters)
{
    /// <summary>Times that the service began in this run of its server.</summary>
    public Counter Starts { get; } = counters.Create("starts", "{start}");

    /// <summary>Frames of the machine that went to all.</summary>
    public Counter Sent { get; } = counters.Create("sent", "{frame}");

    /// <summary>Frames of others that the tunnel was given for its machine.</summary>
    public Counter Delivered { get; } = counters.Create("delivered", "{frame}");

    /// <summary>Frames of the machine, or of another server, above what is allowed.</summary>
    public Counter Limited { get; } = counters.Create("limited", "{frame}");

    /// <summary>Frames of the machine for which there was no room or no way.</summary>
    public Counter Full { get; } = counters.Create("full", "{frame}");

    /// <summary>Packets that came with a wrong checksum.</summary>
    public Counter Damaged { get; } = counters.Create("damaged", "{packet}");

    /// <summary>Packets that cannot be, or from an address that is not their sender's.</summary>
    public Counter Refused { get; } = counters.Create("refused", "{packet}");

    /// <summary>Packets that had come before.</summary>
    public Counter Repeated { get; } = counters.Create("repeated", "{packet}");

    /// <summary>Packets of an earlier run of their sender.</summary>
    public Counter Stale { get; } = counters.Create("stale", "{packet}");
}
