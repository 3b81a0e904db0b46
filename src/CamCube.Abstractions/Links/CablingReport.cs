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
}
