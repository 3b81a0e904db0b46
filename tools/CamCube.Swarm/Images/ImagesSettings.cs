using CamCube.Services.Cache;
using CamCube.Services.Images;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Images;

/// <summary>What the clients of one run do: drawn from its seed.</summary>
internal sealed class ImagesSettings
{
    // Also such as lie in pieces, and such as take a worker for a while.
    private const int LongestPicture = 150_000;
    private static readonly string[][] Variants =
    [
        ["thumb=160x160"],
        ["thumb=160x160", "wide=320x200,cover,70"],
        ["a=10x10", "b=20x20", "c=30x30,95"],
    ];

    private readonly int _names;

    public ImagesSettings(SwarmOptions options)
    {
        Random random = SwarmRandom.Of(options.Seed, "images settings");
        Store = new KeyValueOptions
        {
            Silence = options.DetectionTime * (random.Next(3) == 0 ? 0.5 : 1),
            Timeout = options.DetectionTime * random.Next(3, 16),
        };
        Store.SlowAfter = Store.Silence * random.Next(2, 6);
        Store.ReplicateAfter = Store.Silence * (random.Next(3) == 0 ? 1_000 : random.Next(3, 20));
        Cache = new CacheOptions
        {
            TakeoverDelay = options.DetectionTime / 2,
            Timeout = options.DetectionTime * 0.75,
            // Variants are lost all the time in some runs.
            MemoryLimit = random.Next(3) == 0 ? 2 << 20 : 4 << 20,
            MaxValueLength = 64 << 10,
        };
        Images = new ImagesOptions
        {
            Variants = Variants[random.Next(Variants.Length)],
            MostBytes = 1 << 20,
            Timeout = Store.Timeout * 3 + TimeSpan.FromSeconds(1),
            Silence = options.DetectionTime * random.Next(1, 3),
            Jobs = random.Next(3) == 0 ? 2 : 64,
        };
        // A picture that hangs its worker, and one that waited for it, end before the bound of what may be left.
        Images.WorkerTime = Images.Timeout / 2;
        Processes = random.Next(1, 4);
        Clients = random.Next(2, 9);
        Crowd = random.Next(3) == 0 ? random.Next(2, 7) : 0;
        _names = random.Next(2, 24);
        PauseMillis = random.Next(1, 40);
        ChangesOfTen = random.Next(2, 7);
    }

    public KeyValueOptions Store { get; }

    public CacheOptions Cache { get; }

    public ImagesOptions Images { get; }

    /// <summary>Workers of each server.</summary>
    public int Processes { get; }

    /// <summary>Clients that use all names.</summary>
    public int Clients { get; }

    /// <summary>Clients that all use one name.</summary>
    public int Crowd { get; }

    /// <summary>Between two operations of a client, on average.</summary>
    public int PauseMillis { get; }

    /// <summary>How many of ten operations change something.</summary>
    public int ChangesOfTen { get; }

    /// <summary>How long one attempt of an operation may go on, with the looks of the key-value store before and
    /// behind it.</summary>
    public long MostNanos =>
        (long)
            (
                (2 * Images.Timeout) + (4 * Store.Timeout) + (10 * Images.Silence) + TimeSpan.FromSeconds(2)
            ).TotalNanoseconds;

    /// <summary>How long after the last fault all must be as it should be.</summary>
    public long RecoveryNanos =>
        (long)
            (
                (20 * Store.Silence) + (2 * Store.SlowAfter) + (2 * Images.Timeout) + TimeSpan.FromSeconds(3)
            ).TotalNanoseconds;

    /// <summary>All names. Some have a tag, some are of all letters.</summary>
    public IEnumerable<string> Names => Enumerable.Range(0, _names).Select(NameOf);

    /// <summary>A name that everybody uses.</summary>
    public static string HotName => NameOf(0);

    /// <summary>A name of a client: half of all are the hot one.</summary>
    public string DrawName(Random random) => random.Next(3) == 0 ? HotName : NameOf(random.Next(_names));

    /// <summary>Bytes of a picture.</summary>
    public static int DrawLength(Random random) =>
        random.Next(10) switch
        {
            < 7 => random.Next(100, 3_000),
            < 9 => random.Next(100, 30_000),
            _ => random.Next(100, LongestPicture),
        };

    private static string NameOf(int number) =>
        (number % 5) switch
        {
            2 => $"{{album {number % 2}}} {number}.jpg",
            3 => $"höhe %2f {number}",
            _ => $"picture-{number}.jpg",
        };
}
