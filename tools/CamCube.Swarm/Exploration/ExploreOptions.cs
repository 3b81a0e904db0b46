namespace CamCube.Swarm.Exploration;

/// <summary>What is explored: three servers and a stand-in, and how often what may happen.</summary>
public sealed record ExploreOptions
{
    /// <summary>The most states to visit.</summary>
    public int States { get; init; } = 1_000_000;

    /// <summary>Where it begins.</summary>
    public ExploreStart Start { get; init; } = ExploreStart.Born;

    /// <summary>Writes, 0 to 2: proposed by any leader that does not have them, so also again.</summary>
    public int Writes { get; init; } = 2;

    /// <summary>Reads, 0 or 1.</summary>
    public int Reads { get; init; } = 1;

    /// <summary>Whether the read gives its leader a lease, 0 or 1. With 1 a leader may offer its place once, and what a
    /// majority has is applied.</summary>
    public int Leases { get; init; }

    /// <summary>Crashes with a start at once: what is not synced is lost.</summary>
    public int Crashes { get; init; } = 1;

    /// <summary>Disks that are replaced by blank ones, 0 or 1.</summary>
    public int Replacements { get; init; }

    /// <summary>Times that two of the three stores are lost for good and given up by hand, 0 or 1; one of them comes
    /// back.</summary>
    public int Recoveries { get; init; }

    /// <summary>Changes of members that are proposed.</summary>
    public int Changes { get; init; } = 1;

    /// <summary>Members that are marked away or back.</summary>
    public int Marks { get; init; }

    /// <summary>Elections in an epoch.</summary>
    public int Terms { get; init; } = 2;

    /// <summary>Syncs that do not end before the next thing happens to the server.</summary>
    public int SlowSyncs { get; init; } = 1;

    /// <summary>Beats of leaders: what says to others how far the log is committed and applied.</summary>
    public int Beats { get; init; } = 1;

    /// <summary>Births that are tried, and refused, each.</summary>
    public int Births { get; init; } = 2;

    /// <summary>The error that is planted.</summary>
    public PlantedError Planted { get; init; }
}
