using CamCube.Runtime;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Cubes;

/// <summary>What a cube is made of.</summary>
/// <param name="Shape">Axis sizes.</param>
/// <param name="Coordinate">Place of the one server of this process; null when it runs the whole cube, or when the
/// links find it out.</param>
/// <param name="Services">The services of every server.</param>
/// <param name="Options">Settings of every server.</param>
/// <param name="Events">Who hears of faults and changes.</param>
/// <param name="Seed">Seed of all random streams.</param>
/// <param name="Settings">The flat settings below <c>CamCube:{factory name}</c>, keys as in configuration, without
/// case.</param>
public sealed record CubeRequest(
    TorusShape Shape,
    Coordinate? Coordinate,
    IReadOnlyList<ServiceDefinition> Services,
    ServerOptions Options,
    IServerEvents Events,
    ulong Seed,
    IReadOnlyDictionary<string, string> Settings
)
{
    /// <summary>Name of the cube.</summary>
    public string ClusterId { get; init; } = "camcube";

    /// <summary>Folder for what a real server keeps for life; null: none.</summary>
    public string? StateDirectory { get; init; }

    /// <summary>Whether a real server may be stopped and its cables cut from outside.</summary>
    public bool AllowControl { get; init; }

    /// <summary>Puts something in front of a server's links: of a real one once its rank is known, of a simulated one
    /// when it first starts. On the server's loop. Told the rank and the Unix time of server time 0, in microseconds.
    /// Null: nothing.</summary>
    public Func<int, ulong, LinkDriver, LinkDriver>? Decorate { get; init; }

    /// <summary>Told on the loop of the servers when all of them have done what they do until then, where the process
    /// runs more than one. Null: nobody.</summary>
    public Action? Advanced { get; init; }

    /// <summary>Takes news of a real server's cables. On the server's loop.</summary>
    public Action<LinkNews> News { get; init; } = static _ => { };
}
