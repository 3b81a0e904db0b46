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

    /// <summary>UTC now.</summary>
    public long Now { get; set; } = DateTime.UnixEpoch.Ticks + (2_000_000_000L * TimeSpan.TicksPerSecond);

    public long Of(CacheCount count) => Counters[count].Value;

    public CacheReply Run(
        CacheOperation operation, string key, string value = "", uint flags = 0, long expiry = 0, ulong cas = 0,
            ulong delta = 0)
    {
        byte[] clientKey = Bytes(key);
        var command = new Command
        {
            Operation = operation,
            MemId = Key.OfBytes(clientKey),
            ClientKey = clientKey,
            Value = Bytes(value),
            Flags = flags,
            Expiry = expiry,
            Cas = cas,
            Delta = delta,
        };
        CacheReply reply = Runner.Run(command, Group, Now, out byte[]? read);
        Read = read is null ? null : System.Text.Encoding.Latin1.GetString(read);
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
