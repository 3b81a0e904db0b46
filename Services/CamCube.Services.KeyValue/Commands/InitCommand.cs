namespace CamCube.Services.KeyValue.Commands;

/// <summary>The command init: the first start without servers that do not exist.</summary>
internal static class InitCommand
{
    /// <summary>Makes it.</summary>
    /// <param name="server">The server.</param>
    /// <param name="begin">Begins the first start without some servers; says why not.</param>
    public static ServiceCommand Of(IServer server, Func<IReadOnlyCollection<Coordinate>, string?> begin) =>
        ServiceCommand.Of<InitArguments, CommandResult>(
            "init",
            "The first start of the store is without some servers, which do not exist.",
            (arguments, _) => new ValueTask<CommandResult>(Begin(server, begin, arguments.Without)),
            changes: true
        );

    private static CommandResult Begin(
        IServer server,
        Func<IReadOnlyCollection<Coordinate>, string?> begin,
        string without
    ) =>
        (ServerNames.Read(server, without, "without", out HashSet<Coordinate> missing) ?? begin(missing)) is { } wrong
            ? CommandResult.Refused(wrong.EndsWith('.') ? wrong : $"{wrong}.")
            : CommandResult.Done;
}
