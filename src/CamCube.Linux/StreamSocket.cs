using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>Stream sockets without .NET's own waiting: calls that never block and allocate nothing but an accepted
/// handle.</summary>
[SupportedOSPlatform("linux")]
public static unsafe class StreamSocket
{
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;
    private const int TcpLevel = 6;
    private const int NoDelay = 1;
    private const int KeepAlive = 9;

    // Numbers of the system calls recvfrom and sendto; 0: not known here, and then by the C library.
    private static readonly nint ReceiveNumber = NumberOf(x64: 45, arm64: 207);
    private static readonly nint SendNumber = NumberOf(x64: 44, arm64: 206);

    /// <summary>Accepts one client: non-blocking, without Nagle's delay, with keep-alive. Returns 0, or the error
    /// number, of which <see cref="SystemError.Again"/> says that nobody waits.</summary>
    public static int Accept(SafeHandle listener, out DescriptorHandle client, out PeerAddress address)
    {
        address = default;
        fixed (byte* at = address.Bytes)
        {
            int length = PeerAddress.MostBytes;
            client = LinuxCalls.Accept(listener, at, &length, NonBlocking | CloseOnExec);
        }

        if (client.IsInvalid)
        {
            return Marshal.GetLastPInvokeError();
        }

        // A Unix socket knows neither, and needs neither.
        NativeSocket.Set(client, TcpLevel, NoDelay, 1);
        NativeSocket.Set(client, NativeSocket.SocketLevel, KeepAlive, 1);
        return 0;
    }

    /// <summary>Receives what is there. Returns the bytes, 0 at the end, or minus the error number.</summary>
    /// <param name="socket">A descriptor that the caller keeps open: without the handle's count, which costs two locked
    /// additions.</param>
    /// <param name="bytes">Where it goes.</param>
    public static int Receive(int socket, Span<byte> bytes)
    {
        fixed (byte* at = bytes)
        {
            nint count =
                ReceiveNumber != 0
                    ? LinuxCalls.Direct(ReceiveNumber, socket, at, bytes.Length, LinuxCalls.DontWait, null, 0)
                    : LinuxCalls.Receive(socket, at, bytes.Length, LinuxCalls.DontWait);
            return count < 0 ? -Marshal.GetLastSystemError() : (int)count;
        }
    }

    /// <summary>Sends what the system takes. Returns the bytes, or minus the error number.</summary>
    /// <param name="socket">As above.</param>
    /// <param name="bytes">What to send.</param>
    public static int Send(int socket, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* at = bytes)
        {
            nint count =
                SendNumber != 0
                    ? LinuxCalls.Direct(
                        SendNumber,
                        socket,
                        at,
                        bytes.Length,
                        LinuxCalls.DontWait | LinuxCalls.NoSignal,
                        null,
                        0
                    )
                    : LinuxCalls.Send(socket, at, bytes.Length, LinuxCalls.DontWait | LinuxCalls.NoSignal);
            return count < 0 ? -Marshal.GetLastSystemError() : (int)count;
        }
    }

    private static nint NumberOf(nint x64, nint arm64) =>
        RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X64 => x64,
            Architecture.Arm64 => arm64,
            _ => 0,
        };
}
