namespace CamCube;

/// <summary>What a server knows of the cabling of its cube. An unchanging snapshot; any thread.</summary>
public sealed record CablingReport
{
    /// <summary>Name of the cube.</summary>
    public required string ClusterId { get; init; }

    /// <summary>The cube as configured.</summary>
    public required TorusShape Shape { get; init; }

    /// <summary>This server's identity for life, as 16 hexadecimal digits.</summary>
    public required string ServerId { get; init; }

    /// <summary>This server's place, once it is known.</summary>
    public required Coordinate? Coordinate { get; init; }

    /// <summary>How far this server is.</summary>
    public CablingPhase Phase { get; init; }

    /// <summary>What it waits for, or why it refuses, in a line; null if nothing is to be said.</summary>
    public string? Waiting { get; init; }

    /// <summary>Largest frame that the cube uses, in bytes with 14 bytes of Ethernet header; 0 while the place is not
    /// known.</summary>
    public int MaxFrameLength { get; init; }

    /// <summary>When the map of the cube was made, in milliseconds since 1970; null without one (fixed
    /// coordinates).</summary>
    public long? MapEpochMillis { get; init; }

    /// <summary>The server that made the map, as 16 hexadecimal digits.</summary>
    public string? MapMaker { get; init; }

    /// <summary>Links of this server that carry packets.</summary>
    public int AdmittedLinks { get; init; }

    /// <summary>Links that this server should have by the shape; before its place is known, links that it has a port
    /// for.</summary>
    public int ExpectedLinks { get; init; }

    /// <summary>Cables of the whole cube that both ends have admitted, as far as this server knows.</summary>
    public int WorkingCables { get; init; }

    /// <summary>Cables of the whole cube by its shape.</summary>
    public int ExpectedCables { get; init; }

    /// <summary>The servers that are known, this one included, in the order of their coordinates, then of their
    /// identities.</summary>
    public IReadOnlyList<CablingServer> Servers { get; init; } = [];

    /// <summary>What is wrong, in the order of the servers.</summary>
    public IReadOnlyList<CablingFault> Faults { get; init; } = [];
}
