using System.Buffers.Binary;

namespace CamCube.Services.Tunnel.Names;

/// <summary>A question to a resolver (RFC 1035), read in place, and checked to its end: one question, and other records
/// of which only that of EDNS (RFC 6891) is looked at.</summary>
internal readonly ref struct DnsQuery
{
    /// <summary>Bytes of a header.</summary>
    public const int HeaderLength = 12;

    /// <summary>Flags: it is an answer; the kind of question; whether more than this server knows is asked for.
    /// </summary>
    public const ushort IsAnswer = 0x8000,
        KindMask = 0x7800,
        WantsMore = 0x0100;

    private const ushort Options = 41;
    private const int PointerBits = 0xC0,
        RecordLength = 10;

    private DnsQuery(ReadOnlySpan<byte> message, DnsName name, bool hasOptions)
    {
        Message = message;
        Name = name;
        HasOptions = hasOptions;
        int end = HeaderLength + name.Bytes.Length;
        Type = BinaryPrimitives.ReadUInt16BigEndian(message[end..]);
        Class = BinaryPrimitives.ReadUInt16BigEndian(message[(end + 2)..]);
    }

    /// <summary>All of it.</summary>
    public ReadOnlySpan<byte> Message { get; }

    /// <summary>Its flags.</summary>
    public ushort Flags => BinaryPrimitives.ReadUInt16BigEndian(Message[2..]);

    /// <summary>The name that is asked for.</summary>
    public DnsName Name { get; }

    /// <summary>What is asked of it.</summary>
    public ushort Type { get; }

    /// <summary>In which class of names.</summary>
    public ushort Class { get; }

    /// <summary>Whether it has a record of EDNS, and so must the answer.</summary>
    public bool HasOptions { get; }

    /// <summary>Header and question, which an answer repeats.</summary>
    public ReadOnlySpan<byte> Head => Message[..(HeaderLength + Name.Bytes.Length + 4)];

    /// <summary>Reads one. False: it is none, or cut off, or has anything behind it.</summary>
    public static bool TryRead(ReadOnlySpan<byte> message, out DnsQuery query)
    {
        query = default;
        if (
            message.Length < HeaderLength
            || (BinaryPrimitives.ReadUInt16BigEndian(message[2..]) & IsAnswer) != 0
            || BinaryPrimitives.ReadUInt16BigEndian(message[4..]) != 1
            || !DnsName.TryRead(message[HeaderLength..], out DnsName name)
            || message.Length < HeaderLength + name.Bytes.Length + 4
        )
        {
            return false;
        }

        int at = HeaderLength + name.Bytes.Length + 4;
        int records =
            BinaryPrimitives.ReadUInt16BigEndian(message[6..])
            + BinaryPrimitives.ReadUInt16BigEndian(message[8..])
            + BinaryPrimitives.ReadUInt16BigEndian(message[10..]);
        bool hasOptions = false;
        for (; records > 0; records--)
        {
            if (!TrySkipName(message, ref at) || message.Length - at < RecordLength)
            {
                return false;
            }

            hasOptions |= BinaryPrimitives.ReadUInt16BigEndian(message[at..]) == Options;
            at += RecordLength + BinaryPrimitives.ReadUInt16BigEndian(message[(at + 8)..]);
        }

        query = at == message.Length ? new DnsQuery(message, name, hasOptions) : default;
        return at == message.Length;
    }

    // A pointer ends a name, and is not followed: what it points to is nothing that is wanted. One that does not point
    // back is of no name.
    private static bool TrySkipName(ReadOnlySpan<byte> message, ref int at)
    {
        int begin = at;
        while (at < message.Length && at - begin < DnsName.MostBytes)
        {
            int length = message[at];
            if ((length & PointerBits) == PointerBits)
            {
                int target = at + 1 < message.Length ? ((length & ~PointerBits) << 8) | message[at + 1] : at;
                bool isBack = target >= HeaderLength && target < at;
                at += 2;
                return isBack;
            }

            if ((length & PointerBits) != 0)
            {
                return false;
            }

            at += length + 1;
            if (length == 0)
            {
                return true;
            }
        }

        return false;
    }
}
