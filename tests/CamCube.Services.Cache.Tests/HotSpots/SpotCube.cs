using System.Buffers;
using System.Text;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Tests.HotSpots;

/// <summary>
/// A cube of 3x3x3 with one extra key per item, and an item whose root is three hops from the asking server, with the
/// extra key's root between them.
/// </summary>
internal sealed class SpotCube : IDisposable
{
    public static readonly Coordinate Asker = new(0, 0, 0),
        Holder = new(1, 0, 0),
        Root = new(1, 1, 1),
        Writer = new(1, 2, 1);

    public SpotCube(CacheOptions? options = null)
    {
        options ??= new CacheOptions();
        options.DefaultReplicas = 1;
        Cache = new CacheCube(3, 3, 3, options);
        Key = KeyWithCopyAt(Root, Holder, 0);
    }

    public CacheCube Cache { get; }

    public CamCube.Testing.TestCube Cube => Cache.Cube;

    public string Key { get; }

    public string KeyWithCopyAt(Coordinate root, Coordinate holder, int number)
    {
        for (int i = 0; ; i++)
        {
            string key = $"key-{i}";
            Key memId = CamCube.Key.OfName(key);
            if (memId.HomeIn(Cube.Shape) == root && CopyKeys.Of(memId, 1).HomeIn(Cube.Shape) == holder && number-- == 0)
            {
                return key;
            }
        }
    }

    /// <summary>Stores an item and lets a copy come to the holder.</summary>
    public void SetAndCopy(string value, long expiry = 0)
    {
        Assert.Equal(CacheStatus.Done, Cache.Run(Writer, CacheOperation.Set, Key, value, expiry: expiry).Status);
        Assert.Equal(value, Cache.Get(Asker, Key));
        Assert.Equal(value, Peek());
    }

    /// <summary>What the holder's own client gets at once; null: it has no copy that may be served.</summary>
    public string? Peek()
    {
        var taken = new Taken();
        var terms = new CacheTerms { Operation = CacheOperation.Get };
        return Cache[Holder].TryExecute(terms, CacheCube.Bytes(Key), default, taken, out _) ? taken.Text : null;
    }

    public Task<CacheReply> StartSet(string value) =>
        Cache.Start(Writer, CacheOperation.Set, Key, CacheCube.Bytes(value)).AsTask();

    public static CacheStatus StatusOf(Task<CacheReply> ended) => ended.GetAwaiter().GetResult().Status;

    public void Lose(params PacketKind[] kinds) =>
        Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && kinds.Contains((PacketKind)p.Header<CacheHeader>().Kind);

    public long At(Coordinate server, CacheCount count) => Cache[server].Counters[count].Value;

    public void Dispose() => Cache.Dispose();

    private sealed class Taken : ICacheValueReader
    {
        private readonly ArrayBufferWriter<byte> _bytes = new();

        public string Text => Encoding.Latin1.GetString(_bytes.WrittenSpan);

        public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset) => _bytes.Write(piece);
    }
}
