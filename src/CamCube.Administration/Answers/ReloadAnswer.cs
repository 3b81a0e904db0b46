using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>What came of the reload of a service, on the servers of one host.</summary>
/// <param name="Service">The service.</param>
/// <param name="Version">Version of the new assembly.</param>
/// <param name="Hash">First digits of its SHA-256.</param>
/// <param name="Servers">Which server has which.</param>
public sealed record ReloadAnswer(
    [property: JsonRequired] string Service,
    [property: JsonRequired] string Version,
    [property: JsonRequired] string Hash,
    [property: JsonRequired] IReadOnlyList<ReloadedServerAnswer> Servers
)
{
    /// <summary>Other services of the same assembly, which were reloaded with it.</summary>
    public IReadOnlyList<string>? Also { get; init; }

    /// <summary>Why the reload ended before its last server, or where the new code has thrown by its end; nothing if
    /// nothing went wrong.</summary>
    public string? Problem { get; init; }

    /// <summary>What else there is to know.</summary>
    public IReadOnlyList<string>? Notes { get; init; }
}
