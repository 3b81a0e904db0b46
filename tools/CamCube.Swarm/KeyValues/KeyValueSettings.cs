using System.Globalization;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>What the clients of one run do: drawn from its seed.</summary>
internal sealed class KeyValueSettings
{
    private const int HotKeys = 2;

    // A long value now and then: it may go over the slowest link that there is.
    private static readonly int[] LongestValues = [1 << 10, 64 << 10, 64 << 10, 1 << 20];
    private static readonly int[] Copies = [1, 3, 3, 5, 5];
    private readonly int _keys;

    public KeyValueSettings(SwarmOptions options)
    {
        Random random = SwarmRandom.Of(options.Seed, "kv settings");
        Store = new KeyValueOptions
        {
            // As in production, in proportion to the detection time.
            Silence = options.DetectionTime * (random.Next(3) == 0 ? 0.5 : 1),
            Timeout = options.DetectionTime * random.Next(3, 16),
            MaxValueLength = LongestValues[random.Next(LongestValues.Length)],
        };
        Store.SlowAfter = Store.Silence * random.Next(2, 6);
        Store.ReplicateAfter = Store.Silence * (random.Next(3) == 0 ? 1_000 : random.Next(3, 20));
        Clients = random.Next(2, 9);
        Crowd = random.Next(3) == 0 ? random.Next(4, 13) : 0;
        _keys = random.Next(5, 61);
        PauseMillis = random.Next(1, 12);
        ChangesOfTen = random.Next(3, 8);
        HasPowerFailures = random.Next(2) == 0 && options.Has(FaultKind.Crash);
        SyncDelay = TimeSpan.FromMicroseconds(random.Next(3) == 0 ? random.Next(500, 10_000) : 0);
        if (options.Services.Contains(KeyValueWorkload.Disks) && random.Next(3) > 0)
        {
            // As small as they can be with these values.
            (Store.SegmentBytes, Store.TailBytes) = (64 << 10, 4 << 10);
        }

        // Often, so that many starts are from one.
        Store.SnapshotAfter = 16 << SwarmRandom.Of(options.Seed, "kv snapshots").Next(8);

        LosesStores = options.Services.Any(static s =>
            s is KeyValueWorkload.Lost or KeyValueWorkload.LetIn or KeyValueWorkload.Half
        );

        // From a stream of their own: what other runs draw stays what it is.
        Random modes = SwarmRandom.Of(options.Seed, "kv modes");
        if (options.Services.Contains(KeyValueWorkload.Modes))
        {
            Store.Replicas = Copies[modes.Next(Copies.Length)];
            string reads = modes.Next(3) > 0 ? "lease" : "majority",
                acknowledge = modes.Next(2) == 0 ? "all" : "majority";
            IsInMemory = modes.Next(3) == 0;
            string storage = IsInMemory ? "memory" : "disk";
            Store.Mode = $"reads={reads},acknowledge={acknowledge},storage={storage}";
        }
        else if (options.Services.Contains(KeyValueWorkload.SameMemory))
        {
            (Store.Mode, IsInMemory) = ("storage=memory", true);
        }
        else if (options.Services.Contains(KeyValueWorkload.ClockFirst))
        {
            Store.Mode = "reads=lease";
        }
    }

    /// <summary>Settings of the store.</summary>
    public KeyValueOptions Store { get; }

    /// <summary>Whether stores are gone for good now and then, more than a group bears.</summary>
    public bool LosesStores { get; }

    /// <summary>Keys are in memory.</summary>
    public bool IsInMemory { get; }

    /// <summary>Clients that use all keys.</summary>
    public int Clients { get; }

    /// <summary>Clients that all use one key.</summary>
    public int Crowd { get; }

    /// <summary>Between two operations of a client, on average.</summary>
    public int PauseMillis { get; }

    /// <summary>How many of ten operations change something.</summary>
    public int ChangesOfTen { get; }

    /// <summary>Whether all servers of a group lose their power at once now and then.</summary>
    public bool HasPowerFailures { get; }

    /// <summary>How much longer disks take.</summary>
    public TimeSpan SyncDelay { get; }

    /// <summary>How long an operation may go on.</summary>
    public long MostNanos => (long)(Store.Timeout + (4 * Store.Silence) + TimeSpan.FromSeconds(2)).TotalNanoseconds;

    /// <summary>How long after the last fault all must be as it should be: views that have settled, a leader, a mark
    /// that is made and taken back, and a long value on its way to each member.</summary>
    public long RecoveryNanos =>
        (long)((20 * Store.Silence) + (2 * Store.SlowAfter) + TimeSpan.FromSeconds(3)).TotalNanoseconds;

    /// <summary>All keys. Some are long, some have a tag.</summary>
    public IEnumerable<string> Keys => Enumerable.Range(0, _keys).Select(KeyOf);

    /// <summary>A key that everybody uses.</summary>
    public static string HotKey => KeyOf(0);

    /// <summary>A key of a client: half of all are among few.</summary>
    public string DrawKey(Random random) => KeyOf(random.Next(random.Next(2) == 0 ? HotKeys : _keys));

    /// <summary>Bytes of a value.</summary>
    public int DrawLength(Random random) =>
        random.Next(100) switch
        {
            < 8 => 0,
            < 88 => random.Next(Math.Min(300, Store.MaxValueLength)),
            < 98 => random.Next(Math.Min(9_000, Store.MaxValueLength)),
            _ => Store.MaxValueLength - random.Next(2),
        };

    private static string KeyOf(int number)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"key-{number}");
        return (number % 7) switch
        {
            3 => $"{{tag-{number % 2}}}{name}",
            5 => name + new string('x', number * 20),
            _ => name,
        };
    }
}
