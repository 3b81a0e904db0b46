using CamCube.Services.Collectives;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Collectives;

/// <summary>What is drawn once for the groups of a run.</summary>
internal sealed class CollectivesSettings
{
    /// <summary>Settings of a run.</summary>
    public CollectivesSettings(SwarmOptions options)
    {
        Seed = options.Seed;
        Random random = SwarmRandom.Of(options.Seed, "collectives settings");
        Options = new CollectivesOptions
        {
            Groups = 16,
            ShortBytes = random.Next(3) == 0 ? 0 : 4 << 10,
            Window = random.Next(2) == 0 ? 16 << 10 : random.Next(16 << 10, 256 << 10),
            SendMemory = random.Next(2) == 0 ? 32 << 20 : 2 << 20,
            ReceiveMemory = random.Next(2) == 0 ? 32 << 20 : 2 << 20,
            Retry = TimeSpan.FromMilliseconds(random.Next(1, 50)),
            LostTime = TimeSpan.FromMilliseconds(random.Next(200, 2_000)),
        };
        MostGroups = random.Next(1, 3);
        OpenOneInMillis = random.Next(30, 300);
        Operations = random.Next(3, 20);
        AtOnce = random.Next(1, 6);
        bool isPlanted = options.Services.Contains(CollectivesWorkload.ResumesAt);
        BreakOneInMillis =
            isPlanted ? 5
            : random.Next(3) == 0 ? 0
            : random.Next(2, 30);
        Restarts = random.Next(3) == 0;
    }

    /// <summary>Seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>Settings of the service.</summary>
    public CollectivesOptions Options { get; }

    /// <summary>Groups at a time.</summary>
    public int MostGroups { get; }

    /// <summary>One is opened in so many milliseconds, on average.</summary>
    public int OpenOneInMillis { get; }

    /// <summary>Operations of a group.</summary>
    public int Operations { get; }

    /// <summary>Of these at a time.</summary>
    public int AtOnce { get; }

    /// <summary>Edges of a server break off once in so many milliseconds, on average; 0: never.</summary>
    public int BreakOneInMillis { get; }

    /// <summary>Whether the service is restarted alone now and then.</summary>
    public bool Restarts { get; }
}
