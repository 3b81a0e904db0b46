using System.ComponentModel.DataAnnotations;
using System.Net;

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

    /// <summary>Place of this server, for shims that move frames of one server per process. Without it the place is
    /// found by the cabling, if the shim can; the simulator does not read it.</summary>
    public Coordinate? Coordinate { get; set; }

    /// <summary>Name of the cube, 1 to 64 characters. Default camcube. Servers on real cables do not talk to those of
    /// another one.</summary>
    public string ClusterId { get; set; } = "camcube";

    /// <summary>Folder for what a real server keeps for life: its identity, its place, and the number of its last run.
    /// No default; needed where the place is found by the cabling. Two servers must not share it.</summary>
    public string? StateDirectory { get; set; }

    /// <summary>Local address of the front ends that have none of their own. 127.0.0.1 for a simulated cube; no default
    /// for a real server, so that nobody opens one to the world by accident.</summary>
    public IPAddress? FrontEndAddress { get; set; }

    /// <summary>Whether a real server may be stopped, and its cables cut, over HTTP. Default false. A simulated cube
    /// always may.</summary>
    public bool AllowControl { get; set; }

    /// <summary>Fault rules on the links of this process, as in <c>loss probability=0.2 at=self:+x; delay time=1ms</c>
    /// (docs/faults.md). None by default. On a real server only with <see cref="AllowControl"/>. They are for tests: a
    /// cube with one loses packets, or is slow.</summary>
    public string? Faults { get; set; }

    /// <summary>What is recorded of the cables.</summary>
    [Required]
    public LinkCaptureOptions Capture { get; set; } = new();

    /// <summary>The watch on the servers' loops.</summary>
    [Required]
    public WatchOptions Watch { get; set; } = new();

    /// <summary>The reload of services.</summary>
    [Required]
    public ReloadOptions Reload { get; set; } = new();

    /// <summary>Seed of all random streams. Default 1. Streams of a known seed can be foretold: nothing secret comes
    /// from them.</summary>
    public ulong Seed { get; set; } = 1;

    /// <summary>The HTTP ports.</summary>
    [Required]
    public HttpOptions Http { get; set; } = new();
}
