using System.Buffers.Binary;

namespace CamCube.Messaging.Streams.Wire;

/// <summary>Writes frames into a body one behind the other; whoever writes has looked whether there is room.</summary>
internal ref struct FrameWriter(Span<byte> body)
{
    /// <summary>Bytes of a data frame before its bytes; of one that says what stream it is.</summary>
    public const int DataLength = 14,
        FirstLength = DataLength + StreamPurpose.Length;

    /// <summary>Bytes of the other frames.</summary>
    public const int CreditLength = 17,
        ResetLength = 16,
        StopLength = 9,
        PingLength = 1,
        BlockedLength = 11;

    private readonly Span<byte> _body = body;

    /// <summary>Bytes written.</summary>
    public int Length { get; private set; }

    public readonly int Room => _body.Length - Length;

    /// <summary>Bytes of an acknowledgement with so many ranges.</summary>
    public static int AckLength(int ranges) => 13 + (4 * ranges);

    /// <summary>The head of a data frame; returns the room for its bytes.</summary>
    public Span<byte> Data(uint stream, long offset, int length, bool isLast, in StreamPurpose? purpose)
    {
        Span<byte> b = Take((purpose is null ? DataLength : FirstLength) + length);
        (b[0], b[1]) = ((byte)FrameType.Data, (byte)((purpose is null ? 0 : 1) | (isLast ? 2 : 0)));
        BinaryPrimitives.WriteUInt32LittleEndian(b[2..], stream);
        WriteOffset(b[6..], offset);
        BinaryPrimitives.WriteUInt16LittleEndian(b[12..], (ushort)length);
        if (purpose is not { } said)
        {
            return b[DataLength..];
        }

        BinaryPrimitives.WriteUInt64LittleEndian(b[14..], said.Label);
        BinaryPrimitives.WriteUInt64LittleEndian(b[22..], said.Route);
        (b[30], b[31]) = (said.Flags, said.LeastChunks);
        return b[FirstLength..];
    }

    /// <summary>What the peer may send.</summary>
    /// <param name="stream">Of which stream.</param>
    /// <param name="consumed">Bytes that were read.</param>
    /// <param name="limit">Bytes that it may send: whole chunks.</param>
    /// <param name="hasDropped">Of its first flight something was not kept: the limit's lowest bit.</param>
    public void Credit(uint stream, long consumed, long limit, bool hasDropped = false)
    {
        Span<byte> b = Take(CreditLength);
        b[0] = (byte)FrameType.Credit;
        BinaryPrimitives.WriteUInt32LittleEndian(b[1..], stream);
        WriteOffset(b[5..], consumed);
        WriteOffset(b[11..], limit | (hasDropped ? 1L : 0));
    }

    public void Reset(uint stream, ResetWhy why, uint code, long final)
    {
        Span<byte> b = Take(ResetLength);
        (b[0], b[5]) = ((byte)FrameType.Reset, (byte)why);
        BinaryPrimitives.WriteUInt32LittleEndian(b[1..], stream);
        BinaryPrimitives.WriteUInt32LittleEndian(b[6..], code);
        WriteOffset(b[10..], final);
    }

    public void Stop(uint stream, uint code)
    {
        Span<byte> b = Take(StopLength);
        b[0] = (byte)FrameType.Stop;
        BinaryPrimitives.WriteUInt32LittleEndian(b[1..], stream);
        BinaryPrimitives.WriteUInt32LittleEndian(b[5..], code);
    }

    public void Ping() => Take(PingLength)[0] = (byte)FrameType.Ping;

    public void Blocked(uint stream, long offset)
    {
        Span<byte> b = Take(BlockedLength);
        b[0] = (byte)FrameType.Blocked;
        BinaryPrimitives.WriteUInt32LittleEndian(b[1..], stream);
        WriteOffset(b[5..], offset);
    }

    /// <summary>The head of an acknowledgement; <see cref="Range"/> follows so many times.</summary>
    public void Ack(int path, uint largest, int delayMicros, uint marked, int ranges)
    {
        Span<byte> b = Take(AckLength(0));
        (b[0], b[1], b[12]) = ((byte)FrameType.Ack, (byte)path, (byte)ranges);
        BinaryPrimitives.WriteUInt32LittleEndian(b[2..], largest);
        BinaryPrimitives.WriteUInt16LittleEndian(b[6..], (ushort)Math.Min(delayMicros, ushort.MaxValue));
        BinaryPrimitives.WriteUInt32LittleEndian(b[8..], marked);
    }

    public void Range(int gap, int length)
    {
        Span<byte> b = Take(4);
        BinaryPrimitives.WriteUInt16LittleEndian(b, (ushort)gap);
        BinaryPrimitives.WriteUInt16LittleEndian(b[2..], (ushort)length);
    }

    private static void WriteOffset(Span<byte> b, long offset)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(b, (uint)offset);
        BinaryPrimitives.WriteUInt16LittleEndian(b[4..], (ushort)(offset >> 32));
    }

    private Span<byte> Take(int length)
    {
        Span<byte> taken = _body.Slice(Length, length);
        Length += length;
        return taken;
    }
}
