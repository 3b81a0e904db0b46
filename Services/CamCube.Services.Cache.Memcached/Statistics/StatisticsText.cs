using System.Globalization;
using System.Text;
using CamCube.FrontEnds.Buffers;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>Answers stats commands: what the cache says, and what only the front end knows.</summary>
internal static class StatisticsText
{
    private const int MostDumpBytes = 2 << 20;
    private const int MostDumpItems = 65_536;

    /// <summary>Collects what a slot asks for and writes it into the slot's value.</summary>
    public static async ValueTask<CacheReply> CollectAsync(MemcachedContext context, CommandSlot slot)
    {
        IStatisticsForm form = slot.Form!;
        if (slot.Group == StatisticsGroup.Dump)
        {
            await DumpAsync(context, slot).ConfigureAwait(false);
            return default;
        }

        if (slot.Group == StatisticsGroup.Reset)
        {
            await ResetAsync(context).ConfigureAwait(false);
        }

        foreach (CacheStatistic line in await LinesAsync(context, slot.Group).ConfigureAwait(false))
        {
            form.Write(slot.Value, line.Name, line.Value);
        }

        // As in memcached these two have no end.
        if (slot.Group is not (StatisticsGroup.SizesEnable or StatisticsGroup.SizesDisable))
        {
            form.End(slot.Value);
        }

        return default;
    }

    /// <summary>Writes what <c>stats detail dump</c> gives.</summary>
    public static void WriteDetails(MemcachedContext context, CommandSlot slot, ReplyBuffer output)
    {
        slot.Form!.WriteDetails(slot.Value, context.Details.Dump());
        output.Write(slot.Value.Written.Span);
    }

    private static async ValueTask<IEnumerable<CacheStatistic>> LinesAsync(
        MemcachedContext context,
        StatisticsGroup group
    )
    {
        switch (group)
        {
            case StatisticsGroup.Cube or StatisticsGroup.Server:
                IEnumerable<CacheStatistic> general = await OfCacheAsync(context, group).ConfigureAwait(false);
                return GeneralStatistics.Of(
                    context,
                    [.. context.Baseline.Since(group, general)],
                    await StoreAsync(context).ConfigureAwait(false)
                );
            case StatisticsGroup.Items or StatisticsGroup.Slabs:
                return context.Baseline.Since(group, await OfCacheAsync(context, group).ConfigureAwait(false));
            case StatisticsGroup.Settings:
                return SettingStatistics.Of(context, await StoreAsync(context).ConfigureAwait(false));
            case StatisticsGroup.Connections:
                return ConnectionStatistics.Of(context);
            case StatisticsGroup.Reset or StatisticsGroup.DetailOn or StatisticsGroup.DetailOff:
                return [];
            case StatisticsGroup.Sizes:
                return SizeStatistics.Of(await StoreAsync(context).ConfigureAwait(false));
            default:
                return await SizeStatistics
                    .SwitchAsync(context, group == StatisticsGroup.SizesEnable)
                    .ConfigureAwait(false);
        }
    }

    private static async ValueTask<IEnumerable<CacheStatistic>> OfCacheAsync(
        MemcachedContext context,
        StatisticsGroup group
    ) =>
        group switch
        {
            StatisticsGroup.Items => ItemStatistics.OfItems(await StoreAsync(context).ConfigureAwait(false)),
            StatisticsGroup.Slabs => ItemStatistics.OfSlabs(await StoreAsync(context).ConfigureAwait(false)),
            _ => await context.Door.GetStatisticsAsync(group != StatisticsGroup.Server).ConfigureAwait(false),
        };

    private static async ValueTask<CacheStoreNumbers> StoreAsync(MemcachedContext context) =>
        StoreNumbersSum.Of(
            await context.Door.AskPartsAsync(static (cache, _) => cache.GetStoreNumbers(), 0).ConfigureAwait(false)
        );

    private static async ValueTask ResetAsync(MemcachedContext context)
    {
        var all = new List<(StatisticsGroup, IEnumerable<CacheStatistic>)>();
        foreach (
            StatisticsGroup group in new[]
            {
                StatisticsGroup.Cube,
                StatisticsGroup.Server,
                StatisticsGroup.Items,
                StatisticsGroup.Slabs,
            }
        )
        {
            all.Add((group, await OfCacheAsync(context, group).ConfigureAwait(false)));
        }

        context.Baseline.Set(all);
        context.ResetStatistics();
    }

    private static async ValueTask DumpAsync(MemcachedContext context, CommandSlot slot)
    {
        (int number, uint wanted) = ((int)slot.Terms.Delta, (uint)slot.Terms.Initial);
        int most = wanted is 0 or > MostDumpItems ? MostDumpItems : (int)wanted;
        var text = new StringBuilder();
        foreach (
            IReadOnlyList<CacheListedItem> items in await context
                .Door.AskPartsAsync(static (cache, ask) => cache.ListItems(ask.number, ask.most), (number, most))
                .ConfigureAwait(false)
        )
        {
            foreach (CacheListedItem item in items)
            {
                if (most-- > 0 && text.Length < MostDumpBytes)
                {
                    text.Append(
                        CultureInfo.InvariantCulture,
                        $"ITEM {Encoding.Latin1.GetString(item.Key)} [{item.Length} b; {item.ExpiresAt} s]\r\n"
                    );
                }
            }
        }

        slot.Form!.WriteDetails(slot.Value, text.Append("END\r\n").ToString());
    }
}
