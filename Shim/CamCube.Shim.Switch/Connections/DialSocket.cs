using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Switch.Connections;

/// <summary>A socket that is being connected; .NET's own would throw each time, since it does not wait.</summary>
[SupportedOSPlatform("linux")]
internal static class DialSocket
{
    private const int InProgress = 115;
    private const int StreamType = 1;
    private const int TcpProtocol = 6;
    private const int NoDelay = 1;
    private const int InternetV4 = 2;
    private const int InternetV6 = 10;

    /// <summary>Begins. Returns 0, also if it takes time (the socket is writable then), or the error number.</summary>
    /// <param name="own">Where it leaves from, and so by which interface.</param>
    /// <param name="to">Where to.</param>
    /// <param name="socket">Non-blocking, without Nagle's delay; closed if the answer is not 0.</param>
    public static int Begin(IPAddress own, IPEndPoint to, out DescriptorHandle socket)
    {
        int family = to.AddressFamily == AddressFamily.InterNetworkV6 ? InternetV6 : InternetV4,
            error = NativeSocket.Open(family, StreamType, TcpProtocol, out socket);
        if (error == 0)
        {
            NativeSocket.Set(socket, TcpProtocol, NoDelay, 1);
            error = NativeSocket.Bind(socket, BytesOf(new IPEndPoint(own, 0)));
        }

        if (error == 0)
        {
            error = NativeSocket.Connect(socket, BytesOf(to));
        }

        if (error is 0 or InProgress)
        {
            return 0;
        }

        socket.Dispose();
        return error;
    }

    private static ReadOnlySpan<byte> BytesOf(IPEndPoint end)
    {
        SocketAddress address = end.Serialize();
        return address.Buffer.Span[..address.Size];
    }
}
