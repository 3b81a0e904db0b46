using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Meta;

/// <summary>
/// Lines of memcached 1.6.18's meta commands (mg ms md ma mn me), with its order of checks, straight into a slot. Pure
/// but for the slot.
/// </summary>
internal static class MetaParser
{
    private const int VerbLength = 2;

    /// <summary>Whether a line is a meta command: its first word has two letters, the first of them m.</summary>
    public static bool IsMeta(ReadOnlySpan<byte> line)
    {
        int start = line.IndexOfAnyExcept((byte)' ');
        return start >= 0
            && line[start] == 'm'
            && line.Length >= start + VerbLength
            && line[start + 1] != ' '
            && (line.Length == start + VerbLength || line[start + VerbLength] == ' ');
    }

    /// <summary>Parses a line for which <see cref="IsMeta"/> is true.</summary>
    /// <param name="line">The line without its end.</param>
    /// <param name="slot">An empty slot.</param>
    public static MetaStep Parse(ReadOnlySpan<byte> line, CommandSlot slot)
    {
        int next = 0;
        TextTokens.TryNext(line, ref next, out int start);
        byte kind = line[start + 1];
        if (kind == 'n')
        {
            return Answer(slot, TextReply.MetaNoop);
        }

        bool hasKey = TextTokens.TryNext(line, ref next, out start);
        ReadOnlySpan<byte> key = hasKey ? line[start..next] : default;
        if (kind == 'e')
        {
            return ParseInspect(key, line[next..], slot);
        }

        if (!hasKey || kind is not ((byte)'g' or (byte)'s' or (byte)'d' or (byte)'a'))
        {
            return Answer(slot, TextReply.Error);
        }

        if (key.Length > CommandSlot.MaxKeyLength)
        {
            return Answer(slot, TextReply.BadFormat);
        }

        ReadOnlySpan<byte> words = line[next..];
        return kind == 's' ? ParseSet(key, words, slot) : ParseWithoutData(kind, key, words, slot);
    }

    private static MetaStep ParseWithoutData(
        byte kind,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> words,
        CommandSlot slot
    )
    {
        if (HasTooManyWords(words))
        {
            return Answer(slot, kind == 'g' ? TextReply.OptionsAreTooLong : TextReply.OptionsTooLong);
        }

        var flags = new MetaFlags();
        TextReply error = ReadFlags(ref flags, key, words, slot);
        if (error != TextReply.Ok)
        {
            return Answer(slot, kind == 'g' ? error : TextReply.InvalidOrDuplicateFlag);
        }

        CacheOperation count = CacheOperation.Increment;
        if (kind == 'a' && !TryGetCount(flags.Mode, out count))
        {
            return Answer(slot, TextReply.BadArithmeticMode);
        }

        if (flags.IsOpaqueTooLong)
        {
            return Answer(slot, TextReply.OpaqueTooLong);
        }

        switch ((char)kind)
        {
            case 'g':
                FillGet(slot, flags);
                break;
            case 'd':
                FillDelete(slot, flags);
                break;
            default:
                FillArithmetic(slot, flags, count);
                break;
        }

        return MetaStep.Nothing;
    }

    private static void FillGet(CommandSlot slot, in MetaFlags flags)
    {
        CacheTermOptions options = KeyOption(flags) | CacheTermOptions.WinStale;
        if (flags.Vivifies)
        {
            options |= CacheTermOptions.Vivify;
        }

        if (flags.Recaches)
        {
            options |= CacheTermOptions.Recache;
        }

        if (flags.KeepsAge)
        {
            options |= CacheTermOptions.KeepAge;
        }

        if (!flags.WantsValue)
        {
            options |= CacheTermOptions.WithoutValue;
        }

        Fill(
            slot,
            flags,
            SlotAnswer.MetaGet,
            new CacheTerms
            {
                Operation = flags.HasExpiry ? CacheOperation.GetAndTouch : CacheOperation.Get,
                Options = options,
                Expiry = flags.Expiry,
                VivifyExpiry = flags.VivifyExpiry,
                RecacheSeconds = flags.RecacheSeconds,
            }
        );
    }

    private static void FillDelete(CommandSlot slot, in MetaFlags flags)
    {
        CacheTermOptions options = KeyOption(flags);
        if (flags.Invalidates)
        {
            options |= CacheTermOptions.Invalidate;
        }

        if (flags.HasExpiry)
        {
            options |= CacheTermOptions.SetExpiry;
        }

        // A token of 0 is a condition that no item meets; in the cache's terms 0 is no condition.
        ulong cas = flags.HasCas && flags.Cas == 0 ? ulong.MaxValue : flags.Cas;
        Fill(
            slot,
            flags,
            SlotAnswer.MetaDeleted,
            new CacheTerms
            {
                Operation = CacheOperation.Delete,
                Options = options,
                Expiry = flags.Expiry,
                Cas = cas,
            }
        );
    }

    private static void FillArithmetic(CommandSlot slot, in MetaFlags flags, CacheOperation operation)
    {
        CacheTermOptions options = KeyOption(flags);
        if (flags.Vivifies)
        {
            options |= CacheTermOptions.Vivify;
        }

        if (flags.HasExpiry)
        {
            options |= CacheTermOptions.SetExpiry;
        }

        Fill(
            slot,
            flags,
            SlotAnswer.MetaNumber,
            new CacheTerms
            {
                Operation = operation,
                Options = options,
                Expiry = flags.Expiry,
                VivifyExpiry = flags.VivifyExpiry,
                Cas = flags.Cas,
                Delta = flags.Delta,
                Initial = flags.Initial,
            }
        );
        slot.WantsNumber = flags.WantsValue;
    }

    private static MetaStep ParseSet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> words, CommandSlot slot)
    {
        int next = 0;
        if (!TextTokens.TryNext(words, ref next, out int start))
        {
            return Answer(slot, TextReply.BadFormat);
        }

        if (HasTooManyWords(words))
        {
            return Answer(slot, TextReply.OptionsTooLong);
        }

        // memcached keeps the low 32 bits of a length, so that 4,294,967,297 announces one byte; here it is an error.
        if (!TextNumbers.TrySigned(words[start..next], out long length) || length is < 0 or > int.MaxValue - 2)
        {
            return Answer(slot, TextReply.BadFormat);
        }

        var flags = new MetaFlags();
        TextReply error = ReadFlags(ref flags, key, words[next..], slot);
        bool isMode = TryGetStore(flags, out CacheOperation operation);
        if (error == TextReply.Ok && !isMode)
        {
            error = TextReply.BadSetMode;
        }

        if (error == TextReply.Ok && flags.IsOpaqueTooLong)
        {
            error = TextReply.OpaqueTooLong;
        }

        if (error != TextReply.Ok)
        {
            Answer(slot, error);
            return new MetaStep(MetaStepKind.Garbage, (int)length);
        }

        CacheTermOptions options = KeyOption(flags);
        if (flags.Invalidates && operation == CacheOperation.CompareAndSwap)
        {
            options |= CacheTermOptions.Invalidate;
        }

        Fill(
            slot,
            flags,
            SlotAnswer.MetaStored,
            new CacheTerms
            {
                Operation = operation,
                Options = options,
                Flags = flags.ClientFlags,
                Expiry = flags.Expiry,
                Cas = operation == CacheOperation.Add ? 0 : flags.Cas,
            }
        );
        return new MetaStep(MetaStepKind.Data, (int)length);
    }

    private static MetaStep ParseInspect(ReadOnlySpan<byte> key, ReadOnlySpan<byte> words, CommandSlot slot)
    {
        if (key.Length is 0 or > CommandSlot.MaxKeyLength)
        {
            return Answer(slot, TextReply.BadFormat);
        }

        int next = 0;
        bool isBinary = TextTokens.TryNext(words, ref next, out int start) && words[start..next].SequenceEqual("b"u8);
        if (!isBinary)
        {
            slot.SetKey(key);
        }
        else if (!slot.TrySetBase64Key(key))
        {
            return Answer(slot, TextReply.BadFormat);
        }

        slot.Work = SlotWork.Cache;
        slot.Answer = SlotAnswer.MetaFacts;
        slot.Terms = new CacheTerms { Operation = CacheOperation.Inspect };
        return MetaStep.Nothing;
    }

    private static TextReply ReadFlags(
        ref MetaFlags flags,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> words,
        CommandSlot slot
    )
    {
        flags.Read(words);
        if (!flags.HasBinaryKey)
        {
            slot.SetKey(key);
        }
        else if (!slot.TrySetBase64Key(key) && flags.Error == TextReply.Ok)
        {
            return TextReply.BadBase64;
        }

        return flags.Error;
    }

    private static void Fill(CommandSlot slot, in MetaFlags flags, SlotAnswer answer, in CacheTerms terms)
    {
        slot.Work = SlotWork.Cache;
        slot.Answer = answer;
        slot.NoReply = flags.IsQuiet;
        slot.Terms = terms;
        slot.Returns = flags.Returns;
        slot.SetOpaque(flags.Opaque);
    }

    private static MetaStep Answer(CommandSlot slot, TextReply line)
    {
        slot.SetLine(line);
        return MetaStep.Nothing;
    }

    private static CacheTermOptions KeyOption(in MetaFlags flags) =>
        flags.HasBinaryKey ? CacheTermOptions.BinaryKey : CacheTermOptions.None;

    /// <summary>Whether the whole line, with verb and key, has more words than memcached takes.</summary>
    private static bool HasTooManyWords(ReadOnlySpan<byte> words)
    {
        const int VerbAndKey = 2;
        int count = VerbAndKey,
            next = 0;
        while (TextTokens.TryNext(words, ref next, out _))
        {
            if (++count > MetaFlags.MaxWords)
            {
                return true;
            }
        }

        return false;
    }

    private static bool TryGetCount(byte mode, out CacheOperation operation)
    {
        operation = mode is (byte)'D' or (byte)'-' ? CacheOperation.Decrement : CacheOperation.Increment;
        return mode is 0 or (byte)'I' or (byte)'+' or (byte)'D' or (byte)'-';
    }

    private static bool TryGetStore(in MetaFlags flags, out CacheOperation operation)
    {
        operation = (char)flags.Mode switch
        {
            'E' => CacheOperation.Add,
            'A' => CacheOperation.Append,
            'P' => CacheOperation.Prepend,
            'R' => CacheOperation.Replace,
            _ => CacheOperation.Set,
        };
        if (flags.HasCas && operation is CacheOperation.Set or CacheOperation.Replace)
        {
            operation = CacheOperation.CompareAndSwap;
        }

        return flags.Mode is 0 or (byte)'E' or (byte)'A' or (byte)'P' or (byte)'R' or (byte)'S';
    }
}
