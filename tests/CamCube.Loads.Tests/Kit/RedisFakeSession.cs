namespace CamCube.Loads.Tests.Kit;

/// <summary>What a <see cref="RedisFake"/> knows of a connection.</summary>
internal sealed class RedisFakeSession
{
    /// <summary>Commands of a transaction; null: there is none.</summary>
    public List<List<string>>? Queue { get; set; }

    /// <summary>It has said the password.</summary>
    public bool IsKnown { get; set; }

    /// <summary>Keys that are watched, and which write each had.</summary>
    public Dictionary<string, long> Watched { get; } = [];
}
