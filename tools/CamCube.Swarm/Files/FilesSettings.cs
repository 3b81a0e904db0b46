using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Files;

/// <summary>What the clients of one run do: drawn from its seed.</summary>
internal sealed class FilesSettings
{
    private readonly int _names;
    private readonly int _directories;

    public FilesSettings(SwarmOptions options)
    {
        Random random = SwarmRandom.Of(options.Seed, "files settings");
        Store = new KeyValueOptions
        {
            Silence = options.DetectionTime * (random.Next(3) == 0 ? 0.5 : 1),
            Timeout = options.DetectionTime * random.Next(3, 16),
        };
        Store.SlowAfter = Store.Silence * random.Next(2, 6);
        Store.ReplicateAfter = Store.Silence * (random.Next(3) == 0 ? 1_000 : random.Next(3, 20));
        Files = new FilesOptions
        {
            // Shorter than may be set, so that short files have several.
            ChunkBytes = random.Next(500, 9_000),
            OrphanAge = TimeSpan.FromSeconds(random.Next(2, 6)),
            SweepEvery = TimeSpan.FromMilliseconds(random.Next(100, 900)),
        };
        Clients = random.Next(3, 10);
        _names = random.Next(1, 6);
        _directories = random.Next(1, 4);
        PauseMillis = random.Next(1, 30);
        DirectoriesOfTen = random.Next(1, 7);
    }

    public KeyValueOptions Store { get; }

    public FilesOptions Files { get; }

    /// <summary>Clients.</summary>
    public int Clients { get; }

    /// <summary>Between two operations of a client, on average.</summary>
    public int PauseMillis { get; }

    /// <summary>How many of ten operations are about directories.</summary>
    public int DirectoriesOfTen { get; }

    /// <summary>How long an operation may go on: it asks the key-value store again and again while others are in its
    /// way.</summary>
    public long MostNanos => (long)((60 * Store.Timeout) + TimeSpan.FromSeconds(8)).TotalNanoseconds;

    /// <summary>How long after the last fault all must be as it should be.</summary>
    public long RecoveryNanos =>
        (long)
            (
                (20 * Store.Silence)
                + (2 * Store.SlowAfter)
                + (8 * Store.Timeout)
                + (3 * Files.OrphanAge)
                + TimeSpan.FromSeconds(5)
            ).TotalNanoseconds;

    /// <summary>All files that there may be.</summary>
    public IEnumerable<string> Paths =>
        from directory in Directories
        from name in Enumerable.Range(0, _names)
        select $"{directory}/f{name}";

    /// <summary>All directories that there may be: some lie in others, some have braces.</summary>
    public IEnumerable<string> Directories =>
        Enumerable.Range(0, _directories).SelectMany(static i => (string[])[$"/d{i}", $"/d{i}/{{e}}%7D"]);

    /// <summary>Bytes of a file.</summary>
    public int DrawLength(Random random) =>
        random.Next(8) switch
        {
            0 => 0,
            < 6 => random.Next(1, 3_000),
            _ => random.Next(1, 3 * Files.ChunkBytes),
        };
}
