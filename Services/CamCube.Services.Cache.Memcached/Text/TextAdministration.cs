using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>The commands of the text protocol that name no key, but for stats and the tuning commands. Pure.</summary>
internal static class TextAdministration
{
    /// <summary>Parses a line whose first word is no command on a key.</summary>
    public static TextCommand Parse(TextTokens tokens)
    {
        ReadOnlySpan<byte> verb = tokens[0];
        if (verb.SequenceEqual("version"u8))
        {
            return TextParser.Reply(TextReply.Version);
        }

        if (verb.SequenceEqual("quit"u8))
        {
            return new TextCommand { Verb = TextVerb.Quit, Reply = TextReply.Nothing };
        }

        if (verb.SequenceEqual("stats"u8))
        {
            return TextStatisticsParser.Parse(tokens);
        }

        if (verb.SequenceEqual("flush_all"u8))
        {
            return ParseFlushAll(tokens);
        }

        if (verb.SequenceEqual("verbosity"u8))
        {
            return ParseVerbosity(tokens);
        }

        if (verb.SequenceEqual("shutdown"u8))
        {
            return ParseShutdown(tokens);
        }

        if (verb.SequenceEqual("refresh_certs"u8))
        {
            return new TextCommand { Verb = TextVerb.RefreshCertificates, NoReply = TextParser.WantsNoReply(tokens) };
        }

        if (TextTuning.TryParse(tokens, out TextCommand command))
        {
            return command;
        }

        // A browser tricked into sending commands in the body of a form: do not read on. memcached looks for that only
        // behind words that begin like none of its commands on keys.
        return verb.Length > 1 && !"gsacidt"u8.Contains(verb[0]) && tokens.Last.StartsWith("HTTP/"u8)
            ? new TextCommand { Verb = TextVerb.Quit, Reply = TextReply.Nothing }
            : TextParser.Reply(TextReply.Error);
    }

    private static TextCommand ParseFlushAll(TextTokens tokens)
    {
        if (tokens.Count > 3)
        {
            return TextParser.Reply(TextReply.Error);
        }

        var command = new TextCommand { Verb = TextVerb.FlushAll, NoReply = TextParser.WantsNoReply(tokens) };
        return tokens.Count != (command.NoReply ? 2 : 1) && !TextNumbers.TrySigned32(tokens[1], out command.Expiry)
            ? TextParser.Reply(TextReply.BadExpiry, command.NoReply)
            : command;
    }

    private static TextCommand ParseVerbosity(TextTokens tokens)
    {
        if (tokens.Count is not (2 or 3))
        {
            return TextParser.Reply(TextReply.Error);
        }

        bool noReply = TextParser.WantsNoReply(tokens);
        return TextNumbers.TryUnsigned32(tokens[1], out uint level)
            ? new TextCommand
            {
                Verb = TextVerb.Verbosity,
                Delta = level,
                NoReply = noReply,
            }
            : TextParser.Reply(TextReply.BadFormat, noReply);
    }

    private static TextCommand ParseShutdown(TextTokens tokens)
    {
        bool isGraceful = tokens.Count == 2 && tokens[1].SequenceEqual("graceful"u8);
        return new TextCommand
        {
            Verb = TextVerb.Shutdown,
            Reply = tokens.Count == 1 || isGraceful ? TextReply.Nothing : TextReply.BadShutdownMode,
            Delta = isGraceful ? 1u : 0,
        };
    }
}
