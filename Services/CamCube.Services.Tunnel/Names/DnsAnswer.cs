using System.Buffers.Binary;

namespace CamCube.Services.Tunnel.Names;

/// <summary>An answer to a question, as it is written (RFC 1035). The question comes first; the name of every record
/// points to it, or is the domain.</summary>
internal ref struct DnsAnswer
{
    /// <summary>Bytes of the longest one.</summary>
    public const int MostBytes = 512;

    /// <summary>Types of records.</summary>
    public const ushort Address4 = 1,
        Authority = 6,
        Pointer = 12,
        Address6 = 28,
        Options = 41,
        Any = 255;

    /// <summary>What became of a question: nobody has the name; such questions are not understood; not here.</summary>
    public const byte NoSuchName = 3,
        NotUnderstood = 4,
        Refused = 5;

    private const ushort Internet = 1;
    private const ushort Authoritative = 0x0400;
    private const ushort ToQuestion = 0xC000 | DnsQuery.HeaderLength;
    private const ushort PayloadBytes = 1_232;

    // Addresses follow from settings, so they change only with all servers.
    private const uint SecondsToKeep = 60;
    private readonly Span<byte> _to;
    private int _answers;
    private int _authorities;
    private int _additional;

    /// <summary>Begins with the question.</summary>
    /// <param name="query">The question.</param>
    /// <param name="to">Room for <see cref="MostBytes"/>.</param>
    public DnsAnswer(in DnsQuery query, Span<byte> to)
    {
        _to = to;
        query.Head.CopyTo(to);
        Length = query.Head.Length;
        to[6..DnsQuery.HeaderLength].Clear();
    }

    /// <summary>Bytes so far.</summary>
    public int Length { get; private set; }

    /// <summary>A record of the name that was asked for.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="length">Bytes of its data.</param>
    /// <returns>Where its data goes.</returns>
    public Span<byte> Add(ushort type, int length)
    {
        _answers++;
        BinaryPrimitives.WriteUInt16BigEndian(_to[Length..], ToQuestion);
        Length += 2;
        return AddRest(type, length);
    }

    /// <summary>The record of the domain: of itself, or because it has no other.</summary>
    /// <param name="isAnswer">Whether it was asked for.</param>
    public void AddAuthority(bool isAnswer)
    {
        if (isAnswer)
        {
            _answers++;
        }
        else
        {
            _authorities++;
        }

        Write(DomainBytes);
        ReadOnlySpan<byte> resolver = "\u0008resolver"u8,
            master = "\u000ahostmaster"u8;
        int length = resolver.Length + master.Length + (2 * DomainBytes.Length) + 20;
        Span<byte> data = AddRest(Authority, length);
        resolver.CopyTo(data);
        data = data[resolver.Length..];
        DomainBytes.CopyTo(data);
        data = data[DomainBytes.Length..];
        master.CopyTo(data);
        data = data[master.Length..];
        DomainBytes.CopyTo(data);
        data = data[DomainBytes.Length..];

        // Number, and when secondary servers, of which there are none, ask again; then how long "nobody" is kept.
        ReadOnlySpan<uint> numbers = [1, 3_600, 600, 86_400, SecondsToKeep];
        for (int i = 0; i < numbers.Length; i++)
        {
            BinaryPrimitives.WriteUInt32BigEndian(data[(i * 4)..], numbers[i]);
        }
    }

    /// <summary>The record of EDNS.</summary>
    public void AddOptions()
    {
        _additional++;
        Span<byte> record = _to.Slice(Length, 11);
        record.Clear();
        BinaryPrimitives.WriteUInt16BigEndian(record[1..], Options);
        BinaryPrimitives.WriteUInt16BigEndian(record[3..], PayloadBytes);
        Length += record.Length;
    }

    /// <summary>Writes the header.</summary>
    /// <param name="query">The question.</param>
    /// <param name="result">What became of it; 0: all is well.</param>
    public readonly void End(in DnsQuery query, byte result)
    {
        ushort kept = (ushort)(query.Flags & (DnsQuery.KindMask | DnsQuery.WantsMore));
        ushort own = result is Refused or NotUnderstood ? (ushort)0 : Authoritative;
        BinaryPrimitives.WriteUInt16BigEndian(_to[2..], (ushort)(DnsQuery.IsAnswer | kept | own | result));
        BinaryPrimitives.WriteUInt16BigEndian(_to[6..], (ushort)_answers);
        BinaryPrimitives.WriteUInt16BigEndian(_to[8..], (ushort)_authorities);
        BinaryPrimitives.WriteUInt16BigEndian(_to[10..], (ushort)_additional);
    }

    /// <summary>The domain as a name.</summary>
    public static ReadOnlySpan<byte> DomainBytes => "\u0007camcube\u0008internal\0"u8;

    private void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_to[Length..]);
        Length += bytes.Length;
    }

    private Span<byte> AddRest(ushort type, int length)
    {
        Span<byte> record = _to.Slice(Length, 10 + length);
        BinaryPrimitives.WriteUInt16BigEndian(record, type);
        BinaryPrimitives.WriteUInt16BigEndian(record[2..], Internet);
        BinaryPrimitives.WriteUInt32BigEndian(record[4..], SecondsToKeep);
        BinaryPrimitives.WriteUInt16BigEndian(record[8..], (ushort)length);
        Length += record.Length;
        return record[10..];
    }
}
