using System.Globalization;
using CamCube.Services.Distribution;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Distributions;

/// <summary>What is drawn once for the files of a run.</summary>
internal sealed class DistributionSettings
{
    private const int LongestFile = 300_000;

    /// <summary>Settings of a run.</summary>
    public DistributionSettings(SwarmOptions options)
    {
        Seed = options.Seed;
        Random random = SwarmRandom.Of(options.Seed, "distribution settings");
        Options = new DistributionOptions
        {
            PieceBytes = random.Next(2) == 0 ? 4_096 : random.Next(4_096, 20_000),
            BlockBytes = random.Next(4_096, 10_000),
            Window = random.Next(2, 5),
            Buffers = 1 << 24,
            SendMemory = random.Next(2) == 0 ? 32 << 20 : 2 << 20,
            ReceiveMemory = random.Next(2) == 0 ? 32 << 20 : 2 << 20,
            Retry = TimeSpan.FromMilliseconds(random.Next(1, 50)),
            SyncEvery = TimeSpan.FromMilliseconds(random.Next(10, 500)),
            Jobs = random.Next(1, 6),
            Poll = TimeSpan.FromMilliseconds(random.Next(20, 300)),
            Silence = TimeSpan.FromSeconds(random.Next(1, 5)),
            LostTime = TimeSpan.FromMilliseconds(random.Next(0, 5_000)),
            KeepTime = TimeSpan.FromMilliseconds(random.Next(1_000, 8_000)),
        };
        MostOpen = random.Next(1, 8);
        OpenOneInMillis = random.Next(10, 150);
        Restarts = random.Next(3) == 0;
        ForgerOneIn = 3;
        Forger = random.Next(ForgerOneIn) == 0 ? random.Next(options.ToShape().Count) : -1;
    }

    /// <summary>Seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>Settings of the service.</summary>
    public DistributionOptions Options { get; }

    /// <summary>Jobs at a time.</summary>
    public int MostOpen { get; }

    /// <summary>One is begun in so many milliseconds, on average.</summary>
    public int OpenOneInMillis { get; }

    /// <summary>Whether the service is restarted alone now and then.</summary>
    public bool Restarts { get; }

    /// <summary>A server that forges some of the pieces that it serves; less than 0: none does.</summary>
    public int Forger { get; }

    private int ForgerOneIn { get; }

    /// <summary>The name of a file: all that it holds follows from that.</summary>
    public static string NameOf(int number, Random random)
    {
        int length = random.Next(6) switch
        {
            0 => 0,
            1 => random.Next(1, 5_000),
            2 => 4_096 * random.Next(1, 20),
            _ => random.Next(LongestFile),
        };
        return $"f{number}-{length}";
    }

    /// <summary>What a file holds.</summary>
    public byte[] BytesOf(string name)
    {
        byte[] bytes = new byte[int.Parse(name.AsSpan(name.IndexOf('-') + 1), CultureInfo.InvariantCulture)];
        SwarmRandom.Of(Seed, $"file {name}").NextBytes(bytes);
        return bytes;
    }
}
