namespace CamCube.Services.Distribution;

/// <summary>What is to be sent to whom.</summary>
/// <param name="File">The file, among those that the service has on this server's disk.</param>
public sealed record DistributionRequest(string File)
{
    /// <summary>Its name at the members. Null: as here.</summary>
    public string? As { get; init; }

    /// <summary>Who is to have it. Empty: all servers of the cube.</summary>
    public IReadOnlyList<Coordinate> To { get; init; } = [];

    /// <summary>A file that has the name already is replaced, in one step. Otherwise its server refuses the new
    /// one.</summary>
    public bool Replaces { get; init; }

    /// <summary>Most weight.</summary>
    public const int MostWeight = 1_000;

    /// <summary>How it shares links with other jobs, 1 to <see cref="MostWeight"/>: by their weights.</summary>
    public int Weight { get; init; } = 1;

    /// <summary>Most bytes of the file per second and member, from 1. Null: as many as the links carry.</summary>
    public long? Limit { get; init; }

    /// <summary>Which trees it goes along.</summary>
    public DistributionTrees Trees { get; init; }

    /// <summary>Most trees of parity.</summary>
    public const int MostCode = 2;

    /// <summary>Most trees of parity of so many trees: two others at least carry the file.</summary>
    public static int MostCodeOf(int trees) => Math.Clamp(trees - 2, 0, MostCode);

    /// <summary>How many of the trees carry parity, 0 to <see cref="MostCodeOf"/>, and at least two others the file:
    /// who has lost so many of its links to them has the file in time and is sent nothing twice. It costs their part of
    /// the rate. Default 0.</summary>
    public int Code { get; init; }
}
