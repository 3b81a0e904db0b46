using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Swarm.Tunnels;

/// <summary>A numbered UDP datagram over IPv4, as the machine of one server sends it to that of another: all of it
/// follows from these numbers.</summary>
/// <param name="From">Rank of the sender.</param>
/// <param name="To">Rank of whom it is for; <see cref="Everybody"/>.</param>
/// <param name="Flow">Its ports: datagrams of one flow are in order.</param>
/// <param name="Number">Different for each of a run; rises within a flow.</param>
/// <param name="Length">Bytes behind the number.</param>
internal readonly record struct TunnelDatagram(int From, int To, ushort Flow, uint Number, int Length)
{
    /// <summary>In place of a rank: it is for all.</summary>
    public const int Everybody = -1;

    /// <summary>Bytes of an IP packet around what a datagram carries, and of its number.</summary>
    public const int Around = 28 + sizeof(uint);

    private const int Head = VirtioHeader.Length + EtherTypes.HeaderLength;

    /// <summary>The frame, virtio header first.</summary>
    public byte[] ToFrame(TunnelAddresses addresses, TorusShape shape)
    {
        byte[] frame = new byte[Head + Around + Length];
        Span<byte> ethernet = frame.AsSpan(VirtioHeader.Length);
        TunnelAddresses.WriteEthernet(
            To == Everybody ? GroupAddress.Broadcast : addresses.EthernetOf(shape.At(To)),
            ethernet
        );
        TunnelAddresses.WriteEthernet(addresses.EthernetOf(shape.At(From)), ethernet[6..]);
        BinaryPrimitives.WriteUInt16BigEndian(ethernet[12..], EtherTypes.Internet4);
        Span<byte> ip = frame.AsSpan(Head);
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)ip.Length);
        (ip[8], ip[9]) = (64, EtherTypes.Udp);
        BinaryPrimitives.WriteUInt32BigEndian(ip[12..], addresses.Internet4Of(shape.At(From)));
        uint to = To == Everybody ? addresses.Broadcast4 : addresses.Internet4Of(shape.At(To));
        BinaryPrimitives.WriteUInt32BigEndian(ip[16..], to);
        InternetSum.WriteHeader4(ip[..20]);
        Span<byte> udp = ip[20..];
        BinaryPrimitives.WriteUInt16BigEndian(udp, Flow);
        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], 7);
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)udp.Length);
        BinaryPrimitives.WriteUInt32BigEndian(udp[8..], Number);
        for (int i = 12; i < udp.Length; i++)
        {
            udp[i] = (byte)(Number + (uint)(i * 7));
        }

        return frame;
    }

    /// <summary>The number in a frame; null: it is too short for one.</summary>
    public static uint? NumberIn(ReadOnlySpan<byte> frame) =>
        frame.Length < Head + Around ? null : BinaryPrimitives.ReadUInt32BigEndian(frame[(Head + 28)..]);

    /// <summary>Whether a frame is one of ICMP, by which a machine is told that a server cannot be reached.</summary>
    public static bool IsNote(ReadOnlySpan<byte> frame) =>
        frame.Length > Head + 20 && frame[Head + 9] == EtherTypes.Icmp4;
}
