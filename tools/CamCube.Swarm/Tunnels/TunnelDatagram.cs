using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Swarm.Tunnels;

/// <summary>A numbered UDP datagram over IPv4, as one machine sends it to another: all of it follows from these
/// numbers.</summary>
/// <param name="From">The sender.</param>
/// <param name="Via">Rank of the server by whose card it comes in: the sender's own, that of the bridge, a gateway's.
/// </param>
/// <param name="To">Whom it is for.</param>
/// <param name="Flow">Its ports: datagrams of one flow are in order.</param>
/// <param name="Number">Different for each of a run; rises within a flow.</param>
/// <param name="Length">Bytes behind the number.</param>
internal readonly record struct TunnelDatagram(
    TunnelEnd From,
    int Via,
    TunnelEnd To,
    ushort Flow,
    uint Number,
    int Length
)
{
    /// <summary>Bytes of an IP packet around what a datagram carries, and of its number.</summary>
    public const int Around = 28 + sizeof(uint);

    private const int Head = VirtioHeader.Length + EtherTypes.HeaderLength;

    /// <summary>The frame as it is sent, virtio header first.</summary>
    public byte[] ToFrame(TunnelAddresses addresses, TorusShape shape) =>
        ToFrame(addresses, shape, To.Ethernet(addresses, shape));

    /// <summary>The frame as a server's machine gets it, virtio header first.</summary>
    public byte[] ToFrameAt(int rank, TunnelAddresses addresses, TorusShape shape) =>
        ToFrame(
            addresses,
            shape,
            To.Kind == TunnelEndKind.Beyond ? addresses.EthernetOf(shape.At(rank)) : To.Ethernet(addresses, shape)
        );

    /// <summary>The number in a frame; null: it is too short for one.</summary>
    public static uint? NumberIn(ReadOnlySpan<byte> frame) =>
        frame.Length < Head + Around ? null : BinaryPrimitives.ReadUInt32BigEndian(frame[(Head + 28)..]);

    /// <summary>Whether a frame is one of ICMP, by which a machine is told that a server cannot be reached.</summary>
    public static bool IsNote(ReadOnlySpan<byte> frame) =>
        frame.Length > Head + 20 && frame[Head + 9] == EtherTypes.Icmp4;

    private byte[] ToFrame(TunnelAddresses addresses, TorusShape shape, ulong to)
    {
        byte[] frame = new byte[Head + Around + Length];
        Span<byte> ethernet = frame.AsSpan(VirtioHeader.Length);
        TunnelAddresses.WriteEthernet(to, ethernet);
        TunnelEnd sender = From.Kind == TunnelEndKind.Beyond ? TunnelEnd.Of(Via) : From;
        TunnelAddresses.WriteEthernet(sender.Ethernet(addresses, shape), ethernet[6..]);
        BinaryPrimitives.WriteUInt16BigEndian(ethernet[12..], EtherTypes.Internet4);
        Span<byte> ip = frame.AsSpan(Head);
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)ip.Length);
        (ip[8], ip[9]) = (64, EtherTypes.Udp);
        BinaryPrimitives.WriteUInt32BigEndian(ip[12..], From.Internet4(addresses, shape));
        BinaryPrimitives.WriteUInt32BigEndian(ip[16..], To.Internet4(addresses, shape));
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
}
