using CamCube.Services.Cache.Counting;

namespace CamCube.Services.Cache.Store;

/// <summary>memcached's commands on the store of one server, with the semantics of memcached 1.6.18. Loop
/// only.</summary>
internal sealed class CommandRunner
{
    private readonly ReadCommands _reads;
    private readonly StoreCommands _stores;
    private readonly CountCommands _counts;
    private readonly KeyCommands _keys;

    public CommandRunner(ItemStore store, CacheCounters counters, CasTokens tokens, int maxValueLength)
    {
        var writer = new ItemWriter(store, counters, tokens);
        _reads = new ReadCommands(store, counters, writer);
        _stores = new StoreCommands(store, counters, writer, maxValueLength);
        _counts = new CountCommands(store, counters, writer);
        _keys = new KeyCommands(store, counters, tokens);
    }

    /// <summary>Does one command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="now">The tick of <see cref="CacheClock"/>.</param>
    /// <param name="value">The value that was read, if it was and is wanted.</param>
    public CacheReply Run(in Command command, uint now, out ItemValue value)
    {
        value = default;
        switch (command.Terms.Operation)
        {
            case CacheOperation.Get:
            case CacheOperation.GetAndTouch:
                return _reads.Read(command, now, out value);
            case CacheOperation.Inspect:
                return _reads.Inspect(command, now);
            case CacheOperation.Delete:
                return _keys.Delete(command, now);
            case CacheOperation.Touch:
                return _keys.Touch(command, now);
            case CacheOperation.Increment:
            case CacheOperation.Decrement:
                return _counts.Count(command, now);
            default:
                return _stores.Store(command, now);
        }
    }

    /// <summary>Whether a read would win a stale item, and so change it.</summary>
    public bool WouldWin(in Command command, uint now) => _reads.WouldWin(command, now);
}
