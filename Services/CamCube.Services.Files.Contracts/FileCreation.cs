namespace CamCube.Services.Files;

/// <summary>How a file is made. Default: its chunks lie on the servers in turn.</summary>
public readonly record struct FileCreation
{
    /// <summary>What it is, as in <c>text/plain</c>, at most 128 printable ASCII characters; null or empty:
    /// nobody says so.</summary>
    public string? MediaType { get; init; }

    /// <summary>The server at which all its chunks lie; null: on all live servers in turn.</summary>
    public Coordinate? At { get; init; }
}
