using CamCube.Runtime;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Cubes;

/// <summary>What a cube is made of.</summary>
/// <param name="Shape">Axis sizes.</param>
/// <param name="Coordinate">Place of the one server of this process; 0,0,0 when it runs the whole cube.</param>
/// <param name="Services">The services of every server.</param>
/// <param name="Options">Settings of every server.</param>
/// <param name="Events">Who hears of faults and changes.</param>
/// <param name="Seed">Seed of all random streams.</param>
/// <param name="Settings">The flat settings below <c>CamCube:{factory name}</c>, keys as in configuration, without
/// case.</param>
public sealed record CubeRequest(
    TorusShape Shape,
    Coordinate Coordinate,
    IReadOnlyList<ServiceDefinition> Services,
    ServerOptions Options,
    IServerEvents Events,
    ulong Seed,
    IReadOnlyDictionary<string, string> Settings);
