using System.Buffers.Text;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>
/// Commands that tune memcached: its memory limit, and parts which do not exist here (slab classes, segmented LRU,
/// crawler, log watchers). These are checked as memcached checks them; what it would only note is OK, what would have
/// to do something is refused with the words of a memcached where that part is turned off. Pure.
/// </summary>
internal static class TextTuning
{
    /// <summary>Parses a line if its first word is one of these commands.</summary>
    public static bool TryParse(TextTokens tokens, out TextCommand command)
    {
        ReadOnlySpan<byte> verb = tokens[0];
        TextReply reply;
        bool noReply = TextParser.WantsNoReply(tokens);
        if (verb.SequenceEqual("cache_memlimit"u8))
        {
            command = LimitMemory(tokens, noReply && tokens.Count is 2 or 3);
            return true;
        }

        if (verb.SequenceEqual("lru"u8))
        {
            (reply, noReply) = (TuneLru(tokens), noReply && tokens.Count > 1);
        }
        else if (verb.SequenceEqual("lru_crawler"u8))
        {
            (reply, noReply) = (Crawl(tokens), false);
        }
        else if (verb.SequenceEqual("slabs"u8))
        {
            (reply, noReply) = (MoveSlabs(tokens), noReply && IsAutomove(tokens));
        }
        else
        {
            reply = verb.SequenceEqual("watch"u8) ? TextReply.NoWatch : TextReply.Nothing;
        }

        command = TextParser.Reply(reply, noReply);
        return reply != TextReply.Nothing;
    }

    private static TextCommand LimitMemory(TextTokens tokens, bool noReply)
    {
        const uint LeastMebibytes = 8,
            MostMebibytes = 1_000_000_000;
        if (tokens.Count is not (2 or 3) || !TextNumbers.TryUnsigned32(tokens[1], out uint mebibytes))
        {
            return TextParser.Reply(TextReply.Error, noReply);
        }

        return mebibytes switch
        {
            < LeastMebibytes => TextParser.Reply(TextReply.MemoryLimitTooSmall, noReply),
            > MostMebibytes => TextParser.Reply(TextReply.MemoryLimitInBytes, noReply),
            _ => new TextCommand
            {
                Verb = TextVerb.MemoryLimit,
                Delta = mebibytes,
                NoReply = noReply,
            },
        };
    }

    private static TextReply TuneLru(TextTokens tokens)
    {
        ReadOnlySpan<byte> what = tokens[1];
        if (what.SequenceEqual("tune"u8) && tokens.Count >= 6)
        {
            return TuneFactors(tokens);
        }

        if (what.SequenceEqual("mode"u8) && tokens.Count >= 3)
        {
            bool isMode = tokens[2].SequenceEqual("flat"u8) || tokens[2].SequenceEqual("segmented"u8);
            return isMode ? TextReply.Ok : TextReply.Error;
        }

        return what.SequenceEqual("temp_ttl"u8) && tokens.Count >= 3 && TextNumbers.TrySigned32(tokens[2], out _)
            ? TextReply.Ok
            : TextReply.Error;
    }

    private static TextReply TuneFactors(TextTokens tokens)
    {
        const uint MostPercent = 80;
        if (
            !TextNumbers.TryUnsigned32(tokens[2], out uint hot)
            || !TextNumbers.TryUnsigned32(tokens[3], out uint warm)
            || !TryFraction(tokens[4], out double hotFactor)
            || !TryFraction(tokens[5], out double warmFactor)
        )
        {
            return TextReply.Error;
        }

        if (unchecked(hot + warm) > MostPercent)
        {
            return TextReply.LruPercentTooHigh;
        }

        return hotFactor <= 0 || warmFactor <= 0 ? TextReply.LruFactorTooLow : TextReply.Ok;
    }

    private static TextReply Crawl(TextTokens tokens)
    {
        const uint MostMicroseconds = 1_000_000;
        ReadOnlySpan<byte> what = tokens[1];
        if (tokens.Count == 2)
        {
            bool isKnown = what.SequenceEqual("enable"u8) || what.SequenceEqual("disable"u8);
            return isKnown ? TextReply.Ok : TextReply.Error;
        }

        if (tokens.Count != 3)
        {
            return TextReply.Error;
        }

        if (what.SequenceEqual("crawl"u8) || what.SequenceEqual("metadump"u8))
        {
            return TextReply.NoCrawler;
        }

        if (!what.SequenceEqual("tocrawl"u8) && !what.SequenceEqual("sleep"u8))
        {
            return TextReply.Error;
        }

        if (!TextNumbers.TryUnsigned32(tokens[2], out uint number))
        {
            return TextReply.BadFormat;
        }

        return what.SequenceEqual("sleep"u8) && number > MostMicroseconds
            ? TextReply.CrawlerSleepTooLong
            : TextReply.Ok;
    }

    private static bool IsAutomove(TextTokens tokens) => tokens.Count >= 3 && tokens[1].SequenceEqual("automove"u8);

    private static TextReply MoveSlabs(TextTokens tokens)
    {
        if (tokens.Count == 4 && tokens[1].SequenceEqual("reassign"u8))
        {
            return TextReply.NoReassignment;
        }

        if (!IsAutomove(tokens))
        {
            return TextReply.Error;
        }

        if (tokens[2].SequenceEqual("ratio"u8))
        {
            return tokens.Count >= 4 && TryFraction(tokens[3], out _) ? TextReply.Ok : TextReply.Error;
        }

        if (!TextNumbers.TryUnsigned32(tokens[2], out uint level))
        {
            return TextReply.BadFormat;
        }

        return level <= 2 ? TextReply.Ok : TextReply.Error;
    }

    private static bool TryFraction(ReadOnlySpan<byte> text, out double value) =>
        Utf8Parser.TryParse(text, out value, out int length) && length == text.Length;
}
