using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A request or an answer of the binary protocol. Text is Latin-1: one character, one byte.</summary>
internal sealed record BinaryFrame
{
    private const int HeaderLength = 24;

    public byte Opcode { get; init; }

    public string Extras { get; init; } = "";

    public string Key { get; init; } = "";

    public string Value { get; init; } = "";

    public uint Opaque { get; init; }

    public ulong Cas { get; init; }

    /// <summary>Of an answer.</summary>
    public ushort Status { get; init; }

    /// <summary>Four bytes of text for a number.</summary>
    public static string Number32(uint number) => Number(number, sizeof(uint));

    /// <summary>Eight bytes of text for a number.</summary>
    public static string Number64(ulong number) => Number(number, sizeof(ulong));

    /// <summary>The frame as a request, in Latin-1.</summary>
    public string ToRequest()
    {
        Span<byte> header = stackalloc byte[HeaderLength];
        header.Clear();
        header[0] = 0x80;
        header[1] = Opcode;
        BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)Key.Length);
        header[4] = (byte)Extras.Length;
        BinaryPrimitives.WriteInt32BigEndian(header[8..], Extras.Length + Key.Length + Value.Length);
        BinaryPrimitives.WriteUInt32BigEndian(header[12..], Opaque);
        BinaryPrimitives.WriteUInt64BigEndian(header[16..], Cas);
        return Encoding.Latin1.GetString(header) + Extras + Key + Value;
    }

    /// <summary>Reads the answers that are whole.</summary>
    public static List<BinaryFrame> ReadAnswers(string text)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(text);
        var frames = new List<BinaryFrame>();
        for (int at = 0; TryReadLength(bytes.AsSpan(at), out int length); at += length)
        {
            frames.Add(Read(bytes.AsSpan(at, length)));
        }

        return frames;
    }

    /// <summary>The length of the frame that begins the bytes, if it is whole.</summary>
    public static bool TryReadLength(ReadOnlySpan<byte> bytes, out int length)
    {
        length = HeaderLength;
        if (bytes.Length < HeaderLength)
        {
            return false;
        }

        length += BinaryPrimitives.ReadInt32BigEndian(bytes[8..]);
        return bytes.Length >= length;
    }

    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Opcode:x2} status {Status:x} key '{Key}' extras {Hex(Extras)} value '{Value}' opaque {Opaque} cas {Cas}"
        );

    private static BinaryFrame Read(ReadOnlySpan<byte> bytes)
    {
        Assert.Equal(0x81, bytes[0]);
        Assert.Equal(0, bytes[5]);
        int keyLength = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
            extrasLength = bytes[4];
        ReadOnlySpan<byte> body = bytes[HeaderLength..];
        return new BinaryFrame
        {
            Opcode = bytes[1],
            Status = BinaryPrimitives.ReadUInt16BigEndian(bytes[6..]),
            Opaque = BinaryPrimitives.ReadUInt32BigEndian(bytes[12..]),
            Cas = BinaryPrimitives.ReadUInt64BigEndian(bytes[16..]),
            Extras = Encoding.Latin1.GetString(body[..extrasLength]),
            Key = Encoding.Latin1.GetString(body.Slice(extrasLength, keyLength)),
            Value = Encoding.Latin1.GetString(body[(extrasLength + keyLength)..]),
        };
    }

    private static string Hex(string text) => Convert.ToHexStringLower(Encoding.Latin1.GetBytes(text));

    private static string Number(ulong number, int length)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, number);
        return Encoding.Latin1.GetString(bytes[^length..]);
    }
}
