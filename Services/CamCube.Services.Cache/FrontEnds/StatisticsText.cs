using System.Globalization;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Answers stats commands: what the cache says, and what only the front end knows.</summary>
internal static class StatisticsText
{
    /// <summary>Collects what a slot asks for and writes it into the slot's value.</summary>
    internal static ValueTask<CacheReply> CollectAsync(MemcachedContext context, CommandSlot slot)
    {
        IStatisticsForm form = slot.Form!;
        switch (slot.Group)
        {
            case StatisticsGroup.Cube or StatisticsGroup.Server or StatisticsGroup.Items or StatisticsGroup.Slabs:
                return AskCacheAsync(context, slot, form);
            default:
                foreach (CacheStatistic line in Local(context, slot.Group))
                    form.Write(slot.Value, line.Name, line.Value);

                // As in memcached these two have no end.
                if (slot.Group is not (StatisticsGroup.SizesEnable or StatisticsGroup.SizesDisable))
                    form.End(slot.Value);
                return default;
        }
    }

    /// <summary>Writes what <c>stats detail dump</c> gives.</summary>
    internal static void WriteDetails(MemcachedContext context, CommandSlot slot, ReplyBuffer output)
    {
        slot.Form!.WriteDetails(slot.Value, context.Details.Dump());
        output.Write(slot.Value.Written.Span);
    }

    private static async ValueTask<CacheReply> AskCacheAsync(
        MemcachedContext context, CommandSlot slot, IStatisticsForm form)
    {
        IReadOnlyList<CacheStatistic> ofCache = await context.Door
            .GetStatisticsAsync(slot.Group != StatisticsGroup.Server).ConfigureAwait(false);
        IEnumerable<CacheStatistic> lines = slot.Group switch
        {
            StatisticsGroup.Items => ItemStatistics.OfItems(ofCache),
            StatisticsGroup.Slabs => ItemStatistics.OfSlabs(ofCache),
            _ => General(context, ofCache),
        };
        foreach (CacheStatistic line in lines)
            form.Write(slot.Value, line.Name, line.Value);
        form.End(slot.Value);
        return default;
    }

    /// <summary>
    /// Counts of connections and bytes are this server's in both cases: a client's connections to the other servers are
    /// theirs.
    /// </summary>
    private static IEnumerable<CacheStatistic> General(
        MemcachedContext context, IReadOnlyList<CacheStatistic> ofCache)
    {
        var known = ofCache.Select(line => line.Name).ToHashSet(StringComparer.Ordinal);
        return ofCache.Concat(OfFrontEnd(context).Where(line => !known.Contains(line.Name)));
    }

    private static IEnumerable<CacheStatistic> Local(MemcachedContext context, StatisticsGroup group) => group switch
    {
        StatisticsGroup.Settings => SettingStatistics.Of(context),
        StatisticsGroup.Connections => OfListener(context),
        StatisticsGroup.Reset or StatisticsGroup.DetailOn or StatisticsGroup.DetailOff => [],
        StatisticsGroup.Sizes or StatisticsGroup.SizesDisable => [new("sizes_status", "disabled")],
        _ => [new("sizes_status", "error"), new("sizes_error", "not_kept")],
    };

    private static CacheStatistic[] OfListener(MemcachedContext context)
    {
        string address = $"tcp:{context.Endpoint.Address}:{Number(context.Endpoint.Port)}";
        return [new("0:addr", address), new("0:state", "conn_listening")];
    }

    private static CacheStatistic[] OfFrontEnd(MemcachedContext context) =>
    [
        new("pid", Number(Environment.ProcessId)),
        new("version", MemcachedContext.Version),
        new("pointer_size", Number(IntPtr.Size * 8)),
        new("max_connections", Number(context.Options.MaxConnections)),
        new("curr_connections", Number(context.Connections.Count)),
        new("total_connections", Number(context.Counters.Accepted)),
        new("rejected_connections", Number(context.Counters.Rejected)),
        new("connection_structures", Number(context.Connections.Count)),
        new("auth_cmds", "0"),
        new("auth_errors", "0"),
        new("bytes_read", Number(context.Counters.BytesRead)),
        new("bytes_written", Number(context.Counters.BytesWritten)),
        new("accepting_conns", "1"),
        new("threads", "1"),
        new("idle_kicks", Number(context.Counters.IdleKicks)),
        new("stalled_connections", Number(context.Counters.Stalled)),
        new("get_timeouts", Number(context.Counters.GetTimeouts)),
        new("failed_commands", Number(context.Counters.Failures)),
    ];

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}
