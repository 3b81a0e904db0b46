namespace CamCube.Services.Cache.Store;

/// <summary>incr and decr. Loop only.</summary>
internal sealed class CountCommands(ItemStore store, CacheCounters counters, ItemWriter writer)
{
    /// <summary>Adds to the number that an item is, or takes from it.</summary>
    public CacheReply Count(in Command command, ItemGroup group, uint now)
    {
        bool up = command.Terms.Operation == CacheOperation.Increment;
        if (store.Find(command.MemId, command.ClientKey, now, out _) is not { } item)
        {
            return Begin(command, up, group, now);
        }

        if (item.Value.Length == 0)
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        if (command.Terms.Cas != 0 && command.Terms.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        if (!DecimalText.TryParse(item.Value, out ulong number))
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        counters[up ? CacheCount.IncrHits : CacheCount.DecrHits].Add();
        number = up ? unchecked(number + command.Terms.Delta) : number - Math.Min(number, command.Terms.Delta);
        byte[] value = DecimalText.Format(number, item.Value.Length);
        uint expires = command.Has(CacheTermOptions.SetExpiry)
            ? ItemExpiry.ToSeconds(command.Terms.Expiry, now)
            : item.Expires;

        // memcached writes a number that fits in place; one that does not makes a new item, which nobody has read.
        bool inPlace = value.Length == item.Value.Length;
        CacheItemMarks kept = inPlace
            ? item.Marks
            : (item.Marks & CacheItemMarks.HasBinaryKey) | ItemWriter.BinaryMark(command);
        (uint idle, CacheItemMarks marks) = (ItemFacts.IdleSeconds(item, now), item.Marks);
        var counted = new NewItem(item.Flags, expires, kept) { IsInPlace = inPlace };
        CacheReply reply = writer.Write(command, item, value, counted, group, now);
        return reply with { Number = number, Facts = reply.Facts with { IdleSeconds = idle, Marks = marks } };
    }

    private CacheReply Begin(in Command command, bool up, ItemGroup group, uint now)
    {
        if (!command.Has(CacheTermOptions.Vivify))
        {
            counters[up ? CacheCount.IncrMisses : CacheCount.DecrMisses].Add();
            return new CacheReply(CacheStatus.NotFound);
        }

        byte[] value = DecimalText.Format(command.Terms.Initial, 0);
        uint expires = ItemExpiry.ToSeconds(command.Terms.VivifyExpiry, now);
        var made = new NewItem(0, expires, ItemWriter.BinaryMark(command));
        return writer.Write(command, null, value, made, group, now, CacheItemMarks.IsNew) with { Number = command.Terms.Initial };
    }
}
