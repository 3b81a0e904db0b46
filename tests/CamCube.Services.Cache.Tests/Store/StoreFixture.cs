using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>A store with its commands, without a server.</summary>
internal sealed class StoreFixture
{
    public const int MaxValue = 1 << 20;

    public StoreFixture(long limit = 1 << 20)
    {
        Store = new ItemStore(limit, Counters);
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
        CacheOperation operation, string key, string value = "", uint flags = 0, long expiry = 0, ulong cas = 0,
            ulong delta = 0) =>
        Run(new CacheTerms { Operation = operation, Flags = flags, Expiry = expiry, Cas = cas, Delta = delta }, key, value);

    public CacheReply Run(in CacheTerms terms, string key, string value = "")
    {
        byte[] clientKey = Bytes(key);
        var command = new Command
        {
            Terms = terms,
            MemId = Key.OfBytes(clientKey),
            ClientKey = clientKey,
            Value = Bytes(value),
        };
        CacheReply reply = Runner.Run(command, Group, Now, out ItemValue read);
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

    public static byte[] Bytes(string text) => System.Text.Encoding.Latin1.GetBytes(text);
}
