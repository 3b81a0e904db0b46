namespace CamCube.Hosting.FrontEnds;

/// <summary>The ports of this process.</summary>
/// <param name="FrontEnds">Those of the front ends, in the order of their names.</param>
/// <param name="Http">Those of the HTTP interface.</param>
/// <param name="LocalServers">How many servers the process runs: each has a port of each kind.</param>
internal sealed record HostPorts(IReadOnlyList<PortRange> FrontEnds, PortRange Http, int LocalServers);
