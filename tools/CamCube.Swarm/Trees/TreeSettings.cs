using CamCube.Messaging;
using CamCube.Simulator.Swarm;
using CamCube.Trees;

namespace CamCube.Swarm.Trees;

/// <summary>What is drawn once for the trees of a run.</summary>
public sealed class TreeSettings
{
    // Of all servers in one tree; and bytes, or a job takes longer than anybody waits with the smallest windows.
    private const int RecordsOfAll = 4_000,
        BytesOfAll = 800_000;

    /// <summary>Settings of a run.</summary>
    public TreeSettings(ulong seed, TorusShape shape)
    {
        (Seed, Shape) = (seed, shape);
        Random random = SwarmRandom.Of(seed, "tree settings");
        MostRecord = random.Next(3) switch
        {
            0 => random.Next(60, 200),
            1 => random.Next(200, 2_000),
            _ => random.Next(2_000, 8_192),
        };
        MostRecords = Math.Max(2, random.Next(Math.Min(RecordsOfAll, BytesOfAll / MostRecord)) / shape.Count);
        MostOpen = random.Next(2, 12);
        OpenOneInMillis = random.Next(5, 100);
        Restarts = random.Next(3) == 0;
        LeastCredit = random.Next(2) == 0 ? 4_096 : 0;
        Options = new PullOptions
        {
            FirstRetry = TimeSpan.FromMilliseconds(random.Next(1, 100)),
            MostRetry = TimeSpan.FromMilliseconds(random.Next(100, 1_000)),
            Streams = new StreamOptions
            {
                ReceiveMemory = random.Next(2) == 0 ? 32 << 20 : random.Next(1_000_000, 4_000_000),
                SendMemory = random.Next(2) == 0 ? 32 << 20 : random.Next(1_000_000, 4_000_000),
                SendLimit = random.Next(4) == 0 ? 1 << 20 : random.Next(500, 10_000),
                FirstCredit = random.Next(3) == 0 ? random.Next(4_096, 100_000) : 4_096,
                MostCredit = random.Next(3) == 0 ? random.Next(100_000, 1 << 20) : 4_096,
                OpenTime = TimeSpan.FromMilliseconds(random.Next(500, 3_000)),
                SilenceTime = TimeSpan.FromMilliseconds(random.Next(1_000, 3_000)),
                FirstFlight = random.Next(4) == 0 ? random.Next(0, 4_096) : 4_096,
            },
        };
    }

    /// <summary>Seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>Bytes of the longest record.</summary>
    public int MostRecord { get; }

    /// <summary>Records of one server in one tree, at most.</summary>
    public int MostRecords { get; }

    /// <summary>Pulls at a time.</summary>
    public int MostOpen { get; }

    /// <summary>One is opened in so many milliseconds, on average.</summary>
    public int OpenOneInMillis { get; }

    /// <summary>Whether the service is restarted alone now and then.</summary>
    public bool Restarts { get; }

    /// <summary>What is set apart for each pull.</summary>
    public int LeastCredit { get; }

    /// <summary>Limits of every endpoint.</summary>
    public PullOptions Options { get; }
}
