namespace CamCube.Services.Cache.Counting;

/// <summary>The counters of one server's cache, also read from outside as <c>camcube.cache.*</c>. Loop only.</summary>
internal sealed class CacheCounters
{
    private static readonly string[] AllNames =
    [
        "cmd_get",
        "cmd_set",
        "cmd_flush",
        "cmd_touch",
        "get_hits",
        "get_misses",
        "get_expired",
        "delete_misses",
        "delete_hits",
        "incr_misses",
        "incr_hits",
        "decr_misses",
        "decr_hits",
        "cas_misses",
        "cas_hits",
        "cas_badval",
        "touch_hits",
        "touch_misses",
        "total_items",
        "expired_unfetched",
        "evicted_unfetched",
        "evictions",
        "reclaimed",
        "items_dropped",
        "retries",
        "repeated_answers",
        "refusals",
        "curr_items",
        "bytes",
        "limit_maxbytes",
        "threads",
        "cmd_meta",
        "store_too_large",
        "store_no_memory",
        "get_flushed",
        "copies_held",
        "copy_hits",
        "copies_flushed",
        "changes_waited",
        "lookup_hops_0",
        "lookup_hops_1",
        "lookup_hops_2",
        "lookup_hops_3",
        "lookup_hops_4",
        "lookup_hops_5",
        "lookup_hops_6",
        "lookup_hops_7",
        "lookup_hops_8",
        "lookup_hops_9",
        "lookup_hops_10",
        "lookup_hops_11",
        "lookup_hops_12",
        "lookup_hops_13",
        "lookup_hops_14",
        "lookup_hops_15",
        "lookup_hops_16_up",
        "copies_renewed",
        "malformed",
        "backed_reads",
        "backed_hits",
        "backed_changes",
        "backed_failed",
        "backed_late",
    ];

    private readonly Counter[] _counters;

    /// <param name="create">Makes a counter of a name and a unit: <see cref="IServerCounters.Create"/>.</param>
    public CacheCounters(Func<string, string, Counter> create)
    {
        _counters = new Counter[Length];
        for (int i = 0; i < Length; i++)
        {
            _counters[i] = create(AllNames[i], UnitOf((CacheCount)i));
        }
    }

    /// <summary>How many there are.</summary>
    public static int Length => AllNames.Length;

    /// <summary>One of them.</summary>
    public Counter this[CacheCount count] => _counters[(int)count];

    /// <summary>A read of one of this server's clients was answered this far away.</summary>
    public void AddLookup(int hops) =>
        this[CacheCount.LookupHops0 + Math.Clamp(hops, 0, CacheCount.LookupHopsMost - CacheCount.LookupHops0)].Add();

    /// <summary>memcached's name where it has one.</summary>
    public static string NameOf(CacheCount count) => AllNames[(int)count];

    private static string UnitOf(CacheCount count) =>
        count switch
        {
            CacheCount.Bytes or CacheCount.LimitMaxbytes => "By",
            CacheCount.Threads => "{thread}",
            CacheCount.Malformed => "{message}",
            CacheCount.CmdGet
            or CacheCount.CmdSet
            or CacheCount.CmdFlush
            or CacheCount.CmdTouch
            or CacheCount.CmdMeta => "{command}",
            >= CacheCount.LookupHops0 and <= CacheCount.LookupHopsMost => "{request}",
            CacheCount.Retries
            or CacheCount.ChangesWaited
            or CacheCount.CopyHits
            or CacheCount.RepeatedAnswers
            or CacheCount.Refusals => "{request}",
            _ => "{item}",
        };
}
