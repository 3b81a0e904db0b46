using System.Buffers;
using System.Text;
using CamCube.Runtime;
using CamCube.Services.Cache.Counting;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>A test cube with the cache on every server, and the calls of tests in short form.</summary>
internal sealed class CacheCube : IDisposable
{
    public CacheCube(
        int x,
        int y,
        int z,
        CacheOptions? options = null,
        SimulatorOptions? simulator = null,
        ServerOptions? server = null
    )
    {
        Options = options ?? new CacheOptions();
        Cube = new TestCube(x, y, z, simulator, server).Add(s => new CacheService(s, Options));
    }

    public TestCube Cube { get; }

    public CacheOptions Options { get; }

    public static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);

    public static byte[] Value(int length, int seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    public CacheService this[Coordinate server] => Cube[server].Service<CacheService>();

    public CacheService this[int rank] => Cube[rank].Service<CacheService>();

    /// <summary>A key whose home is this server.</summary>
    public string KeyAt(Coordinate home, int number = 0)
    {
        for (int i = 0; ; i++)
        {
            string key = $"key-{i}";
            if (Key.OfName(key).HomeIn(Cube.Shape) == home && number-- == 0)
            {
                return key;
            }
        }
    }

    public CacheReply Run(
        Coordinate at,
        in CacheTerms terms,
        string key,
        string value = "",
        IBufferWriter<byte>? into = null
    ) =>
        Cube.Await(
            this[at]
                .ExecuteAsync(
                    new CacheRequest
                    {
                        Terms = terms,
                        Key = Bytes(key),
                        Value = Bytes(value),
                        Into = into,
                    }
                )
        );

    public ValueTask<CacheReply> Start(
        Coordinate at,
        CacheOperation operation,
        string key,
        byte[]? value = null,
        ulong cas = 0,
        ulong delta = 0,
        long expiry = 0,
        uint flags = 0,
        IBufferWriter<byte>? into = null
    ) =>
        this[at]
            .ExecuteAsync(
                new CacheRequest
                {
                    Terms = new CacheTerms
                    {
                        Operation = operation,
                        Cas = cas,
                        Delta = delta,
                        Expiry = expiry,
                        Flags = flags,
                    },
                    Key = Bytes(key),
                    Value = value,
                    Into = into,
                }
            );

    public CacheReply Run(
        Coordinate at,
        CacheOperation operation,
        string key,
        string value = "",
        ulong cas = 0,
        ulong delta = 0,
        long expiry = 0,
        uint flags = 0
    ) => Cube.Await(Start(at, operation, key, Bytes(value), cas, delta, expiry, flags));

    public CacheStatus Set(Coordinate at, string key, string value) => Run(at, CacheOperation.Set, key, value).Status;

    public CacheStatus Set(Coordinate at, string key, byte[] value) =>
        Cube.Await(Start(at, CacheOperation.Set, key, value)).Status;

    public string? Get(Coordinate at, string key)
    {
        CacheReply reply = Read(at, key, out byte[] value);
        return reply.Status switch
        {
            CacheStatus.Done => Encoding.Latin1.GetString(value),
            CacheStatus.NotFound => null,
            _ => throw new InvalidOperationException($"get {key} at {at}: {reply.Status}"),
        };
    }

    public CacheReply Read(Coordinate at, string key, out byte[] value)
    {
        var into = new ArrayBufferWriter<byte>();
        CacheReply reply = Cube.Await(Start(at, CacheOperation.Get, key, into: into));
        value = into.WrittenSpan.ToArray();
        return reply;
    }

    public long Sum(CacheCount count)
    {
        long sum = 0;
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            sum += Cube[rank].IsRunning ? this[rank].Counters[count].Value : 0;
        }

        return sum;
    }

    /// <summary>Ends a test: everything kept for a while is gone, nothing waits, no packet is left.</summary>
    /// <param name="withAnswers">Also waits until answers are forgotten: ten virtual seconds more, much for a large
    /// cube.</param>
    public void AssertQuiet(bool withAnswers = true)
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(withAnswers ? 15 : 3));
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (Cube[rank].IsRunning)
            {
                CacheService cache = this[rank];
                Assert.Equal(
                    (0, 0, 0, 0L),
                    (cache.Channel.Sending, cache.Channel.Kept, cache.Channel.Arriving, cache.Channel.ArrivingBytes)
                );
                Assert.Equal((0, 0), (cache.OpenQuestions, withAnswers ? cache.Answers.Count : 0));
                Assert.False(cache.Store.HasEnded);
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();
}
