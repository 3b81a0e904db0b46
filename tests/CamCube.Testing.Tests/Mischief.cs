namespace CamCube.Testing.Tests;

/// <summary>A service that does what it is told to, whatever it is.</summary>
[CamCubeService(0x7d02, "mischief")]
internal sealed class Mischief(IServer server, Action? onTopologyChanged = null) : CamCubeService
{
    private Packet? _held;

    /// <summary>Does it on the loop.</summary>
    public ValueTask<bool> DoAsync(Func<IServer, Task> act) => Run(act);

    /// <summary>Keeps a packet.</summary>
    public ValueTask<bool> KeepAsync() => ValueTask.FromResult(server.Packets.TryRent(10, out _held));

    public override void OnTopologyChanged(in TopologyChange change) => onTopologyChanged?.Invoke();

    private async ValueTask<bool> Run(Func<IServer, Task> act)
    {
        await act(server);
        return true;
    }
}
