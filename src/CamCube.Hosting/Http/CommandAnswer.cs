namespace CamCube.Hosting.Http;

/// <summary>One command in <see cref="CommandsAnswer"/>.</summary>
internal sealed record CommandAnswer(
    string Name,
    string Description,
    bool Changes,
    bool TakesBody,
    IReadOnlyList<CommandArgument> Arguments
)
{
    /// <summary>A command in the form of the answers.</summary>
    public static CommandAnswer Of(ServiceCommand command) =>
        new(command.Name, command.Description, command.Changes, command.TakesBody, command.Arguments);
}
