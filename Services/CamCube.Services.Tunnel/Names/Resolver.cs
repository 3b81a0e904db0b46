using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Names;

/// <summary>
/// Answers questions for names and addresses of servers (RFC 1035): they follow from the shape and the networks, so
/// nobody is asked. For all other names somebody else is to be asked, and the answer says so. Loop only; allocates
/// nothing.
/// </summary>
internal sealed class Resolver(TunnelAddresses addresses, TorusShape shape)
{
    private const ushort Internet = 1;
    private const int Labels4 = 6,
        Labels6 = 34;

    /// <summary>Answers a question.</summary>
    /// <param name="message">The question, if it is one.</param>
    /// <param name="to">Room for <see cref="DnsAnswer.MostBytes"/>.</param>
    /// <returns>Bytes of the answer; 0: it is no question.</returns>
    public int Answer(ReadOnlySpan<byte> message, Span<byte> to)
    {
        if (!DnsQuery.TryRead(message, out DnsQuery query))
        {
            return 0;
        }

        var answer = new DnsAnswer(query, to);
        byte result = Fill(query, ref answer);
        if (query.HasOptions)
        {
            answer.AddOptions();
        }

        answer.End(query, result);
        return answer.Length;
    }

    private byte Fill(in DnsQuery query, ref DnsAnswer answer)
    {
        if ((query.Flags & DnsQuery.KindMask) != 0)
        {
            return DnsAnswer.NotUnderstood;
        }

        FoundName found = query.Class is Internet or DnsAnswer.Any
            ? Find(query.Name, out Coordinate server)
            : NotHere(out server);
        int before = answer.Length;
        switch (found)
        {
            case FoundName.Elsewhere:
                return DnsAnswer.Refused;
            case FoundName.Server or FoundName.Resolver:
                AddAddresses(query.Type, found == FoundName.Server ? server : null, ref answer);
                break;
            case FoundName.ServerAddress
            or FoundName.ResolverAddress when query.Type is DnsAnswer.Pointer or DnsAnswer.Any:
                AddName(found == FoundName.ServerAddress ? server : null, ref answer);
                break;
            case FoundName.Domain when query.Type is DnsAnswer.Authority or DnsAnswer.Any:
                answer.AddAuthority(isAnswer: true);
                break;
        }

        if (answer.Length == before && query.Name.EndsWith("camcube"u8, "internal"u8))
        {
            answer.AddAuthority(isAnswer: false);
        }

        return found == FoundName.Nobody ? DnsAnswer.NoSuchName : (byte)0;
    }

    private void AddAddresses(ushort type, Coordinate? server, ref DnsAnswer answer)
    {
        if (type is DnsAnswer.Address4 or DnsAnswer.Any)
        {
            uint address = server is { } at ? addresses.Internet4Of(at) : addresses.Resolver4;
            BinaryPrimitives.WriteUInt32BigEndian(answer.Add(DnsAnswer.Address4, 4), address);
        }

        if (type is DnsAnswer.Address6 or DnsAnswer.Any)
        {
            Span<byte> to = answer.Add(DnsAnswer.Address6, 16);
            if (server is { } at)
            {
                addresses.Write6(at, to);
            }
            else
            {
                addresses.WriteResolver6(to);
            }
        }
    }

    private static void AddName(Coordinate? server, ref DnsAnswer answer)
    {
        Span<byte> label = stackalloc byte[ServerNames.MostBytes];
        int length = 8;
        if (server is { } at)
        {
            length = ServerNames.Write(at, label);
        }
        else
        {
            "resolver"u8.CopyTo(label);
        }

        Span<byte> to = answer.Add(DnsAnswer.Pointer, 1 + length + DnsAnswer.DomainBytes.Length);
        to[0] = (byte)length;
        label[..length].CopyTo(to[1..]);
        DnsAnswer.DomainBytes.CopyTo(to[(1 + length)..]);
    }

    private FoundName Find(DnsName name, out Coordinate server)
    {
        if (name.EndsWith("camcube"u8, "internal"u8))
        {
            server = default;
            return name.Labels == 2 ? FoundName.Domain
                : name.Labels != 3 ? FoundName.Nobody
                : ServerNames.IsSame(name[0], "resolver"u8) ? FoundName.Resolver
                : ServerNames.TryRead(name[0], shape, out server) ? FoundName.Server
                : FoundName.Nobody;
        }

        if (name.Labels == Labels4 && name.EndsWith("in-addr"u8, "arpa"u8))
        {
            return Find4(name, out server);
        }

        return name.Labels == Labels6 && name.EndsWith("ip6"u8, "arpa"u8)
            ? Find6(name, out server)
            : NotHere(out server);
    }

    private FoundName Find4(DnsName name, out Coordinate server)
    {
        uint address = 0;
        for (int i = 3; i >= 0; i--)
        {
            ReadOnlySpan<byte> label = name[i];
            if (
                !System.Buffers.Text.Utf8Parser.TryParse(label, out byte part, out int length)
                || length != label.Length
            )
            {
                return NotHere(out server);
            }

            address = (address << 8) | part;
        }

        return addresses.TryFind4(address, out server) ? FoundName.ServerAddress
            : address == addresses.Resolver4 ? FoundName.ResolverAddress
            : addresses.IsInNetwork4(address) ? FoundName.Nobody
            : FoundName.Elsewhere;
    }

    private FoundName Find6(DnsName name, out Coordinate server)
    {
        Span<byte> address = stackalloc byte[16],
            resolver = stackalloc byte[16];
        for (int i = 0; i < 32; i++)
        {
            ReadOnlySpan<byte> label = name[31 - i];
            if (label.Length != 1 || !char.IsAsciiHexDigit((char)label[0]))
            {
                return NotHere(out server);
            }

            // Letters are nine behind the digits in their lower half.
            int digit = (label[0] & 15) + (label[0] > '9' ? 9 : 0);
            address[i / 2] = (byte)((address[i / 2] << 4) | digit);
        }

        addresses.WriteResolver6(resolver);
        return !resolver[..8].SequenceEqual(address[..8]) ? NotHere(out server)
            : addresses.TryFind6(address, out server) ? FoundName.ServerAddress
            : resolver.SequenceEqual(address) ? FoundName.ResolverAddress
            : FoundName.Nobody;
    }

    private static FoundName NotHere(out Coordinate server)
    {
        server = default;
        return FoundName.Elsewhere;
    }
}
