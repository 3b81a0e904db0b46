namespace CamCube.Hosting.Http;

/// <summary>The ports of a kind of front end.</summary>
internal sealed record PortsAnswer(string Name, string Address, int FirstPort, int LastPort);
