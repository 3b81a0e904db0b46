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
        group =
            name.SequenceEqual("server"u8) ? StatisticsGroup.Server
            : name.SequenceEqual("settings"u8) ? StatisticsGroup.Settings
            : name.SequenceEqual("items"u8) ? StatisticsGroup.Items
            : name.SequenceEqual("slabs"u8) ? StatisticsGroup.Slabs
            : name.SequenceEqual("sizes"u8) ? StatisticsGroup.Sizes
            : name.SequenceEqual("sizes_enable"u8) ? StatisticsGroup.SizesEnable
            : name.SequenceEqual("sizes_disable"u8) ? StatisticsGroup.SizesDisable
            : name.SequenceEqual("conns"u8) ? StatisticsGroup.Connections
            : name.SequenceEqual("reset"u8) ? StatisticsGroup.Reset
            : StatisticsGroup.Cube;
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
