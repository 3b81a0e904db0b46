using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Meta;

/// <summary>
/// The flags behind a meta command's key, read from left to right as memcached 1.6.18 does: flags that the command has
/// no use for are checked all the same, each may be given once. The span of the opaque is part of the line.
/// </summary>
internal ref struct MetaFlags
{
    /// <summary>Most words a line may have, verb and key among them.</summary>
    public const int MaxWords = 19;

    private UInt128 _seen;

    /// <summary>Flags that return something.</summary>
    public MetaReturns Returns;

    /// <summary>What memcached says of the flags; <see cref="TextReply.Ok"/> if nothing is wrong.</summary>
    public TextReply Error;

    /// <summary>O with its text, or nothing.</summary>
    public ReadOnlySpan<byte> Opaque;

    /// <summary>C: the token, if <see cref="HasCas"/>.</summary>
    public ulong Cas;

    /// <summary>D, or 1.</summary>
    public ulong Delta;

    /// <summary>J.</summary>
    public ulong Initial;

    /// <summary>F.</summary>
    public uint ClientFlags;

    /// <summary>T, if <see cref="HasExpiry"/>.</summary>
    public int Expiry;

    /// <summary>N, if <see cref="Vivifies"/>.</summary>
    public int VivifyExpiry;

    /// <summary>R, if <see cref="Recaches"/>.</summary>
    public int RecacheSeconds;

    /// <summary>M; 0 if it was not given.</summary>
    public byte Mode;

    public MetaFlags()
    {
        Error = TextReply.Ok;
        Delta = 1;
    }

    /// <summary>Whether T was given.</summary>
    public readonly bool HasExpiry => Has('T');

    /// <summary>Whether N was given.</summary>
    public readonly bool Vivifies => Has('N');

    /// <summary>Whether R was given.</summary>
    public readonly bool Recaches => Has('R');

    /// <summary>Whether C was given.</summary>
    public readonly bool HasCas => Has('C');

    /// <summary>I.</summary>
    public readonly bool Invalidates => Has('I');

    /// <summary>b.</summary>
    public readonly bool HasBinaryKey => Has('b');

    /// <summary>v.</summary>
    public readonly bool WantsValue => Has('v');

    /// <summary>u.</summary>
    public readonly bool KeepsAge => Has('u');

    /// <summary>q.</summary>
    public readonly bool IsQuiet => Has('q');

    /// <summary>Whether O is longer than may be repeated.</summary>
    public readonly bool IsOpaqueTooLong => Opaque.Length > CommandSlot.MaxOpaqueLength;

    /// <summary>
    /// Reads all words. The last error counts, as in memcached, but a flag that is unknown or there twice ends it.
    /// </summary>
    public void Read(ReadOnlySpan<byte> words)
    {
        int next = 0;
        while (TextTokens.TryNext(words, ref next, out int start))
        {
            ReadOnlySpan<byte> word = words[start..next];
            const byte FirstBeyond = 127;
            if (word[0] >= FirstBeyond || Has((char)word[0]))
            {
                Error = TextReply.DuplicateFlag;
                return;
            }

            _seen |= UInt128.One << word[0];
            if (!Take(word))
            {
                Error = TextReply.InvalidFlag;
                return;
            }
        }
    }

    private readonly bool Has(char flag) => (_seen >> flag & UInt128.One) != UInt128.Zero;

    private bool Take(ReadOnlySpan<byte> word)
    {
        ReadOnlySpan<byte> argument = word[1..];
        switch ((char)word[0])
        {
            case 's' or 't' or 'c' or 'f' or 'l' or 'h' or 'k':
                Returns.Add(word[0]);
                return true;
            case 'O':
                Opaque = word;
                Returns.Add(word[0]);
                return true;
            case 'b':
                Returns.HasBinaryKey = true;
                return true;
            case 'v' or 'u' or 'q' or 'I' or 'P' or 'L':
                return true;
            case 'T':
                return Check(TextNumbers.TrySigned32(argument, out Expiry), TextReply.BadToken);
            case 'N':
                return Check(TextNumbers.TrySigned32(argument, out VivifyExpiry), TextReply.BadToken);
            case 'R':
                return Check(TextNumbers.TrySigned32(argument, out RecacheSeconds), TextReply.BadToken);
            case 'C':
                return Check(TextNumbers.TryUnsigned(argument, out Cas), TextReply.BadToken);
            case 'F':
                // memcached names no error here: one that was named before stays.
                return Check(
                    TextNumbers.TryUnsigned32(argument, out ClientFlags),
                    Error == TextReply.Ok ? TextReply.BadFormat : Error
                );
            case 'J':
                return Check(TextNumbers.TryUnsigned(argument, out Initial), TextReply.BadInitial);
            case 'D':
                return Check(TextNumbers.TryUnsigned(argument, out Delta), TextReply.BadMetaDelta);
            case 'M':
                Mode = argument.Length == 1 ? argument[0] : (byte)0;
                return Check(argument.Length == 1, TextReply.BadModeLength);
            default:
                return false;
        }
    }

    private bool Check(bool isRight, TextReply error)
    {
        if (!isRight)
        {
            Error = error;
        }

        return true;
    }
}
