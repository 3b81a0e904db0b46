namespace CamCube.Tool.Dev;

/// <summary>What <c>camcube dev</c> was told.</summary>
/// <param name="Project">Full path of the project.</param>
internal sealed record DevOptions(string Project)
{
    /// <summary>The service that is meant, if the project has several.</summary>
    public string? Service { get; init; }

    /// <summary>Axis sizes.</summary>
    public required TorusShape Shape { get; init; }

    /// <summary>First port, or null for the host's own.</summary>
    public int? Port { get; init; }

    /// <summary>Full path of a settings file, or null.</summary>
    public string? Settings { get; init; }

    /// <summary>Configuration of the build.</summary>
    public required string Configuration { get; init; }

    /// <summary>Longest time of a build.</summary>
    public required TimeSpan BuildTimeout { get; init; }

    /// <summary>Further settings of the host.</summary>
    public IReadOnlyList<string> Further { get; init; } = [];

    /// <summary>Where the command line finds its host if it is not told.</summary>
    public required Uri UsualHost { get; init; }
}
