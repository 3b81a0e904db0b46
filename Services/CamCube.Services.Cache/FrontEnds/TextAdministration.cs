namespace CamCube.Services.Cache.FrontEnds;

/// <summary>The commands of the text protocol that name no key. Pure.</summary>
internal static class TextAdministration
{
    /// <summary>Parses a line whose first word is no command on a key.</summary>
    internal static TextCommand Parse(TextTokens tokens)
    {
        ReadOnlySpan<byte> verb = tokens[0];
        if (verb.SequenceEqual("version"u8))
            return TextParser.Reply(TextReply.Version);
        if (verb.SequenceEqual("quit"u8))
            return new TextCommand { Verb = TextVerb.Quit };
        if (verb.SequenceEqual("stats"u8))
            return ParseStatistics(tokens);
        if (verb.SequenceEqual("flush_all"u8))
            return ParseFlushAll(tokens);
        if (verb.SequenceEqual("verbosity"u8))
            return ParseVerbosity(tokens);
        if (verb.SequenceEqual("shutdown"u8))
            return TextParser.Reply(TextReply.NoShutdown);

        // A browser tricked into sending commands in the body of a form: do not read on.
        return tokens.Last.StartsWith("HTTP/"u8)
            ? new TextCommand { Verb = TextVerb.Quit }
            : TextParser.Reply(TextReply.Error);
    }

    private static TextCommand ParseFlushAll(TextTokens tokens)
    {
        if (tokens.Count > 3)
            return TextParser.Reply(TextReply.Error);
        var command = new TextCommand { Verb = TextVerb.FlushAll, NoReply = TextParser.WantsNoReply(tokens) };
        return tokens.Count != (command.NoReply ? 2 : 1) && !TextNumbers.TrySigned32(tokens[1], out command.Expiry)
            ? TextParser.Reply(TextReply.BadExpiry, command.NoReply)
            : command;
    }

    private static TextCommand ParseVerbosity(TextTokens tokens)
    {
        if (tokens.Count is not (2 or 3))
            return TextParser.Reply(TextReply.Error);
        TextReply reply = TextNumbers.TryUnsigned32(tokens[1], out _) ? TextReply.Ok : TextReply.BadFormat;
        return TextParser.Reply(reply, TextParser.WantsNoReply(tokens));
    }

    private static TextCommand ParseStatistics(TextTokens tokens)
    {
        ReadOnlySpan<byte> name = tokens[1];
        if (tokens.Count == 1)
            return new TextCommand { Verb = TextVerb.Statistics };
        if (name.SequenceEqual("server"u8))
            return new TextCommand { Verb = TextVerb.StatisticsOfServer };
        if (name.SequenceEqual("settings"u8))
            return new TextCommand { Verb = TextVerb.Settings };
        if (name.SequenceEqual("reset"u8))
            return new TextCommand { Verb = TextVerb.ResetStatistics };
        if (name.SequenceEqual("detail"u8))
            return ParseDetail(tokens);
        if (name.SequenceEqual("cachedump"u8))
            return TextParser.Reply(TextReply.NoCacheDump);
        if (name.SequenceEqual("sizes"u8))
            return TextParser.Reply(TextReply.SizesDisabled);

        // There are no slab classes here, and nothing is kept per class or connection.
        bool isKnown = name.SequenceEqual("items"u8) || name.SequenceEqual("slabs"u8) || name.SequenceEqual("conns"u8);
        return TextParser.Reply(isKnown ? TextReply.End : TextReply.Error);
    }

    private static TextCommand ParseDetail(TextTokens tokens)
    {
        ReadOnlySpan<byte> what = tokens[2];
        if (what.SequenceEqual("on"u8) || what.SequenceEqual("off"u8))
            return TextParser.Reply(TextReply.Ok);
        return TextParser.Reply(what.SequenceEqual("dump"u8) ? TextReply.End : TextReply.DetailUsage);
    }
}
