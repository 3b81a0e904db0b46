using System.ComponentModel.DataAnnotations;

namespace CamCube.Hosting.Settings;

/// <summary>Settings of the host (<c>CamCube</c>) besides those of its servers, which are
/// <see cref="CamCube.Runtime.ServerOptions"/>. Read once at start.</summary>
internal sealed class CamCubeOptions
{
    /// <summary>Name of the section.</summary>
    public const string Section = "CamCube";

    /// <summary>Axis sizes. Default 3x3x3. All servers of a cube must be told the same.</summary>
    public TorusShape Shape { get; set; } = new(3, 3, 3);

    /// <summary>Name of what moves the frames. Default Simulator: the whole cube in this process.</summary>
    public string Shim { get; set; } = "Simulator";

    /// <summary>Whether an axis of size 2 has two cables between its two servers. Default true. All servers of a cube
    /// must be told the same: with different answers they expect each other's frames on different links.</summary>
    public bool ParallelCables { get; set; } = true;

    /// <summary>Place of this server, for shims that move frames of one server per process. No default there; the
    /// simulator does not read it.</summary>
    public Coordinate? Coordinate { get; set; }

    /// <summary>Seed of all random streams. Default 1. Streams of a known seed can be foretold: nothing secret comes
    /// from them.</summary>
    public ulong Seed { get; set; } = 1;

    /// <summary>The HTTP ports.</summary>
    [Required]
    public HttpOptions Http { get; set; } = new();
}
