using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One command in <see cref="CommandsAnswer"/>.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it does.</param>
/// <param name="Changes">Whether it needs <c>CamCube:AllowControl</c> on a real server.</param>
/// <param name="TakesBody">Whether a body may be sent along.</param>
/// <param name="Arguments">Its arguments.</param>
public sealed record CommandAnswer(
    [property: JsonRequired] string Name,
    string Description,
    bool Changes,
    bool TakesBody,
    IReadOnlyList<CommandArgument> Arguments
);
