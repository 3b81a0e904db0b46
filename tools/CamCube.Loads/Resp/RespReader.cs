namespace CamCube.Loads.Resp;

/// <summary>Reads answers of RESP2 from what was received. Whatever comes, it stays within limits, and gives nothing
/// that was not sent. No allocation. Any thread.</summary>
public static class RespReader
{
    /// <summary>Bytes of a line: of an error, a number or a length.</summary>
    public const int MostLine = 64 << 10;

    /// <summary>Bytes of a value.</summary>
    public const int MostValue = 512 << 20;

    /// <summary>Elements of an array, those in it included.</summary>
    public const int MostElements = 1 << 20;

    /// <summary>Arrays in arrays.</summary>
    public const int MostDepth = 8;

    /// <summary>Reads one answer from the beginning of what was received.</summary>
    /// <param name="bytes">What was received.</param>
    /// <param name="head">The answer, if it is all there.</param>
    public static RespOutcome TryRead(ReadOnlySpan<byte> bytes, out RespHead head)
    {
        int elements = MostElements;
        return TryRead(bytes, MostDepth, ref elements, out head);
    }

    private static RespOutcome TryRead(ReadOnlySpan<byte> bytes, int depth, ref int elements, out RespHead head)
    {
        head = default;
        if (bytes.IsEmpty)
        {
            return RespOutcome.Partial;
        }

        byte type = bytes[0];
        if (!"+-:$*"u8.Contains(type))
        {
            // Said at once: a server of another protocol may never end its line.
            return RespOutcome.Breach;
        }

        int end = bytes[..Math.Min(bytes.Length, MostLine)].IndexOf((byte)'\n');
        if (end < 0)
        {
            return bytes.Length < MostLine ? RespOutcome.Partial : RespOutcome.Breach;
        }

        if (end < 2 || bytes[end - 1] != '\r')
        {
            return RespOutcome.Breach;
        }

        ReadOnlySpan<byte> line = bytes[1..(end - 1)];
        if (line.Contains((byte)'\r'))
        {
            return RespOutcome.Breach;
        }

        if (type is (byte)'+' or (byte)'-')
        {
            head = new RespHead(type == '+' ? RespKind.Simple : RespKind.Error, 1, line.Length, 0, end + 1);
            return RespOutcome.Taken;
        }

        if (!TryNumber(line, out long number))
        {
            return RespOutcome.Breach;
        }

        if (type == ':')
        {
            head = new RespHead(RespKind.Integer, 1, line.Length, number, end + 1);
            return RespOutcome.Taken;
        }

        if (number == -1)
        {
            head = new RespHead(RespKind.Null, end + 1, 0, 0, end + 1);
            return RespOutcome.Taken;
        }

        return type == '$'
            ? TryBulk(bytes, end + 1, number, out head)
            : TryArray(bytes, end + 1, number, depth, ref elements, out head);
    }

    private static RespOutcome TryBulk(ReadOnlySpan<byte> bytes, int at, long length, out RespHead head)
    {
        head = default;
        if (length is < 0 or > MostValue)
        {
            return RespOutcome.Breach;
        }

        int end = at + (int)length;
        if (bytes.Length > end && bytes[end] != '\r')
        {
            return RespOutcome.Breach;
        }

        if (bytes.Length < end + 2)
        {
            return RespOutcome.Partial;
        }

        head = new RespHead(RespKind.Bulk, at, (int)length, 0, end + 2);
        return bytes[end + 1] == '\n' ? RespOutcome.Taken : RespOutcome.Breach;
    }

    private static RespOutcome TryArray(
        ReadOnlySpan<byte> bytes,
        int at,
        long count,
        int depth,
        ref int elements,
        out RespHead head
    )
    {
        head = default;
        if (count < 0 || count > elements || depth == 0)
        {
            return RespOutcome.Breach;
        }

        elements -= (int)count;
        int next = at;
        for (int i = 0; i < count; i++)
        {
            RespOutcome outcome = TryRead(bytes[next..], depth - 1, ref elements, out RespHead element);
            if (outcome != RespOutcome.Taken)
            {
                return outcome;
            }

            next += element.Taken;
        }

        head = new RespHead(RespKind.Array, at, (int)count, 0, next);
        return RespOutcome.Taken;
    }

    // One sign or none, 1 to 19 digits, and nothing else.
    private static bool TryNumber(ReadOnlySpan<byte> text, out long number)
    {
        bool isNegative = text.StartsWith("-"u8);
        ReadOnlySpan<byte> digits = isNegative || text.StartsWith("+"u8) ? text[1..] : text;
        number = 0;
        if (digits.IsEmpty || digits.Length > 19 || digits.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            return false;
        }

        ulong value = 0;
        foreach (byte digit in digits)
        {
            value = (value * 10) + (ulong)(digit - '0');
        }

        number = isNegative ? unchecked((long)(0 - value)) : (long)value;
        return value <= long.MaxValue || (isNegative && value == 1UL << 63);
    }
}
