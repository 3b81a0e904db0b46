namespace CamCube.TestServices;

/// <summary>A service that calls another by its contract.</summary>
[CamCubeService(0x7102, "asker")]
public sealed class AskerService(IServer server, AskerOptions options, Dependency<IEcho> echo) : CamCubeService
{
    /// <summary>Its settings.</summary>
    public AskerOptions Options { get; } = options;

    private readonly Counter _heard = server.Counters.Create("heard", "{character}");

    /// <inheritdoc/>
    public override void OnStart() => server.Loop.Post(_ => _heard.Set(echo.Value.Echo("hello").Length), null);
}
