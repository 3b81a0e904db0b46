using System.Text.Json.Serialization;

namespace CamCube.Testbed;

/// <summary>What <c>testbed up</c> was asked for. Written into the state file, so that a server can be started again
/// like the first time.
/// </summary>
public sealed record TestbedPlan
{
    /// <summary>Most servers of a testbed; each is a process of about 100 MB.</summary>
    public const int MostServers = 512;

    /// <summary>Name of the testbed, and what its namespaces begin with.</summary>
    public required string Name { get; init; }

    /// <summary>Axis sizes, as in 3x3x3.</summary>
    public required string Shape { get; init; }

    /// <summary>Whether an axis of size 2 has two cables.</summary>
    public required bool ParallelCables { get; init; }

    /// <summary>Largest IP packet of an interface in bytes; a frame has 14 more.</summary>
    public required int Mtu { get; init; }

    /// <summary>Bits per second of each link, or 0: as fast as the machine is.</summary>
    public required long RateBitsPerSecond { get; init; }

    /// <summary>Bytes that a link lets through at once after a pause, more than its longest frame: a shaper throws
    /// longer ones away. At high rates it is more: a hundredth of a second.</summary>
    public int BurstBytes { get; init; } = 64 << 10;

    /// <summary>Bytes of the file system of its own that each server's state folder is (in memory), so that one can be
    /// full while others are not; 0: they share that of /run.</summary>
    public long DiskBytes { get; init; }

    /// <summary>ethernet, udp or switch.</summary>
    public required string Shim { get; init; }

    /// <summary>Whether servers have a port of a bridge each instead of cables: it is what they would have at a
    /// switch.</summary>
    [JsonIgnore]
    public bool IsSwitched => Shim == "switch";

    /// <summary>Cables, or ports of the bridge.</summary>
    [JsonIgnore]
    public int Cables => IsSwitched ? Torus().Count : TestbedCable.Of(Torus()).Count;

    /// <summary>Whether servers are told their places instead of finding them from the cabling.</summary>
    public required bool FixedPlaces { get; init; }

    /// <summary>Whether every server has the tunnel: a network card in its namespace, by which programs use the
    /// cube.</summary>
    public bool Tunnel { get; init; }

    /// <summary>Silence after which a neighbour is suspected, as the host reads it.</summary>
    public required string Detection { get; init; }

    /// <summary>The host's program: a .dll, or something executable.</summary>
    public required string Program { get; init; }

    /// <summary>Further settings of every server, KEY=VALUE; they win.</summary>
    public required IReadOnlyList<string> Settings { get; init; }

    /// <summary>Further environment variables of every server, NAME=VALUE; they win.</summary>
    public IReadOnlyList<string> Environment { get; init; } = [];

    /// <summary>The shape as a value.</summary>
    public TorusShape Torus()
    {
        if (TorusShape.TryParse(Shape, out TorusShape shape) is { } fault)
        {
            throw new TestbedException($"shape {Shape}: {fault}.");
        }

        return shape with
        {
            ParallelCables = ParallelCables,
        };
    }

    /// <summary>The namespace of a server.</summary>
    public string NamespaceOf(Coordinate at) => $"{Name}-{at.X}-{at.Y}-{at.Z}";
}
