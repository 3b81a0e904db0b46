using System.Buffers.Binary;

namespace CamCube.Messaging.Streams.Wire;

/// <summary>Reads the frames of a body one after the other; nothing in a body makes it throw.</summary>
internal ref struct FrameReader(ReadOnlySpan<byte> body)
{
    /// <summary>Offsets in a stream are below this.</summary>
    public const long MostOffset = 1L << 48;

    private ReadOnlySpan<byte> _rest = body;

    /// <summary>It has met what is no frame.</summary>
    public bool IsMalformed { get; private set; }

    public FrameType Type { get; private set; }

    /// <summary>Of all but acknowledgements and pings.</summary>
    public uint Stream { get; private set; }

    /// <summary>Of data, Blocked; consumed of Credit; final of Reset; marked so far of Ack.</summary>
    public long Offset { get; private set; }

    /// <summary>Of Credit.</summary>
    public long Limit { get; private set; }

    /// <summary>Of Credit: something of the first flight was not kept.</summary>
    public bool HasDropped { get; private set; }

    /// <summary>Of Reset and Stop; largest packet number of Ack.</summary>
    public uint Code { get; private set; }

    /// <summary>Of Ack: µs between the arrival of the largest and the acknowledgement.</summary>
    public int DelayMicros { get; private set; }

    /// <summary>Of Ack.</summary>
    public int Path { get; private set; }

    /// <summary>Of data: it says what stream this is.</summary>
    public bool IsFirst { get; private set; }

    /// <summary>Of data: nothing comes behind it.</summary>
    public bool IsLast { get; private set; }

    /// <summary>Of a first one.</summary>
    public StreamPurpose Purpose { get; private set; }

    /// <summary>Of Reset.</summary>
    public ResetWhy Why { get; private set; }

    /// <summary>Of data, and of Ack the ranges.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>The next frame. False: there is none, or it is malformed.</summary>
    public bool TryNext()
    {
        if (_rest.IsEmpty)
        {
            return false;
        }

        Type = (FrameType)_rest[0];
        _rest = _rest[1..];
        IsMalformed = !TryRead();
        return !IsMalformed;
    }

    /// <summary>Takes one range of packet numbers from the bytes of an acknowledgement: packets missing above it, and
    /// packets in it.</summary>
    public static (int Gap, int Length) RangeAt(ReadOnlySpan<byte> ranges, int index) =>
        (
            BinaryPrimitives.ReadUInt16LittleEndian(ranges[(index * 4)..]),
            BinaryPrimitives.ReadUInt16LittleEndian(ranges[((index * 4) + 2)..])
        );

    private bool TryRead() =>
        Type switch
        {
            FrameType.Data => TryReadData(),
            FrameType.Ack => TryReadAck(),
            FrameType.Credit => TryTake(16, out ReadOnlySpan<byte> b) && ReadCredit(b),
            FrameType.Reset => TryTake(15, out ReadOnlySpan<byte> b) && ReadReset(b),
            FrameType.Stop => TryTake(8, out ReadOnlySpan<byte> b) && ReadStop(b),
            FrameType.Ping => true,
            FrameType.Blocked => TryTake(10, out ReadOnlySpan<byte> b) && ReadBlocked(b),
            _ => false,
        };

    private bool TryReadData()
    {
        if (!TryTake(13, out ReadOnlySpan<byte> b))
        {
            return false;
        }

        (IsFirst, IsLast) = ((b[0] & 1) != 0, (b[0] & 2) != 0);
        Stream = BinaryPrimitives.ReadUInt32LittleEndian(b[1..]);
        Offset = ReadOffset(b[5..]);
        int length = BinaryPrimitives.ReadUInt16LittleEndian(b[11..]);
        if (b[0] > 3 || Offset + length >= MostOffset)
        {
            return false;
        }

        if (IsFirst)
        {
            if (!TryTake(StreamPurpose.Length, out b))
            {
                return false;
            }

            ulong label = BinaryPrimitives.ReadUInt64LittleEndian(b),
                route = BinaryPrimitives.ReadUInt64LittleEndian(b[8..]);
            Purpose = new StreamPurpose(label, route, b[16], b[17]);
            if (!Purpose.IsValid)
            {
                return false;
            }
        }

        bool isWhole = TryTake(length, out b);
        Bytes = b;
        return isWhole;
    }

    private bool TryReadAck()
    {
        if (!TryTake(12, out ReadOnlySpan<byte> b))
        {
            return false;
        }

        Path = b[0];
        Code = BinaryPrimitives.ReadUInt32LittleEndian(b[1..]);
        DelayMicros = BinaryPrimitives.ReadUInt16LittleEndian(b[5..]);
        Offset = BinaryPrimitives.ReadUInt32LittleEndian(b[7..]);
        int ranges = b[11];
        bool isWhole = TryTake(ranges * 4, out b);
        Bytes = b;
        return isWhole && Path is >= 0 and <= PathWord.Routed && ranges > 0;
    }

    private bool ReadCredit(ReadOnlySpan<byte> b)
    {
        long limit = ReadOffset(b[10..]);
        (Stream, Offset) = (BinaryPrimitives.ReadUInt32LittleEndian(b), ReadOffset(b[4..]));
        (Limit, HasDropped) = (limit & ~1L, (limit & 1) != 0);
        return Offset <= Limit;
    }

    private bool ReadReset(ReadOnlySpan<byte> b)
    {
        Stream = BinaryPrimitives.ReadUInt32LittleEndian(b);
        Why = (ResetWhy)b[4];
        Code = BinaryPrimitives.ReadUInt32LittleEndian(b[5..]);
        Offset = ReadOffset(b[9..]);
        return Why <= ResetWhy.NotRoot;
    }

    private bool ReadStop(ReadOnlySpan<byte> b)
    {
        Stream = BinaryPrimitives.ReadUInt32LittleEndian(b);
        Code = BinaryPrimitives.ReadUInt32LittleEndian(b[4..]);
        return true;
    }

    private bool ReadBlocked(ReadOnlySpan<byte> b)
    {
        (Stream, Offset) = (BinaryPrimitives.ReadUInt32LittleEndian(b), ReadOffset(b[4..]));
        return true;
    }

    private static long ReadOffset(ReadOnlySpan<byte> b) =>
        BinaryPrimitives.ReadUInt32LittleEndian(b) | ((long)BinaryPrimitives.ReadUInt16LittleEndian(b[4..]) << 32);

    private bool TryTake(int length, out ReadOnlySpan<byte> bytes)
    {
        if (_rest.Length < length)
        {
            bytes = default;
            return false;
        }

        bytes = _rest[..length];
        _rest = _rest[length..];
        return true;
    }
}
