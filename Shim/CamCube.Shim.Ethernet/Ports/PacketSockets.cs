using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>Opens Linux's packet sockets: whole Ethernet frames of one EtherType on one interface.</summary>
[SupportedOSPlatform("linux")]
internal static class PacketSockets
{
    private const int FamilyPacket = 17;
    private const int TypeRaw = 3;
    private const int PacketLevel = 263;
    private const int Statistics = 6;
    private const int IgnoreOutgoing = 23;
    private const ushort EveryProtocol = 3;

    // The kernel doubles what is asked for and counts its own memory per frame.
    private const int FramesInSendBuffer = 24;
    private const int FrameOverhead = 3_072;

    /// <summary>A socket on an interface, to be read by calls. Answers an error number, 0 for success.</summary>
    public static int Open(int interfaceIndex, int sendBuffer, int receiveBuffer, out DescriptorHandle socket)
    {
        int error = Create(sendBuffer, out socket);
        if (error == 0)
        {
            NativeSocket.SetReceiveBuffer(socket, receiveBuffer);

            // Who reads by calls is not told whose a frame is.
            PacketFilter.NotForOthers.Attach(socket);
            error = Bind(socket, interfaceIndex, EthernetHeader.EtherType);
        }

        return error;
    }

    /// <summary>A socket on an interface, whose frames arrive in a mapped ring. Answers an error number, 0 for
    /// success.</summary>
    public static int Open(int interfaceIndex, int sendBuffer, int frameLength, int ringBytes, out PacketLane? lane) =>
        OpenLane(interfaceIndex, EthernetHeader.EtherType, sendBuffer, null, frameLength, ringBytes, out lane);

    /// <summary>A socket on an interface that hears what is not ours, its ring small. Answers an error number, 0 for
    /// success.</summary>
    public static int OpenForeign(int interfaceIndex, int frameLength, int ringBytes, out PacketLane? lane)
    {
        PacketFilter foreign = PacketFilter.Foreign(frameLength);
        return OpenLane(interfaceIndex, EveryProtocol, 0, foreign, frameLength, ringBytes, out lane);
    }

    /// <summary>Frames that arrived and found no room, since the last question.</summary>
    public static uint TakeDrops(DescriptorHandle socket)
    {
        // struct tpacket_stats: frames, drops. Reading clears them.
        Span<byte> statistics = stackalloc byte[8];
        return NativeSocket.Get(socket, PacketLevel, Statistics, ref statistics) == 0 && statistics.Length >= 8
            ? MemoryMarshal.Read<uint>(statistics[4..])
            : 0;
    }

    /// <summary>The kernel's send buffer: as configured, or so large that a batch fits and little waits behind the
    /// services' queues.</summary>
    public static int SendBufferOf(EthernetOptions options, int longestFrame) =>
        options.SendBuffer > 0 ? options.SendBuffer : FramesInSendBuffer * (longestFrame + FrameOverhead) / 2;

    /// <summary>One line for people: how to be allowed to.</summary>
    public static string NeedsCapability =>
        "raw Ethernet needs the capability CAP_NET_RAW, which this process does not have: run `setcap cap_net_raw+ep "
        + $"{Environment.ProcessPath ?? "camcube"}`, or set AmbientCapabilities=CAP_NET_RAW in its systemd unit, "
        + $"or start it as root.";

    /// <summary>One line for people: why no socket could be had, and what to do.</summary>
    public static string Explain(string name, int error) =>
        error is SystemError.NotPermitted or SystemError.AccessDenied
            ? NeedsCapability
            : $"interface {name} cannot be opened for raw Ethernet: {SystemError.Text(error)}.";

    private static int OpenLane(
        int interfaceIndex,
        ushort protocol,
        int sendBuffer,
        PacketFilter? filter,
        int frameLength,
        int ringBytes,
        out PacketLane? lane
    )
    {
        lane = null;
        PacketRing? ring = null;
        int error = Create(sendBuffer, out DescriptorHandle socket);
        if (error == 0 && filter is not null)
        {
            // It has to be there before the first frame: without, the socket would hear all of ours.
            error = filter.Attach(socket);
        }

        if (error == 0)
        {
            error = PacketRing.Open(socket, frameLength, ringBytes, out ring);
        }

        if (error == 0)
        {
            error = Bind(socket, interfaceIndex, protocol);
        }

        if (error == 0)
        {
            lane = new PacketLane(socket, ring!);
            return 0;
        }

        ring?.Dispose();
        socket.Dispose();
        return error;
    }

    private static int Create(int sendBuffer, out DescriptorHandle socket)
    {
        // With protocol 0 nothing arrives until it is bound, so no frame of another interface gets in.
        int error = NativeSocket.Open(FamilyPacket, TypeRaw, 0, out socket);
        if (error == 0)
        {
            // Old kernels do not know it, and do not show a socket of one EtherType what goes out anyway.
            NativeSocket.Set(socket, PacketLevel, IgnoreOutgoing, 1);
            NativeSocket.Set(socket, NativeSocket.SocketLevel, NativeSocket.SendBuffer, sendBuffer);
        }

        return error;
    }

    private static int Bind(DescriptorHandle socket, int interfaceIndex, ushort protocol)
    {
        // struct sockaddr_ll: family, protocol in network order, index, and what only a receiver is told.
        Span<byte> address = stackalloc byte[20];
        address.Clear();
        MemoryMarshal.Write(address, (ushort)FamilyPacket);
        BinaryPrimitives.WriteUInt16BigEndian(address[2..], protocol);
        MemoryMarshal.Write(address[4..], interfaceIndex);
        int error = NativeSocket.Bind(socket, address);
        if (error != 0)
        {
            socket.Dispose();
        }

        return error;
    }
}
