namespace CamCube.Chaos.Settings;

/// <summary>What a run is to be like.</summary>
public sealed record ChaosOptions
{
    /// <summary>Name of the testbed.</summary>
    public required string Name { get; init; }

    /// <summary>The host's program.</summary>
    public required string Program { get; init; }

    /// <summary>The cube, as in 3x3x3.</summary>
    public string Shape { get; init; } = "3x3x3";

    /// <summary>How long there are faults.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>How long servers may take to settle afterwards.</summary>
    public TimeSpan SettleTime { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Mean time from one fault to the next.</summary>
    public TimeSpan Pace { get; init; } = TimeSpan.FromSeconds(6);

    /// <summary>What faults and clients are drawn from.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Clients that ask at once.</summary>
    public int Clients { get; init; } = 32;

    /// <summary>Keys that they share.</summary>
    public int Keys { get; init; } = 200;

    /// <summary>Clients speak Redis' protocol, with all that a recording asks in it; else HTTP.</summary>
    public bool IsRedis { get; init; }

    /// <summary>Longest pause of a client between two operations.</summary>
    public TimeSpan Pause { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Bytes of each server's disk.</summary>
    public long DiskBytes { get; init; } = 256 << 20;

    /// <summary>Most servers that are off or stand still at once.</summary>
    public int MostDown { get; init; } = 3;

    /// <summary>Further settings of every server.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    /// <summary>The file that gets the history, an operation in JSON on each line.</summary>
    public required string HistoryFile { get; init; }
}
