using System.Buffers.Binary;

namespace CamCube.Services.Tunnel.Frames;

/// <summary>The checksum of IP, TCP, UDP and ICMP (RFC 1071).</summary>
internal static class InternetSum
{
    /// <summary>Adds bytes to a sum, as 16-bit numbers; an odd last one is the upper half.</summary>
    public static ulong Add(ulong sum, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length >= 4)
        {
            sum += BinaryPrimitives.ReadUInt32BigEndian(bytes);
            bytes = bytes[4..];
        }

        if (bytes.Length >= 2)
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(bytes);
            bytes = bytes[2..];
        }

        return bytes.IsEmpty ? sum : sum + ((ulong)bytes[0] << 8);
    }

    /// <summary>The sum of a pseudo-header.</summary>
    /// <param name="addresses">Source and destination, one behind the other.</param>
    /// <param name="protocol">What the packet carries.</param>
    /// <param name="length">Bytes of it.</param>
    public static ulong Pseudo(ReadOnlySpan<byte> addresses, byte protocol, int length) =>
        Add((ulong)protocol + (uint)length, addresses);

    /// <summary>A sum in 16 bits, not yet inverted.</summary>
    public static ushort Fold(ulong sum)
    {
        while (sum >> 16 != 0)
        {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }

        return (ushort)sum;
    }

    /// <summary>Finishes a checksum of which the pseudo-header's part stands there already.</summary>
    /// <param name="bytes">Over which it goes.</param>
    /// <param name="offset">Where it stands.</param>
    public static void Finish(Span<byte> bytes, int offset)
    {
        // Of UDP 0 means that there is none.
        ushort sum = (ushort)~Fold(Add(0, bytes));
        BinaryPrimitives.WriteUInt16BigEndian(bytes[offset..], sum == 0 ? ushort.MaxValue : sum);
    }

    /// <summary>Writes the checksum of an IPv4 header into it.</summary>
    public static void WriteHeader4(Span<byte> header)
    {
        BinaryPrimitives.WriteUInt16BigEndian(header[10..], 0);
        BinaryPrimitives.WriteUInt16BigEndian(header[10..], (ushort)~Fold(Add(0, header)));
    }
}
