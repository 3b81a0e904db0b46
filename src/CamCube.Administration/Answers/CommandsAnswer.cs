using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The answer of <c>GET …/services/{service}/commands</c>.</summary>
/// <param name="Server">The server.</param>
/// <param name="Service">The service.</param>
/// <param name="Commands">Its commands.</param>
public sealed record CommandsAnswer(
    string Server,
    string Service,
    [property: JsonRequired] IReadOnlyList<CommandAnswer> Commands
);
