namespace CamCube.Services.Cache.Store;

/// <summary>
/// Reads. An item that expires soon, is stale or was made empty by a read is to be stored anew by one client: the first that asks wins, all
/// others hear that somebody has (memcached's meta get). Loop only.
/// </summary>
internal sealed class ReadCommands(ItemStore store, CacheCounters counters, ItemWriter writer)
{
    private const CacheTermOptions Competing = CacheTermOptions.Vivify | CacheTermOptions.Recache | CacheTermOptions.WinStale;

    /// <summary>get, get-and-touch, meta get.</summary>
    public CacheReply Read(in Command command, ItemGroup group, uint now, out ItemValue value)
    {
        value = default;
        bool touches = command.Terms.Operation == CacheOperation.GetAndTouch;
        counters[touches ? CacheCount.CmdTouch : CacheCount.CmdGet].Add();
        if (store.Find(command.MemId, command.ClientKey, now, out bool expired) is not { } item)
        {
            return Miss(command, touches, expired, group, now, out value);
        }

        counters[touches ? CacheCount.TouchHits : CacheCount.GetHits].Add();
        CacheItemMarks marks = item.Marks;
        if (Wins(command, item, now))
        {
            marks |= CacheItemMarks.HasWon;
            item.Marks |= CacheItemMarks.IsWinOut;
        }

        if (touches)
        {
            store.SetExpiry(item, ItemExpiry.ToSeconds(command.Terms.Expiry, now));
        }

        CacheItemFacts facts = ItemFacts.Of(item, now, ItemFacts.IdleSeconds(item, now), marks);
        if (!command.Has(CacheTermOptions.KeepAge))
        {
            item.Marks |= CacheItemMarks.WasRead;
            store.Touch(item, now);
        }

        value = command.Has(CacheTermOptions.WithoutValue) ? default : new ItemValue(item.Value);
        return new CacheReply(CacheStatus.Done, item.Flags, item.Cas) { Facts = facts };
    }

    /// <summary>The facts of an item, and no trace of having asked.</summary>
    public CacheReply Inspect(in Command command, uint now)
    {
        counters[CacheCount.CmdMeta].Add();
        return store.Find(command.MemId, command.ClientKey, now, out _) is { } item
            ? new CacheReply(CacheStatus.Done, item.Flags, item.Cas)
            {
                Facts = ItemFacts.Of(item, now, ItemFacts.IdleSeconds(item, now), item.Marks),
            }
            : new CacheReply(CacheStatus.NotFound);
    }

    /// <summary>Whether <see cref="Read"/> would win a stale item.</summary>
    public bool WouldWin(in Command command, uint now) =>
        command.Has(Competing) && store.Find(command.MemId, command.ClientKey, now, out _) is { } item &&
        Wins(command, item, now);

    private static bool Wins(in Command command, Item item, uint now)
    {
        if (!command.Has(Competing) || (item.Marks & CacheItemMarks.IsWinOut) != 0)
        {
            return false;
        }

        return (item.Marks & CacheItemMarks.IsStale) != 0 ||
            (command.Has(CacheTermOptions.Recache) && item.Expires != ItemExpiry.Never &&
                item.Expires < ItemExpiry.ToSeconds(command.Terms.RecacheSeconds, now));
    }

    private CacheReply Miss(
        in Command command, bool touches, bool expired, ItemGroup group, uint now, out ItemValue value)
    {
        value = default;
        if (expired)
        {
            counters[CacheCount.GetExpired].Add();
        }

        if (command.Has(CacheTermOptions.Vivify))
        {
            CacheItemMarks read = command.Has(CacheTermOptions.KeepAge) ? CacheItemMarks.None : CacheItemMarks.WasRead;
            var made = new NewItem(
                0,
                ItemExpiry.ToSeconds(command.Terms.VivifyExpiry, now),
                CacheItemMarks.IsWinOut | read | ItemWriter.BinaryMark(command));
            CacheReply reply = writer.Write(command, null, [], made, group, now);
            if (reply.Status == CacheStatus.Done)
            {
                // As in memcached: who may always have an item never misses.
                counters[touches ? CacheCount.TouchHits : CacheCount.GetHits].Add();
                value = command.Has(CacheTermOptions.WithoutValue) ? default : new ItemValue([]);
                CacheItemMarks marks = CacheItemMarks.IsNew | CacheItemMarks.HasWon | ItemWriter.BinaryMark(command);
                return reply with { Facts = reply.Facts with { Marks = marks } };
            }
        }

        counters[touches ? CacheCount.TouchMisses : CacheCount.GetMisses].Add();
        return new CacheReply(CacheStatus.NotFound);
    }
}
