namespace CamCube.Simulator.Disks;

/// <summary>What becomes of one operation, by all rules that fit it.</summary>
internal struct DiskDecision
{
    /// <summary>It ends as Failed.</summary>
    public bool Fails;

    /// <summary>A bit of what it reads has turned over.</summary>
    public bool Flips;

    /// <summary>It ends as Done without having been made.</summary>
    public bool Lies;

    /// <summary>A bit of what is safe turns over, whatever the operation does.</summary>
    public bool Rots;

    /// <summary>What it writes goes elsewhere.</summary>
    public bool Misplaces;

    /// <summary>It never ends.</summary>
    public bool Sticks;

    /// <summary>It takes longer.</summary>
    public long ExtraNanos;
}
