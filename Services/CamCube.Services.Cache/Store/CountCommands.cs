using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>incr and decr. Loop only.</summary>
internal sealed class CountCommands(ItemStore store, CacheCounters counters, ItemWriter writer)
{
    /// <summary>Adds to the number that an item is, or takes from it.</summary>
    public CacheReply Count(in Command command, uint now)
    {
        bool up = command.Terms.Operation == CacheOperation.Increment;
        uint item = store.Find(command, now, out _);
        if (item == 0)
        {
            return Begin(command, up, now);
        }

        ref ItemHeader header = ref store[item];
        if (header.Length == 0)
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        if (command.Terms.Cas != 0 && command.Terms.Cas != header.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        if (header.Kind != ChunkKind.Item || !DecimalText.TryParse(store.FirstOf(item), out ulong number))
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        counters[up ? CacheCount.IncrHits : CacheCount.DecrHits].Add();
        number = up ? unchecked(number + command.Terms.Delta) : number - Math.Min(number, command.Terms.Delta);
        store.Ledger.Of(item).IncrHits += up ? 1 : 0;
        store.Ledger.Of(item).DecrHits += up ? 0 : 1;
        uint expires = command.Has(CacheTermOptions.SetExpiry)
            ? ItemExpiry.ToSeconds(command.Terms.Expiry, now)
            : header.Expires;
        Span<byte> digits = stackalloc byte[DecimalText.MaxDigits];
        digits = digits[..DecimalText.Format(number, digits)];
        (uint idle, CacheItemMarks marks) = (ItemFacts.IdleSeconds(header, now), header.Marks);
        CacheReply reply =
            digits.Length <= header.Length
                ? writer.WriteInPlace(item, digits, expires, now)
                : Lengthen(command, item, digits, expires, now);
        return reply with { Number = number, Facts = reply.Facts with { IdleSeconds = idle, Marks = marks } };
    }

    // As memcached: a number that does not fit makes a new item, which nobody has read.
    private CacheReply Lengthen(in Command command, uint item, scoped ReadOnlySpan<byte> digits, uint expires, uint now)
    {
        ref ItemHeader header = ref store[item];
        CacheItemMarks kept = (header.Marks & CacheItemMarks.HasBinaryKey) | ItemWriter.BinaryMark(command);
        return writer.Write(command.With(digits), item, new NewItem(header.Flags, expires, kept), now);
    }

    private CacheReply Begin(in Command command, bool up, uint now)
    {
        if (!command.Has(CacheTermOptions.Vivify))
        {
            counters[up ? CacheCount.IncrMisses : CacheCount.DecrMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        Span<byte> digits = stackalloc byte[DecimalText.MaxDigits];
        digits = digits[..DecimalText.Format(command.Terms.Initial, digits)];
        uint expires = ItemExpiry.ToSeconds(command.Terms.VivifyExpiry, now);
        var made = new NewItem(0, expires, ItemWriter.BinaryMark(command));
        CacheReply reply = writer.Write(command.With(digits), 0, made, now, won: CacheItemMarks.IsNew);
        return reply with { Number = command.Terms.Initial };
    }
}
