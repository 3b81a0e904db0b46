namespace CamCube.Services.KeyValue.Redis.Protocol;

/// <summary>Words of a line as people type them: parted by blanks, in double quotes with escapes, in single ones
/// without but <c>\'</c>. Pure.</summary>
internal static class InlineArguments
{
    /// <summary>Reads a line.</summary>
    /// <param name="line">The line, without its end.</param>
    /// <param name="into">Where the words go.</param>
    /// <returns>False: quotes do not end, or a word follows at once.</returns>
    public static bool TryRead(ReadOnlySpan<byte> line, RequestArguments into)
    {
        int at = 0;
        while (true)
        {
            while (at < line.Length && IsBlank(line[at]))
            {
                at++;
            }

            if (at == line.Length)
            {
                return true;
            }

            if (!TryReadWord(line, ref at, into))
            {
                return false;
            }

            into.EndArgument();
        }
    }

    private static bool TryReadWord(ReadOnlySpan<byte> line, ref int at, RequestArguments into)
    {
        while (at < line.Length && !IsBlank(line[at]))
        {
            byte letter = line[at++];
            if (letter is (byte)'"' or (byte)'\'')
            {
                return TryReadQuoted(line, letter, ref at, into) && (at == line.Length || IsBlank(line[at]));
            }

            into.Append([letter]);
        }

        return true;
    }

    private static bool TryReadQuoted(ReadOnlySpan<byte> line, byte quote, ref int at, RequestArguments into)
    {
        while (at < line.Length)
        {
            byte letter = line[at++];
            if (letter == quote)
            {
                return true;
            }

            if (letter == (byte)'\\' && at < line.Length && (quote == (byte)'"' || line[at] == (byte)'\''))
            {
                letter = quote == (byte)'"' ? ReadEscape(line, ref at) : line[at++];
            }

            into.Append([letter]);
        }

        return false;
    }

    private static byte ReadEscape(ReadOnlySpan<byte> line, ref int at)
    {
        byte letter = line[at++];
        if (
            letter == (byte)'x'
            && at + 1 < line.Length
            && HexOf(line[at]) is { } high
            && HexOf(line[at + 1]) is { } low
        )
        {
            at += 2;
            return (byte)((high << 4) | low);
        }

        return letter switch
        {
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            (byte)'b' => (byte)'\b',
            (byte)'a' => (byte)'\a',
            _ => letter,
        };
    }

    private static int? HexOf(byte letter) =>
        char.IsAsciiHexDigit((char)letter) ? Convert.ToInt32($"{(char)letter}", 16) : null;

    private static bool IsBlank(byte letter) => letter is (byte)' ' or (>= (byte)'\t' and <= (byte)'\r') or 0;
}
