namespace CamCube;

/// <summary>Size and manners of a service's default queue (HPDC §3.3). Configured under
/// <c>CamCube:Services:{name}:Queue</c>.</summary>
public sealed class QueueOptions
{
    /// <summary>Packets the queue holds, for all links together. Larger: longer waits; smaller: drops in bursts.
    /// Default 1,024.</summary>
    public int LimitPackets { get; set; } = 1_024;

    /// <summary>Which packet goes when the queue is full. Default: the new one.</summary>
    public DropPolicy Drop { get; set; } = DropPolicy.Newest;

    /// <summary>Share in bytes against the other services on a link, 1 to 1,000. Default 1.</summary>
    public int Weight { get; set; } = 1;

    /// <summary>Priority class: a lower class is served strictly first. 0 is for core services, services have 1 to 7.
    /// Default 1. A busy class starves those above it.</summary>
    public int Priority { get; set; } = 1;
}
