namespace CamCube.Services.Workloads.Load;

/// <summary>A second sender beside DiagnosticsService's load.</summary>
[CamCubeService(0x0104, "second-load")]
public sealed class SecondLoadService(IServer server) : LinkLoadService(server);
