namespace CamCube.Hosting.Http;

/// <summary>The answer of <c>GET …/services/{service}/commands</c>.</summary>
internal sealed record CommandsAnswer(string Server, string Service, IReadOnlyList<CommandAnswer> Commands);
