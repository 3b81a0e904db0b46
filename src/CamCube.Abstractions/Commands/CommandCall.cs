namespace CamCube;

/// <summary>Somebody wants a command of a service run (<see cref="IServerGate.RunCommandAsync"/>).</summary>
/// <param name="Service">Configured name of the service.</param>
/// <param name="Command">Name of the command.</param>
public sealed record CommandCall(string Service, string Command)
{
    /// <summary>Names and texts of the arguments as they were given; a name that was given twice is there
    /// twice.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Arguments { get; init; } = [];

    /// <summary>What was sent with it. The caller leaves it alone until the command has ended.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>What the body is, as in <c>application/json</c>; null if nobody said.</summary>
    public string? ContentType { get; init; }

    /// <summary>Whether the caller may run commands that change something.</summary>
    public bool MayChange { get; init; } = true;

    /// <summary>A call with these arguments.</summary>
    public static CommandCall Of(
        string service,
        string command,
        params ReadOnlySpan<(string Name, string Text)> arguments
    )
    {
        var list = new List<KeyValuePair<string, string>>(arguments.Length);
        foreach ((string name, string text) in arguments)
        {
            list.Add(new(name, text));
        }

        return new CommandCall(service, command) { Arguments = list };
    }
}
