using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>Command lines of memcached 1.6.18's text protocol (proto_text.c), with its order of checks. Pure.</summary>
internal static class TextParser
{
    /// <summary>Parses one line without its line end.</summary>
    public static TextCommand Parse(ReadOnlySpan<byte> line)
    {
        int end = 0;
        if (!TextTokens.TryNext(line, ref end, out int start))
        {
            return Reply(TextReply.Error);
        }

        ReadOnlySpan<byte> verb = line[start..end];
        if (verb[0] == 'g' || verb.SequenceEqual("bget"u8))
        {
            return ParseGet(verb, line[end..]);
        }

        var tokens = new TextTokens(line);
        if (TryGetStore(verb, out CacheOperation store))
        {
            return ParseStore(tokens, store);
        }

        if (verb.SequenceEqual("incr"u8) || verb.SequenceEqual("decr"u8))
        {
            return ParseArithmetic(tokens, verb[0] == 'i' ? CacheOperation.Increment : CacheOperation.Decrement);
        }

        if (verb.SequenceEqual("delete"u8))
        {
            return ParseDelete(tokens);
        }

        if (verb.SequenceEqual("touch"u8))
        {
            return ParseTouch(tokens);
        }

        return TextAdministration.Parse(tokens);
    }

    /// <summary>A command that is answered with a line.</summary>
    public static TextCommand Reply(TextReply reply, bool noReply = false) =>
        new()
        {
            Verb = TextVerb.Reply,
            Reply = reply,
            NoReply = noReply,
        };

    /// <summary>Whether the last word asks for no answer. memcached then leaves out error lines, too.</summary>
    public static bool WantsNoReply(TextTokens tokens) => tokens.Last.SequenceEqual("noreply"u8);

    private static bool TryGetStore(ReadOnlySpan<byte> verb, out CacheOperation operation)
    {
        operation =
            verb.SequenceEqual("set"u8) ? CacheOperation.Set
            : verb.SequenceEqual("cas"u8) ? CacheOperation.CompareAndSwap
            : verb.SequenceEqual("add"u8) ? CacheOperation.Add
            : verb.SequenceEqual("replace"u8) ? CacheOperation.Replace
            : verb.SequenceEqual("append"u8) ? CacheOperation.Append
            : verb.SequenceEqual("prepend"u8) ? CacheOperation.Prepend
            : CacheOperation.Get;
        return operation != CacheOperation.Get;
    }

    private static TextCommand ParseGet(ReadOnlySpan<byte> verb, ReadOnlySpan<byte> rest)
    {
        var command = new TextCommand { Verb = TextVerb.Get, Operation = CacheOperation.Get };
        int next = 0;
        if (!TextTokens.TryNext(rest, ref next, out int start))
        {
            return Reply(TextReply.Error);
        }

        if (verb.SequenceEqual("gets"u8) || verb.SequenceEqual("gats"u8))
        {
            command.WithCas = true;
        }
        else if (!verb.SequenceEqual("get"u8) && !verb.SequenceEqual("gat"u8) && !verb.SequenceEqual("bget"u8))
        {
            return Reply(TextReply.Error);
        }

        if (verb[1] == 'a')
        {
            command.Operation = CacheOperation.GetAndTouch;
            if (!TextNumbers.TrySigned32(rest[start..next], out command.Expiry))
            {
                return Reply(TextReply.BadExpiry);
            }

            rest = rest[next..];
        }

        // All keys are looked at before the first is read: one bad key makes memcached take back all answers.
        command.Key = rest;
        int keys = 0;
        for (next = 0; TextTokens.TryNext(rest, ref next, out start); keys++)
        {
            if (next - start > CommandSlot.MaxKeyLength)
            {
                return Reply(TextReply.BadFormat);
            }
        }

        return keys == 0 ? Reply(TextReply.End) : command;
    }

    private static TextCommand ParseStore(TextTokens tokens, CacheOperation operation)
    {
        bool hasCas = operation == CacheOperation.CompareAndSwap;
        int words = hasCas ? 6 : 5;
        if (tokens.Count != words && tokens.Count != words + 1)
        {
            return Reply(TextReply.Error);
        }

        var command = new TextCommand
        {
            Verb = TextVerb.Store,
            Operation = operation,
            Key = tokens[1],
            NoReply = WantsNoReply(tokens),
        };

        // memcached keeps the low 32 bits of a length, too, so that 4,294,967,297 announces one byte; here it is an
        // error.
        if (
            command.Key.Length > CommandSlot.MaxKeyLength
            || !TextNumbers.TryUnsigned32(tokens[2], out command.Flags)
            || !TextNumbers.TrySigned32(tokens[3], out command.Expiry)
            || !TextNumbers.TrySigned(tokens[4], out long length)
            || (hasCas && !TextNumbers.TryUnsigned(tokens[5], out command.Cas))
            || length is < 0 or > int.MaxValue - 2
        )
        {
            return Reply(TextReply.BadFormat, command.NoReply);
        }

        command.Length = (int)length;
        return command;
    }

    /// <summary>Whether there are the words of a command with a key and a number, and a key that may be one; if not,
    /// what is said.</summary>
    private static bool HasKeyAndNumber(TextTokens tokens, out bool noReply, out TextReply refusal)
    {
        bool hasWords = tokens.Count is 3 or 4;
        noReply = hasWords && WantsNoReply(tokens);
        refusal = hasWords ? TextReply.BadFormat : TextReply.Error;
        return hasWords && tokens[1].Length <= CommandSlot.MaxKeyLength;
    }

    private static TextCommand ParseArithmetic(TextTokens tokens, CacheOperation operation)
    {
        if (!HasKeyAndNumber(tokens, out bool noReply, out TextReply refusal))
        {
            return Reply(refusal, noReply);
        }

        return TextNumbers.TryUnsigned(tokens[2], out ulong delta)
            ? new TextCommand
            {
                Verb = TextVerb.Arithmetic,
                Operation = operation,
                Key = tokens[1],
                Delta = delta,
                NoReply = noReply,
            }
            : Reply(TextReply.BadDelta, noReply);
    }

    private static TextCommand ParseTouch(TextTokens tokens)
    {
        if (!HasKeyAndNumber(tokens, out bool noReply, out TextReply refusal))
        {
            return Reply(refusal, noReply);
        }

        return TextNumbers.TrySigned32(tokens[2], out int expiry)
            ? new TextCommand
            {
                Verb = TextVerb.Touch,
                Operation = CacheOperation.Touch,
                Key = tokens[1],
                Expiry = expiry,
                NoReply = noReply,
            }
            : Reply(TextReply.BadExpiry, noReply);
    }

    private static TextCommand ParseDelete(TextTokens tokens)
    {
        if (tokens.Count is not (>= 2 and <= 4))
        {
            return Reply(TextReply.Error);
        }

        bool noReply = false;
        if (tokens.Count > 2)
        {
            // An old form had a time; 0 is still allowed.
            bool hasZero = tokens[2].SequenceEqual("0"u8);
            noReply = WantsNoReply(tokens);
            if (tokens.Count == 3 ? !hasZero && !noReply : !hasZero || !noReply)
            {
                return Reply(TextReply.BadFormatOfDelete, noReply);
            }
        }

        if (tokens[1].Length > CommandSlot.MaxKeyLength)
        {
            return Reply(TextReply.BadFormat, noReply);
        }

        return new TextCommand
        {
            Verb = TextVerb.Delete,
            Operation = CacheOperation.Delete,
            Key = tokens[1],
            NoReply = noReply,
        };
    }
}
