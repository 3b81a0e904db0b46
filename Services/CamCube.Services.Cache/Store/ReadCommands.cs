using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Reads. An item that expires soon, is stale or was made empty by a read is to be stored anew by one client: the first
/// that asks wins, all others hear that somebody has (memcached's meta get). Loop only.
/// </summary>
internal sealed class ReadCommands(ItemStore store, CacheCounters counters, ItemWriter writer)
{
    private const CacheTermOptions Competing =
        CacheTermOptions.Vivify | CacheTermOptions.Recache | CacheTermOptions.WinStale;

    /// <summary>get, get-and-touch, meta get.</summary>
    public CacheReply Read(in Command command, uint now, out ItemValue value)
    {
        value = default;
        bool touches = command.Terms.Operation == CacheOperation.GetAndTouch;
        counters[touches ? CacheCount.CmdTouch : CacheCount.CmdGet].Add();
        uint item = store.Find(command, now, out bool expired);
        if (item == 0)
        {
            return Miss(command, touches, expired, now, out value);
        }

        ref ItemHeader header = ref store[item];
        value = command.Has(CacheTermOptions.WithoutValue) ? default : store.ValueOf(item);
        CountHit(item, touches);
        CacheItemMarks marks = header.Marks;
        if (Wins(command, header, now))
        {
            marks |= CacheItemMarks.HasWon;
            header.Marks |= CacheItemMarks.IsWinOut;
        }

        if (touches)
        {
            store.SetExpiry(item, ItemExpiry.ToSeconds(command.Terms.Expiry, now));
        }

        CacheItemFacts facts = ItemFacts.Of(store, item, now, ItemFacts.IdleSeconds(header, now), marks);
        if (!command.Has(CacheTermOptions.KeepAge))
        {
            header.Marks |= CacheItemMarks.WasRead;
            store.Touch(item, now);
        }

        return new CacheReply(CacheStatus.Done, header.Flags, header.Cas) { Facts = facts };
    }

    /// <summary>The facts of an item, and no trace of having asked.</summary>
    public CacheReply Inspect(in Command command, uint now)
    {
        counters[CacheCount.CmdMeta].Add();
        uint item = store.Find(command, now, out _);
        if (item == 0)
        {
            return new CacheReply(CacheStatus.NotFound);
        }

        ref ItemHeader header = ref store[item];
        return new CacheReply(CacheStatus.Done, header.Flags, header.Cas)
        {
            Facts = ItemFacts.Of(store, item, now, ItemFacts.IdleSeconds(header, now), header.Marks),
        };
    }

    /// <summary>Whether <see cref="Read"/> would win a stale item.</summary>
    public bool WouldWin(in Command command, uint now)
    {
        uint item = store.Find(command, now, out _);
        return item != 0 && Wins(command, store[item], now);
    }

    private void CountHit(uint item, bool touches)
    {
        counters[touches ? CacheCount.TouchHits : CacheCount.GetHits].Add();
        ref ClassTally tally = ref store.Ledger.Of(item);
        tally.GetHits += touches ? 0 : 1;
        tally.TouchHits += touches ? 1 : 0;
    }

    private static bool Wins(in Command command, in ItemHeader item, uint now)
    {
        if (!command.Has(Competing) || (item.Marks & CacheItemMarks.IsWinOut) != 0)
        {
            return false;
        }

        return (item.Marks & CacheItemMarks.IsStale) != 0
            || (
                command.Has(CacheTermOptions.Recache)
                && item.Expires != ItemExpiry.Never
                && item.Expires < ItemExpiry.ToSeconds(command.Terms.RecacheSeconds, now)
            );
    }

    private CacheReply Miss(in Command command, bool touches, bool expired, uint now, out ItemValue value)
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
                CacheItemMarks.IsWinOut | read | ItemWriter.BinaryMark(command)
            );
            CacheReply reply = writer.Write(command.With(default), 0, made, now);
            if (reply.Status == CacheStatus.Done)
            {
                // As in memcached: who may always have an item never misses.
                counters[touches ? CacheCount.TouchHits : CacheCount.GetHits].Add();
                value = command.Has(CacheTermOptions.WithoutValue) ? default : store.ValueOf(store.Newest);
                CacheItemMarks marks = CacheItemMarks.IsNew | CacheItemMarks.HasWon | ItemWriter.BinaryMark(command);
                return reply with { Facts = reply.Facts with { Marks = marks } };
            }
        }

        counters[touches ? CacheCount.TouchMisses : CacheCount.GetMisses].Add();
        return new CacheReply(CacheStatus.NotFound);
    }
}
