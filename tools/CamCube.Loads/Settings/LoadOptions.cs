using CamCube.Loads.Choosing;
using CamCube.Loads.Resp;

namespace CamCube.Loads.Settings;

/// <summary>How much of what is asked.</summary>
public sealed record LoadOptions
{
    /// <summary>What is asked of which records.</summary>
    public required Workload Workload { get; init; }

    /// <summary>Records, from 1.</summary>
    public long Records { get; init; } = 10_000;

    /// <summary>Bytes of a value, from 1.</summary>
    public int ValueLength { get; init; } = 1_000;

    /// <summary>Operations after which the run ends; 0: it does not.</summary>
    public long Operations { get; init; }

    /// <summary>Time after which the run ends.</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Connections, over all endpoints in turn.</summary>
    public int Connections { get; init; } = 50;

    /// <summary>Operations on their way at a time on each connection.</summary>
    public int Pipeline { get; init; } = 1;

    /// <summary>Threads that share the connections, of Redis only.</summary>
    public int Loops { get; init; } = 1;

    /// <summary>Operations that begin in each second, whether or not others have ended; 0: each when one before it has
    /// ended.</summary>
    public double Rate { get; init; }

    /// <summary>How long an answer is waited for.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Of all that is random.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>What all keys begin with.</summary>
    public string Prefix { get; init; } = "ycsb:";

    /// <summary>Who clients are, of Redis only; null: they do not say it.</summary>
    public RespLogin? Login { get; init; }

    /// <summary>The table: SELECT of Redis.</summary>
    public int Table { get; init; }
}
