namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of a cube.</summary>
/// <param name="Shape">Axis sizes.</param>
/// <param name="Shim">Name of the shim.</param>
/// <param name="Servers">The servers of this process, by rank.</param>
/// <param name="Cables">The cables at those servers, each once.</param>
public sealed record CubeStatus(
    TorusShape Shape,
    string Shim,
    IReadOnlyList<ServerStatus> Servers,
    IReadOnlyList<CableStatus> Cables
);
