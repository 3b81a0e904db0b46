using System.Buffers.Binary;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Binary;

/// <summary>The head of a binary request. Numbers are big-endian on the wire.</summary>
/// <param name="Opcode">What is asked for.</param>
/// <param name="KeyLength">Bytes of the key.</param>
/// <param name="ExtrasLength">Bytes of the extras before it.</param>
/// <param name="BodyLength">Bytes of extras, key and value.</param>
/// <param name="Opaque">Repeated in the answer.</param>
/// <param name="Cas">A token, or 0.</param>
internal readonly record struct BinaryHeader(
    BinaryOpcode Opcode,
    int KeyLength,
    int ExtrasLength,
    uint BodyLength,
    uint Opaque,
    ulong Cas
)
{
    /// <summary>Bytes of a head, of requests and answers.</summary>
    public const int Length = 24;

    /// <summary>The first byte of a request.</summary>
    public const byte RequestMagic = 0x80;

    /// <summary>The first byte of an answer.</summary>
    public const byte AnswerMagic = 0x81;

    /// <summary>Bytes of the value; negative if the lengths contradict each other.</summary>
    public long ValueLength => BodyLength - (long)KeyLength - ExtrasLength;

    /// <summary>Reads a head whose first byte is <see cref="RequestMagic"/>.</summary>
    public static BinaryHeader Read(ReadOnlySpan<byte> bytes) =>
        new(
            (BinaryOpcode)bytes[1],
            BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
            bytes[4],
            BinaryPrimitives.ReadUInt32BigEndian(bytes[8..]),
            BinaryPrimitives.ReadUInt32BigEndian(bytes[12..]),
            BinaryPrimitives.ReadUInt64BigEndian(bytes[16..])
        );

    /// <summary>Writes the head of an answer.</summary>
    public static void WriteAnswer(
        Span<byte> bytes,
        in BinaryRequest request,
        BinaryStatus status,
        int keyLength,
        int extrasLength,
        long bodyLength,
        ulong cas
    )
    {
        bytes[..Length].Clear();
        bytes[0] = AnswerMagic;
        bytes[1] = (byte)request.Opcode;
        BinaryPrimitives.WriteUInt16BigEndian(bytes[2..], (ushort)keyLength);
        bytes[4] = (byte)extrasLength;
        BinaryPrimitives.WriteUInt16BigEndian(bytes[6..], (ushort)status);
        BinaryPrimitives.WriteUInt32BigEndian(bytes[8..], (uint)bodyLength);
        BinaryPrimitives.WriteUInt32BigEndian(bytes[12..], request.Opaque);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[16..], cas);
    }
}
