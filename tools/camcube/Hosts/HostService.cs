namespace CamCube.Tool.Hosts;

/// <summary>One service of a server in the host's status. Servers that were asked through the torus tell no counters
/// and commands.</summary>
internal sealed record HostService(
    string Id,
    string Name,
    string State,
    long Faults,
    long Arrived,
    long Sent,
    HostCounter[]? Counters = null,
    string[]? Commands = null
);
