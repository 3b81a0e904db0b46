namespace CamCube;

/// <summary>
/// A service that an operator can ask things: the host offers its commands under
/// <c>POST /api/servers/{rank}/services/{service}/{command}</c>, the command line through them. Loop only.
/// </summary>
public interface IServiceCommands
{
    /// <summary>The commands, with a line of help each.</summary>
    IReadOnlyList<ServiceCommand> Commands { get; }

    /// <summary>Runs one. What is wrong with the arguments is said in the result; an exception is a fault of the service.</summary>
    ValueTask<CommandResult> RunCommandAsync(string command, IReadOnlyDictionary<string, string> arguments);
}
