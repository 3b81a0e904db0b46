using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>What a server has after a reload.</summary>
/// <param name="Rank">Its rank.</param>
/// <param name="Server">Its coordinate.</param>
/// <param name="Code"><c>new</c>, <c>old</c>; <c>stopped</c>: the server is, and starts with the new;
/// <c>unknown</c>.</param>
/// <param name="Version">Version of the assembly that it has.</param>
/// <param name="Hash">First digits of its SHA-256.</param>
public sealed record ReloadedServerAnswer(
    [property: JsonRequired] int Rank,
    [property: JsonRequired] string Server,
    [property: JsonRequired] string Code,
    string Version,
    string Hash
);
