using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>A store with its commands, without a server.</summary>
internal sealed class StoreFixture
{
    public const int MaxValue = 1 << 20;

    public StoreFixture(long limit = 1 << 20, bool isEvicting = true)
    {
        Store = new ItemStore(limit, new KeyHash(17, 99), Counters, isEvicting);
        Runner = new CommandRunner(Store, Counters, new CasTokens(1_000, 3), MaxValue);
    }

    public CacheCounters Counters { get; } = new(static (name, unit) => new Counter(name, unit));

    public ItemStore Store { get; }

    public CommandRunner Runner { get; }

    public ItemGroup Group { get; set; } = new();

    /// <summary>Seconds since 1970.</summary>
    public uint Now { get; set; } = 2_000_000_000;

    public long Of(CacheCount count) => Counters[count].Value;

    public CacheReply Run(
        CacheOperation operation,
        string key,
        string value = "",
        uint flags = 0,
        long expiry = 0,
        ulong cas = 0,
        ulong delta = 0
    ) =>
        Run(
            new CacheTerms
            {
                Operation = operation,
                Flags = flags,
                Expiry = expiry,
                Cas = cas,
                Delta = delta,
            },
            key,
            value
        );

    public CacheReply Run(in CacheTerms terms, string key, string value = "")
    {
        byte[] clientKey = Bytes(key);
        var command = new Command
        {
            Terms = terms,
            Hash = Store.HashOf(clientKey),
            Group = Group,
            ClientKey = clientKey,
            Value = Bytes(value),
        };
        CacheReply reply = Runner.Run(command, Now, out ItemValue read);
        Read = null;
        if (read.IsThere)
        {
            byte[] bytes = new byte[read.Length];
            read.CopyTo(bytes);
            Read = System.Text.Encoding.Latin1.GetString(bytes);
        }

        return reply;
    }

    /// <summary>What the last command read.</summary>
    public string? Read { get; private set; }

    public string? Get(string key)
    {
        Run(CacheOperation.Get, key);
        return Read;
    }

    /// <summary>Whether all that the store knows of its items agrees.</summary>
    public void Check()
    {
        (int count, long bytes) = (0, 0);
        uint newer = 0;
        for (uint item = Store.Newest; item != 0; newer = item, item = Store[item].Older)
        {
            ref ItemHeader header = ref Store[item];
            Assert.Equal(newer, header.Newer);
            Assert.NotEqual(ChunkKind.Free, header.Kind);
            Assert.NotEqual(ChunkKind.Piece, header.Kind);
            Assert.Equal(header.Length, Store.ValueOf(item).Length);
            bytes += ItemChunks.BytesOf(header.KeyLength, header.Length);
            count++;
        }

        Assert.Equal(newer, Store.Oldest);
        Assert.Equal((Store.Count, Store.Ledger.Bytes), (count, bytes));
        long items = 0;
        for (int number = 1; number < Store.Chunks.Sizes.Count; number++)
        {
            items += Store.Ledger.OfClass(number).Items;
            Assert.InRange(Store.Chunks.FreeOf(number), 0, int.MaxValue);
        }

        Assert.Equal(count, items);
        Assert.InRange(Store.ResidentBytes, 0, Store.IsShrinking ? long.MaxValue : Store.LimitBytes);
    }

    public static byte[] Bytes(string text) => System.Text.Encoding.Latin1.GetBytes(text);
}
