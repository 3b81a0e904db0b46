using System.Buffers;
using System.Text;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>A test cube with the cache and the key-value store on every server; keys that begin with <c>s:</c> are the
/// store's.</summary>
internal sealed class BackedCube : IDisposable
{
    public const string Prefix = "s:";

    public BackedCube(
        int x,
        int y,
        int z,
        string mode = "storage=memory,reads=lease",
        CacheOptions? options = null,
        KeyValueOptions? store = null
    )
    {
        Options = options ?? new CacheOptions();
        Options.Backed = [Prefix];
        store ??= new KeyValueOptions();
        store.Mode = mode;
        var simulator = new SimulatorOptions();
        simulator.Disk.CapacityBytes = 1L << 36;
        Cube = new TestCube(x, y, z, simulator)
            .Add(s => new KeyValueService(s, store))
            .Add(ServiceDefinition.Of(a => new CacheService(a.Server, Options, a.Dependency<IKeyValueStore>())));
        AwaitLed();
    }

    public TestCube Cube { get; }

    public CacheOptions Options { get; }

    public CacheService this[int rank] => Cube[rank].Service<CacheService>();

    public IKeyValueStore Store(int rank) => Cube[rank].Service<KeyValueService>();

    public void AwaitLed() =>
        Cube.AwaitUntil(
            () =>
                Enumerable
                    .Range(0, Cube.Shape.Count)
                    .Where(rank => Cube[rank].IsRunning)
                    .All(rank =>
                        Store(rank).ListGroups() is { Count: > 0 } groups && groups.All(g => g.Leader is not null)
                    ),
            "Not all groups have a leader"
        );

    /// <summary>A key whose root is this server.</summary>
    public string KeyAt(int rank, int number = 0)
    {
        for (int i = 0; ; i++)
        {
            string key = $"{Prefix}key-{i}";
            if (MemIdOf(key).HomeIn(Cube.Shape) == Cube.Shape.At(rank) && number-- == 0)
            {
                return key;
            }
        }
    }

    /// <summary>A key whose root is the one server, with the extra key's root at the other.</summary>
    public string KeyWithCopyAt(Coordinate root, Coordinate holder)
    {
        for (int i = 0; ; i++)
        {
            string key = $"{Prefix}key-{i}";
            Key memId = MemIdOf(key);
            if (memId.HomeIn(Cube.Shape) == root && CopyKeys.Of(memId, 1).HomeIn(Cube.Shape) == holder)
            {
                return key;
            }
        }
    }

    public static Key MemIdOf(string key) => KeyValueKey.Of(key).ToKey();

    public ValueTask<CacheReply> Start(
        int rank,
        in CacheTerms terms,
        string key,
        byte[]? value = null,
        IBufferWriter<byte>? into = null
    ) =>
        this[rank]
            .ExecuteAsync(
                new CacheRequest
                {
                    Terms = terms,
                    Key = CacheCube.Bytes(key),
                    Value = value,
                    Into = into,
                }
            );

    public CacheReply Run(int rank, in CacheTerms terms, string key, string value = "") =>
        Cube.Await(Start(rank, terms, key, CacheCube.Bytes(value)));

    public CacheReply Run(int rank, CacheOperation operation, string key, string value = "", uint flags = 0) =>
        Run(rank, new CacheTerms { Operation = operation, Flags = flags }, key, value);

    public CacheStatus Set(int rank, string key, string value) => Run(rank, CacheOperation.Set, key, value).Status;

    public (CacheReply Reply, string Value) Read(int rank, string key, CacheTerms terms = default)
    {
        var into = new ArrayBufferWriter<byte>();
        CacheReply reply = Cube.Await(Start(rank, terms, key, into: into));
        return (reply, Encoding.Latin1.GetString(into.WrittenSpan));
    }

    /// <summary>Null: a miss.</summary>
    public string? Get(int rank, string key)
    {
        (CacheReply reply, string value) = Read(rank, key);
        return reply.Status switch
        {
            CacheStatus.Done => value,
            CacheStatus.NotFound => null,
            _ => throw new InvalidOperationException($"get {key} at {rank}: {reply.Status}"),
        };
    }

    public string? Stored(int rank, string key)
    {
        var into = new ArrayBufferWriter<byte>();
        KeyValueAnswer answer = Cube.Await(Store(rank).GetAsync(KeyValueKey.Of(key), value: into));
        return answer.Status == KeyValueStatus.Done ? Encoding.Latin1.GetString(into.WrittenSpan) : null;
    }

    public KeyValueAnswer Put(int rank, string key, string value) =>
        Cube.Await(Store(rank).PutAsync(KeyValueKey.Of(key), CacheCube.Bytes(value)));

    public long Sum(CacheCount count)
    {
        long sum = 0;
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            sum += Cube[rank].IsRunning ? this[rank].Counters[count].Value : 0;
        }

        return sum;
    }

    /// <summary>Ends a test: nothing waits anywhere, and no packet is left.</summary>
    public void AssertQuiet()
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(15));
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (Cube[rank].IsRunning)
            {
                CacheService cache = this[rank];
                Assert.Equal((0, 0, 0), (cache.OpenQuestions, cache.Answers.Count, cache.BackedRoot.Reading));
                Assert.Equal((0, 0), (cache.Channel.Kept, cache.Channel.Arriving));
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();
}
