using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>Puts items of finished commands into the store. Loop only.</summary>
internal sealed class ItemWriter(ItemStore store, CacheCounters counters, CasTokens tokens)
{
    /// <summary>
    /// Stores an item of a command's key with a new token, in place of the one that is there (0: none).
    /// </summary>
    /// <param name="command">The command.</param>
    /// <param name="old">The item that is there.</param>
    /// <param name="item">Flags, expiry and marks it gets.</param>
    /// <param name="now">The tick.</param>
    /// <param name="joining">How its value and the old one are put together.</param>
    /// <param name="won">Marks of the reply that do not stay with the item.</param>
    public CacheReply Write(
        in Command command,
        uint old,
        in NewItem item,
        uint now,
        Joining joining = Joining.None,
        CacheItemMarks won = CacheItemMarks.None
    )
    {
        uint put = store.Put(command, item, old, joining, now);
        if (put == 0)
        {
            counters[CacheCount.StoreNoMemory].Add();
            return new CacheReply(CacheStatus.OutOfMemory);
        }

        counters[CacheCount.TotalItems].Add();
        ulong cas = store[put].Cas = tokens.Next();
        CacheItemMarks shown = (item.Marks & ~CacheItemMarks.IsWinOut) | won;
        return new CacheReply(CacheStatus.Done, item.Flags, cas) { Facts = ItemFacts.Of(store, put, now, 0, shown) };
    }

    /// <summary>Writes a number over a longer one or one as long, with spaces behind it: the same item with a new
    /// token.</summary>
    public CacheReply WriteInPlace(uint item, ReadOnlySpan<byte> digits, uint expires, uint now)
    {
        Span<byte> value = store.FirstOf(item);
        digits.CopyTo(value);
        value[digits.Length..].Fill((byte)' ');
        store.SetExpiry(item, expires);
        store.Touch(item, now);
        ref ItemHeader header = ref store[item];
        header.Cas = tokens.Next();
        return new CacheReply(CacheStatus.Done, header.Flags, header.Cas)
        {
            Facts = ItemFacts.Of(store, item, now, 0, header.Marks),
        };
    }

    /// <summary>The mark of a key that is bytes.</summary>
    public static CacheItemMarks BinaryMark(in Command command) =>
        command.Has(CacheTermOptions.BinaryKey) ? CacheItemMarks.HasBinaryKey : CacheItemMarks.None;
}
