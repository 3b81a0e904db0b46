namespace CamCube.Services.Workloads.Load;

/// <summary>A third sender beside DiagnosticsService's load.</summary>
[CamCubeService(0x0105, "third-load")]
public sealed class ThirdLoadService(IServer server) : LinkLoadService(server);
