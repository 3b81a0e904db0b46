using System.Buffers.Binary;
using System.Net;

namespace CamCube.Services.Tunnel.Addresses;

/// <summary>
/// The addresses of the servers, which say where they are: Ethernet <c>02:cc:00:XX:YY:ZZ</c>, or with more than 256
/// servers on an axis <c>02:cc:01</c> and the rank; IPv4 the network's first address, one and the rank; IPv6 the
/// network and <c>1:x:y:z</c>. Immutable; any thread; nothing allocates but what says so.
/// </summary>
internal sealed class TunnelAddresses
{
    /// <summary>Bytes of an Ethernet address.</summary>
    public const int EthernetLength = 6;

    /// <summary>Ethernet address of the gateway, whichever server that is.</summary>
    public const ulong GatewayEthernet = 0x02CC_0200_0001;

    /// <summary>Ethernet address of the resolver, which is no server.</summary>
    public const ulong ResolverEthernet = 0x02CC_0200_0053;

    // All of the cube begin with 02:cc.
    private const int CubeShift = 32;
    private const ulong GroupBit = 0x0100_0000_0000;
    private const ulong ByCoordinate = 0x02CC_0000_0000,
        ByRank = 0x02CC_0100_0000,
        KindMask = 0xFFFF_FF00_0000;

    // Without it server 0,0,0 would have the address of the network itself, which means any router (RFC 4291).
    private const ulong OneOf6 = 1ul << 48;
    private const ulong Resolver6 = 0x53,
        Gateway6 = 1;

    // Of addresses that no machine outside has: the first byte, and the first bits.
    private const uint Loopback4 = 127,
        FirstGroup4 = 224;
    private const ulong LinkLocal6 = 0xFE80 >> 6,
        Groups6 = 0xFF;
    private readonly TorusShape _shape;
    private readonly uint _network4;
    private readonly ulong _network6;
    private readonly bool _isByRank;

    /// <summary>The addresses of a cube.</summary>
    /// <param name="shape">Its shape.</param>
    /// <param name="network4">IPv4 network with room for all servers.</param>
    /// <param name="network6">IPv6 network of 64 bits.</param>
    public TunnelAddresses(TorusShape shape, IPNetwork network4, IPNetwork network6)
    {
        (_shape, Bits4) = (shape, network4.PrefixLength);
        Span<byte> bytes = stackalloc byte[16];
        network4.BaseAddress.TryWriteBytes(bytes, out _);
        _network4 = BinaryPrimitives.ReadUInt32BigEndian(bytes);
        network6.BaseAddress.TryWriteBytes(bytes, out _);
        _network6 = BinaryPrimitives.ReadUInt64BigEndian(bytes);
        _isByRank = shape.X > 256 || shape.Y > 256 || shape.Z > 256;
    }

    /// <summary>Bits of the IPv4 network.</summary>
    public int Bits4 { get; }

    /// <summary>Whether this machine reaches a gateway over the cube: there are gateways, and it is none.</summary>
    public bool HasGateway { get; init; }

    /// <summary>IPv4 address of the gateway, whichever server that is: the last one of the network that a machine may
    /// have.</summary>
    public uint Gateway4 => _network4 + (uint)((1ul << (32 - Bits4)) - 2);

    /// <summary>IPv4 address of the resolver: the last but one of the network that a machine may have.</summary>
    public uint Resolver4 => Gateway4 - 1;

    /// <summary>IPv4 address of all: the last one of the network.</summary>
    public uint Broadcast4 => Gateway4 + 1;

    /// <summary>Writes the IPv6 address of the resolver: <c>::53</c> in the network.</summary>
    public void WriteResolver6(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64BigEndian(to, _network6);
        BinaryPrimitives.WriteUInt64BigEndian(to[8..], Resolver6);
    }

    /// <summary>Whether an IPv4 address is in the network.</summary>
    public bool IsInNetwork4(uint address) => (address ^ _network4) >> (32 - Bits4) == 0;

    /// <summary>Whether an IPv4 address is that of the gateway, or one that a machine outside of the cube may
    /// have.</summary>
    public bool IsBeyond4(uint address) =>
        address == Gateway4 || (!IsInNetwork4(address) && address >> 24 is not (0 or Loopback4 or >= FirstGroup4));

    /// <summary>Whether an IPv6 address is that of the gateway, or one that a machine outside of the cube may
    /// have.</summary>
    public bool IsBeyond6(ReadOnlySpan<byte> address)
    {
        ulong high = BinaryPrimitives.ReadUInt64BigEndian(address),
            low = BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
        return high == _network6
            ? low == Gateway6
            : !(high == 0 && low <= 1) && high >> 54 != LinkLocal6 && high >> 56 != Groups6;
    }

    /// <summary>Whether a machine behind a bridge may have an IPv4 address: one of the network that nobody in the cube
    /// has, or one from outside.</summary>
    public bool IsStrange4(uint address) =>
        IsInNetwork4(address)
            ? address != _network4
                && address != Gateway4
                && address != Resolver4
                && address != Broadcast4
                && !TryFind4(address, out _)
            : IsBeyond4(address);

    /// <summary>The same for IPv6, where it may also be a link-local one.</summary>
    public bool IsStrange6(ReadOnlySpan<byte> address)
    {
        ulong high = BinaryPrimitives.ReadUInt64BigEndian(address),
            low = BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
        return !TryFind6(address, out _)
            && (
                high == _network6
                    ? low is not (0 or Gateway6 or Resolver6)
                    : high >> 54 == LinkLocal6 || IsBeyond6(address)
            );
    }

    /// <summary>Whether a machine behind a bridge may have an Ethernet address: one machine's, and not like those in
    /// the cube.</summary>
    public static bool IsStrangeEthernet(ulong ethernet) =>
        ethernet != 0 && (ethernet & GroupBit) == 0 && ethernet >> CubeShift != ByCoordinate >> CubeShift;

    /// <summary>The Ethernet address that belongs to an IPv4 address, of a server, the resolver or the gateway.
    /// </summary>
    public bool TryFindNeighbour4(uint address, out ulong ethernet)
    {
        bool isServer = TryFind4(address, out Coordinate server),
            isGateway = HasGateway && address == Gateway4;
        ethernet =
            isServer ? EthernetOf(server)
            : isGateway ? GatewayEthernet
            : ResolverEthernet;
        return isServer || isGateway || address == Resolver4;
    }

    /// <summary>The Ethernet address that belongs to an IPv6 address, of a server, the resolver or the gateway.
    /// </summary>
    public bool TryFindNeighbour6(ReadOnlySpan<byte> address, out ulong ethernet)
    {
        bool isServer = TryFind6(address, out Coordinate server),
            isInNetwork = BinaryPrimitives.ReadUInt64BigEndian(address) == _network6;
        ulong low = BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
        bool isGateway = HasGateway && isInNetwork && low == Gateway6;
        ethernet =
            isServer ? EthernetOf(server)
            : isGateway ? GatewayEthernet
            : ResolverEthernet;
        return isServer || isGateway || (isInNetwork && low == Resolver6);
    }

    /// <summary>Ethernet address, in the lower 48 bits.</summary>
    public ulong EthernetOf(Coordinate server) =>
        _isByRank
            ? ByRank | (uint)_shape.RankOf(server)
            : ByCoordinate | (uint)((server.X << 16) | (server.Y << 8) | server.Z);

    /// <summary>The server with an Ethernet address.</summary>
    public bool TryFindEthernet(ulong ethernet, out Coordinate server)
    {
        uint low = (uint)(ethernet & ~KindMask);
        if ((ethernet & KindMask) == ByCoordinate && !_isByRank)
        {
            server = new Coordinate((ushort)(low >> 16), (ushort)(low >> 8 & 255), (ushort)(low & 255));
            return _shape.Contains(server);
        }

        server = default;
        if ((ethernet & KindMask) == ByRank && _isByRank && low < _shape.Count)
        {
            server = _shape.At((int)low);
            return true;
        }

        return false;
    }

    /// <summary>IPv4 address as a number.</summary>
    public uint Internet4Of(Coordinate server) => _network4 + 1 + (uint)_shape.RankOf(server);

    /// <summary>The server with an IPv4 address.</summary>
    public bool TryFind4(uint address, out Coordinate server)
    {
        uint rank = address - _network4 - 1;
        bool isOurs = rank < _shape.Count;
        server = isOurs ? _shape.At((int)rank) : default;
        return isOurs;
    }

    /// <summary>Writes the IPv6 address, 16 bytes.</summary>
    public void Write6(Coordinate server, Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64BigEndian(to, _network6);
        BinaryPrimitives.WriteUInt64BigEndian(to[8..], OneOf6 | (server.Packed >> 16));
    }

    /// <summary>Writes the link-local IPv6 address that belongs to the Ethernet address, 16 bytes.</summary>
    public void WriteLinkLocal(Coordinate server, Span<byte> to)
    {
        ulong ethernet = EthernetOf(server);
        BinaryPrimitives.WriteUInt64BigEndian(to, 0xFE80_0000_0000_0000);
        ulong low = (ethernet >> 24 << 40) | 0xFF_FE00_0000 | (ethernet & 0xFF_FFFF);
        BinaryPrimitives.WriteUInt64BigEndian(to[8..], low ^ 0x0200_0000_0000_0000);
    }

    /// <summary>The server with an IPv6 address, of the network or link-local.</summary>
    public bool TryFind6(ReadOnlySpan<byte> address, out Coordinate server)
    {
        ulong high = BinaryPrimitives.ReadUInt64BigEndian(address),
            low = BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
        if (high == _network6 && low >> 48 == OneOf6 >> 48)
        {
            server = Coordinate.Unpack(low << 16);
            return _shape.Contains(server);
        }

        server = default;
        low ^= 0x0200_0000_0000_0000;
        return high == 0xFE80_0000_0000_0000
            && (low >> 24 & 0xFFFF) == 0xFFFE
            && TryFindEthernet((low >> 40 << 24) | (low & 0xFF_FFFF), out server);
    }

    /// <summary>IPv4 address. Allocates.</summary>
    public IPAddress Address4(Coordinate server)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, Internet4Of(server));
        return new IPAddress(bytes);
    }

    /// <summary>IPv6 address. Allocates.</summary>
    public IPAddress Address6(Coordinate server)
    {
        Span<byte> bytes = stackalloc byte[16];
        Write6(server, bytes);
        return new IPAddress(bytes);
    }

    /// <summary>IPv4 address of the gateway. Allocates.</summary>
    public IPAddress AddressOfGateway4()
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, Gateway4);
        return new IPAddress(bytes);
    }

    /// <summary>IPv6 address of the gateway. Allocates.</summary>
    public IPAddress AddressOfGateway6()
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, _network6);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], Gateway6);
        return new IPAddress(bytes);
    }

    /// <summary>Ethernet address in six bytes. Allocates.</summary>
    public byte[] EthernetBytes(Coordinate server)
    {
        byte[] bytes = new byte[EthernetLength];
        WriteEthernet(EthernetOf(server), bytes);
        return bytes;
    }

    /// <summary>Writes an Ethernet address.</summary>
    public static void WriteEthernet(ulong ethernet, Span<byte> to)
    {
        BinaryPrimitives.WriteUInt16BigEndian(to, (ushort)(ethernet >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(to[2..], (uint)ethernet);
    }

    /// <summary>Reads an Ethernet address.</summary>
    public static ulong ReadEthernet(ReadOnlySpan<byte> from) =>
        (ulong)BinaryPrimitives.ReadUInt16BigEndian(from) << 32 | BinaryPrimitives.ReadUInt32BigEndian(from[2..]);
}
