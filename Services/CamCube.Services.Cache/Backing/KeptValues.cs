using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Backing;

/// <summary>
/// Values of the key-value store that this server has on its disk and not in the store's memory, among the cache's
/// items: in memory once. An item's token is the store's version, and it counts only if the store has that version
/// still. Loop only.
/// </summary>
internal sealed class KeptValues(ItemStore items, CacheClock clock)
{
    /// <summary>Items of the cache, of whatever kind.</summary>
    public int Count => items.Count;

    /// <summary>What is kept of a key; 0: nothing. Valid until the next operation on the items.</summary>
    public uint Find(ReadOnlySpan<byte> clientKey, ItemGroup group) =>
        items.Find(CommandOf(clientKey, group, default), clock.Seconds, out _);

    /// <summary>The version of what is kept.</summary>
    public ulong VersionOf(uint item) => items[item].Cas;

    /// <summary>The flags of what is kept.</summary>
    public uint FlagsOf(uint item) => items[item].Flags;

    /// <summary>The value, which is used now.</summary>
    public ItemValue Use(uint item)
    {
        items.Touch(item, clock.Seconds);
        return items.ValueOf(item);
    }

    /// <summary>Keeps a value in the place of an earlier one, if there is room.</summary>
    public void Keep(ReadOnlySpan<byte> clientKey, ItemGroup group, in BackedAnswer answer, ReadOnlySpan<byte> value)
    {
        Command command = CommandOf(clientKey, group, value);
        uint now = clock.Seconds,
            old = items.Find(command, now, out _);

        // Until it is over, and a little: what counts is the version.
        uint expires = answer.Life is { } life
            ? (uint)Math.Min(uint.MaxValue, now + 2 + (long)life.TotalSeconds)
            : ItemExpiry.Never;
        var item = new NewItem(answer.Reply.Flags, expires, CacheItemMarks.None);
        uint put = items.Put(command, item, old, Joining.None, now);
        if (put != 0)
        {
            items[put].Cas = answer.Version;
        }
        else
        {
            Forget(clientKey, group);
        }
    }

    /// <summary>Nothing is kept of a key any more.</summary>
    public void Forget(ReadOnlySpan<byte> clientKey, ItemGroup group)
    {
        if (items.Count > 0 && Find(clientKey, group) is not 0 and uint item)
        {
            items.Remove(item);
        }
    }

    private Command CommandOf(ReadOnlySpan<byte> clientKey, ItemGroup group, ReadOnlySpan<byte> value) =>
        new()
        {
            Hash = items.HashOf(clientKey),
            Group = group,
            ClientKey = clientKey,
            Value = value,
        };
}
