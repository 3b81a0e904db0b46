namespace CamCube.Tool.Hosts;

/// <summary>Packets that a server has and may have.</summary>
internal sealed record HostPackets(int InUse, int Budget);
