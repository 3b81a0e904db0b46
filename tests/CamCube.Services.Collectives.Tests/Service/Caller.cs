namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>A service that gives functions to operations.</summary>
/// <param name="server">Its server.</param>
[CamCubeService(0x0782, "caller")]
internal sealed class Caller(IServer server) : CamCubeService
{
    public IServer Server => server;
}
