namespace CamCube.Tool.Hosts;

/// <summary>One counter of a service in the host's status; <paramref name="Link"/> is null if it does not count per
/// link.</summary>
internal sealed record HostCounter(string Name, string? Link, long Value);
