namespace CamCube.Tool.Hosts;

/// <summary>The ports of a kind of front end.</summary>
internal sealed record HostPorts(string Name, string Address, int FirstPort, int LastPort);
