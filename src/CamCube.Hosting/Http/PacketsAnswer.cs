namespace CamCube.Hosting.Http;

/// <summary>Packets that a server has and may have.</summary>
internal sealed record PacketsAnswer(int InUse, int Budget);
