using CamCube.Messaging;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Streams;

/// <summary>What is drawn once for the streams of a run.</summary>
public sealed class StreamSettings
{
    // Of the whole cube, or a run takes too long on this side of virtual time.
    private const double MostBytesPerSecond = 25e6,
        MostStreamsPerSecond = 1_200;

    private static readonly int[] Lengths = [4 << 20, 1 << 20, 100_000, 10_000];

    /// <summary>Settings of a run.</summary>
    public StreamSettings(ulong seed, int servers)
    {
        Seed = seed;
        Random random = SwarmRandom.Of(seed, "stream settings");
        Longest = Lengths[random.Next(Lengths.Length)];
        double mean = Longest / Math.Log(Longest),
            most = Math.Min(MostStreamsPerSecond, MostBytesPerSecond / (2 * mean));
        StreamsPerSecond = most / servers * (0.2 + (0.8 * random.NextDouble()));
        MostOpen = random.Next(4, 40);
        Restarts = random.Next(3) == 0;
        Options = new StreamOptions
        {
            ReceiveMemory = random.Next(2) == 0 ? 32 << 20 : random.Next(100_000, 2_000_000),
            SendMemory = random.Next(2) == 0 ? 32 << 20 : random.Next(100_000, 2_000_000),
            SendLimit = random.Next(3) == 0 ? random.Next(1, 100_000) : 2 << 20,
            FirstCredit = random.Next(3) == 0 ? random.Next(4_096, 100_000) : 64 << 10,
            MostCredit = random.Next(3) == 0 ? random.Next(100_000, 1 << 20) : 1 << 20,
            OpenTime = TimeSpan.FromMilliseconds(random.Next(500, 5_000)),
            SilenceTime = TimeSpan.FromMilliseconds(random.Next(1_000, 5_000)),
            FirstFlight = random.Next(4) == 0 ? random.Next(0, 4_096) : 4_096,
        };
    }

    /// <summary>Seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>Most bytes of one direction of a stream.</summary>
    public int Longest { get; }

    /// <summary>Streams that each server opens, on average.</summary>
    public double StreamsPerSecond { get; }

    /// <summary>Streams that each server has opened at a time, at most.</summary>
    public int MostOpen { get; }

    /// <summary>Whether the service is restarted alone now and then.</summary>
    public bool Restarts { get; }

    /// <summary>Limits of every endpoint.</summary>
    public StreamOptions Options { get; }
}
