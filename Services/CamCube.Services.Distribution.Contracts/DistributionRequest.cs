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
}
