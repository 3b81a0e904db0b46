namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Another service that gives functions to operations.</summary>
/// <param name="server">Its server.</param>
[CamCubeService(0x0783, "bystander")]
internal sealed class Bystander(IServer server) : CamCubeService
{
    public IServer Server => server;
}
