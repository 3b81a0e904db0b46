using System.Buffers.Text;
using System.Text;

namespace CamCube.Client.Cache.Protocol;

/// <summary>The line of a meta answer, without its end: a code, for VA a length, then flags.</summary>
internal readonly ref struct AnswerLine
{
    private AnswerLine(ReadOnlySpan<byte> code) => Code = code;

    /// <summary>VA, HD, EN, NF, NS, EX, or the first word of something else.</summary>
    public ReadOnlySpan<byte> Code { get; }

    /// <summary>Length of the data that follow a VA line, without their line end.</summary>
    public long DataLength { get; private init; }

    /// <summary>The flag f.</summary>
    public uint ClientFlags { get; private init; }

    /// <summary>The flag t.</summary>
    public long SecondsLeft { get; private init; }

    /// <summary>The flag c.</summary>
    public ulong Cas { get; private init; }

    /// <summary>The flag O, as a number; null without one.</summary>
    public uint? Opaque { get; private init; }

    /// <summary>Reads a line.</summary>
    /// <returns>False if a length or a flag is no number.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out AnswerLine line)
    {
        ReadOnlySpan<byte> rest = text;
        line = new AnswerLine(TakeWord(ref rest));
        if (line.Code.Length != 2)
        {
            return true;
        }

        long dataLength = 0;
        if (line.Code.SequenceEqual("VA"u8) && !TryNumber(TakeWord(ref rest), out dataLength))
        {
            return false;
        }

        uint clientFlags = 0;
        uint? opaque = null;
        long secondsLeft = 0;
        ulong cas = 0;
        while (!rest.IsEmpty)
        {
            ReadOnlySpan<byte> word = TakeWord(ref rest);
            if (word.IsEmpty)
            {
                continue;
            }

            ReadOnlySpan<byte> token = word[1..];
            bool isGood = true;
            switch (word[0])
            {
                case (byte)'f':
                    isGood = Utf8Parser.TryParse(token, out clientFlags, out int used) && used == token.Length;
                    break;
                case (byte)'t':
                    isGood = TryNumber(token, out secondsLeft);
                    break;
                case (byte)'c':
                    isGood = Utf8Parser.TryParse(token, out cas, out used) && used == token.Length;
                    break;
                case (byte)'O':
                    isGood = Utf8Parser.TryParse(token, out uint number, out used) && used == token.Length;
                    opaque = number;
                    break;
            }

            if (!isGood)
            {
                return false;
            }
        }

        line = new AnswerLine(line.Code)
        {
            DataLength = dataLength,
            ClientFlags = clientFlags,
            SecondsLeft = secondsLeft,
            Cas = cas,
            Opaque = opaque,
        };
        return true;
    }

    /// <summary>A line for a message: bounded, and without bytes that could do harm in a log.</summary>
    public static string ToText(ReadOnlySpan<byte> line)
    {
        const int Most = 120;
        var text = new StringBuilder();
        foreach (byte one in line[..Math.Min(line.Length, Most)])
        {
            text.Append(one is >= 0x20 and < 0x7f ? (char)one : '?');
        }

        return line.Length > Most ? text.Append("...").ToString() : text.ToString();
    }

    private static ReadOnlySpan<byte> TakeWord(scoped ref ReadOnlySpan<byte> rest)
    {
        int space = rest.IndexOf((byte)' ');
        ReadOnlySpan<byte> word = space < 0 ? rest : rest[..space];
        rest = space < 0 ? default : rest[(space + 1)..];
        return word;
    }

    private static bool TryNumber(ReadOnlySpan<byte> text, out long number) =>
        Utf8Parser.TryParse(text, out number, out int used) && used == text.Length;
}
