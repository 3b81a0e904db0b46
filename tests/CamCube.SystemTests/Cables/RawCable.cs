using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CamCube.SystemTests.Cables;

/// <summary>Whoever can plug into a cable: frames of CamCube's EtherType with any content, on an interface of a
/// server's namespace. One thread.</summary>
internal sealed class RawCable : IDisposable
{
    private const ushort EtherType = 0x88B5;
    private const int Header = 14;
    private readonly Socket _socket;
    private readonly byte[] _frame = new byte[65_536];

    private RawCable(Socket socket) => _socket = socket;

    /// <summary>Frames that went onto the cable.</summary>
    public int Sent { get; private set; }

    /// <summary>Opens an interface of a server's namespace.</summary>
    public static async Task<RawCable> OpenAsync(CableBed bed, int rank, string port)
    {
        string index = await bed.InsideAsync(rank, "cat", $"/sys/class/net/{port}/ifindex");
        Socket socket = NamespaceSocket.Make(
            bed.NamespaceOf(rank),
            static () => new Socket(AddressFamily.Packet, SocketType.Raw, ProtocolType.Unspecified)
        );
        socket.Bind(new PacketEndPoint(int.Parse(index, CultureInfo.InvariantCulture)));
        return new RawCable(socket);
    }

    /// <summary>Sends bytes behind an Ethernet header, to everybody or to somebody. What the system does not take is
    /// not sent.</summary>
    public void Send(ReadOnlySpan<byte> payload, bool toEverybody = true)
    {
        _frame.AsSpan(0, Header).Fill(toEverybody ? (byte)0xFF : (byte)0x02);
        BinaryPrimitives.WriteUInt16BigEndian(_frame.AsSpan(12), EtherType);
        payload.CopyTo(_frame.AsSpan(Header));
        SendWhole(_frame.AsSpan(0, Header + payload.Length));
    }

    /// <summary>Sends a frame with the header that it has.</summary>
    public void SendWhole(ReadOnlySpan<byte> frame)
    {
        try
        {
            _socket.Send(frame);
            Sent++;
        }
        catch (SocketException)
        {
            // Longer than the cable takes, or its queue is full.
        }
    }

    public void Dispose() => _socket.Dispose();

    /// <summary>struct sockaddr_ll: family, protocol, interface.</summary>
    private sealed class PacketEndPoint(int index) : EndPoint
    {
        public override AddressFamily AddressFamily => AddressFamily.Packet;

        public override SocketAddress Serialize()
        {
            var address = new SocketAddress(AddressFamily.Packet, 20);
            Span<byte> bytes = address.Buffer.Span;

            // Protocol 0: nothing is received.
            bytes[2..20].Clear();
            BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], index);
            return address;
        }
    }
}
