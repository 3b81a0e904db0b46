namespace CamCube.Chaos.Settings;

/// <summary>What a run of jobs under faults is to be like.</summary>
public sealed record JobChaosOptions
{
    /// <summary>Name of the testbed.</summary>
    public required string Name { get; init; }

    /// <summary>The host's program.</summary>
    public required string Program { get; init; }

    /// <summary>The cube, as in 3x3x3.</summary>
    public string Shape { get; init; } = "3x3x3";

    /// <summary>Jobs, each with a fault in it.</summary>
    public int Jobs { get; init; } = 50;

    /// <summary>How long a job may take.</summary>
    public TimeSpan JobTime { get; init; } = TimeSpan.FromMinutes(3);

    /// <summary>How long servers may take to settle after one.</summary>
    public TimeSpan SettleTime { get; init; } = TimeSpan.FromMinutes(3);

    /// <summary>What faults and input are drawn from.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Bytes of input of each server that has some.</summary>
    public int FileBytes { get; init; } = 200_000;

    /// <summary>Bytes of each server's disk.</summary>
    public long DiskBytes { get; init; } = 256 << 20;

    /// <summary>Further settings of every server.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];
}
