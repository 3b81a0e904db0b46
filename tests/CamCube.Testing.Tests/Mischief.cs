namespace CamCube.Testing.Tests;

/// <summary>A service that does what it is told to, whatever it is.</summary>
[CamCubeService(0x7d02, "mischief")]
internal sealed class Mischief(IServer server, Action? onTopologyChanged = null) : CamCubeService, IServiceCommands
{
    private Packet? _held;

    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<NoArguments, CommandResult>(
                "say",
                "Says no.",
                (_, _) => new(CommandResult.Refused("no"))
            ),
            ServiceCommand.Of<NoArguments, CommandResult>(
                "throw",
                "Throws.",
                (_, _) => throw new FormatException("oh")
            ),
            ServiceCommand.Of<NoArguments, CommandResult>("wait", "Waits.", async (_, _) => await WaitAsync()),
        ];

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

    private async ValueTask<CommandResult> WaitAsync()
    {
        await server.DelayAsync(TimeSpan.FromSeconds(100));
        return CommandResult.Refused("late");
    }

    private sealed record NoArguments;
}
