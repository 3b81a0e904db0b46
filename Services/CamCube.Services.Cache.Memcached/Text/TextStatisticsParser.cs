using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>The stats commands of the text protocol. Pure.</summary>
internal static class TextStatisticsParser
{
    /// <summary>Parses a line whose first word is stats.</summary>
    public static TextCommand Parse(TextTokens tokens)
    {
        ReadOnlySpan<byte> name = tokens[1];
        if (tokens.Count == 1)
        {
            return Ask(StatisticsGroup.Cube);
        }

        if (name.SequenceEqual("detail"u8))
        {
            return ParseDetail(tokens);
        }

        if (name.SequenceEqual("cachedump"u8))
        {
            return ParseDump(tokens);
        }

        return TryGetGroup(name, out StatisticsGroup group) ? Ask(group) : TextParser.Reply(TextReply.Error);
    }

    /// <summary>The group of a name, of those that need no other word.</summary>
    public static bool TryGetGroup(ReadOnlySpan<byte> name, out StatisticsGroup group)
    {
        group = StatisticsGroup.Cube;
        if (name.SequenceEqual("server"u8))
        {
            group = StatisticsGroup.Server;
        }
        else if (name.SequenceEqual("settings"u8))
        {
            group = StatisticsGroup.Settings;
        }
        else if (name.SequenceEqual("items"u8))
        {
            group = StatisticsGroup.Items;
        }
        else if (name.SequenceEqual("slabs"u8))
        {
            group = StatisticsGroup.Slabs;
        }
        else if (name.SequenceEqual("sizes"u8))
        {
            group = StatisticsGroup.Sizes;
        }
        else if (name.SequenceEqual("sizes_enable"u8))
        {
            group = StatisticsGroup.SizesEnable;
        }
        else if (name.SequenceEqual("sizes_disable"u8))
        {
            group = StatisticsGroup.SizesDisable;
        }
        else if (name.SequenceEqual("conns"u8))
        {
            group = StatisticsGroup.Connections;
        }
        else if (name.SequenceEqual("reset"u8))
        {
            group = StatisticsGroup.Reset;
        }

        return group != StatisticsGroup.Cube;
    }

    private static TextCommand ParseDetail(TextTokens tokens)
    {
        ReadOnlySpan<byte> what = tokens[2];
        if (what.SequenceEqual("on"u8))
        {
            return Ask(StatisticsGroup.DetailOn);
        }

        if (what.SequenceEqual("off"u8))
        {
            return Ask(StatisticsGroup.DetailOff);
        }

        return what.SequenceEqual("dump"u8) ? Ask(StatisticsGroup.DetailDump) : TextParser.Reply(TextReply.DetailUsage);
    }

    private static TextCommand ParseDump(TextTokens tokens)
    {
        TextCommand dump = Ask(StatisticsGroup.Dump);
        if (tokens.Count < 4)
        {
            dump.Reply = TextReply.BadCommandLine;
        }
        else if (
            !TextNumbers.TryUnsigned32(tokens[2], out uint number)
            || !TextNumbers.TryUnsigned32(tokens[3], out dump.Flags)
        )
        {
            dump.Reply = TextReply.BadFormat;
        }
        else
        {
            (dump.Reply, dump.Delta) = (
                number < CacheStoreNumbers.MostClasses ? TextReply.Nothing : TextReply.BadSlabClass,
                number
            );
        }

        return dump;
    }

    private static TextCommand Ask(StatisticsGroup group) => new() { Verb = TextVerb.Statistics, Group = group };
}
