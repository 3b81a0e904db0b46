using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>Opens and sets up sockets of families that .NET does not know. Each method answers an error number, 0 for
/// success.</summary>
[SupportedOSPlatform("linux")]
public static unsafe class NativeSocket
{
    /// <summary>SOL_SOCKET.</summary>
    public const int SocketLevel = 1;

    /// <summary>SO_SNDBUF.</summary>
    public const int SendBuffer = 7;

    /// <summary>SO_RCVBUF.</summary>
    public const int ReceiveBuffer = 8;

    /// <summary>SO_RCVBUFFORCE: beyond the system's limit, with CAP_NET_ADMIN.</summary>
    public const int ReceiveBufferForce = 33;

    private const int PendingError = 4;
    private const int MemoryInfo = 55;
    private const int DropsInMemoryInfo = 8;
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;

    /// <summary>A socket, closed on exec, non-blocking.</summary>
    public static int Open(int family, int type, int protocol, out DescriptorHandle socket)
    {
        socket = LinuxCalls.Socket(family, type | CloseOnExec | NonBlocking, protocol);
        return socket.IsInvalid ? Marshal.GetLastPInvokeError() : 0;
    }

    /// <summary>Binds it to an address, given as the bytes of its sockaddr.</summary>
    public static int Bind(SafeHandle socket, ReadOnlySpan<byte> address)
    {
        fixed (byte* a = address)
        {
            return Result(LinuxCalls.Bind(socket, a, address.Length));
        }
    }

    /// <summary>Connects it to an address, given as the bytes of its sockaddr.</summary>
    public static int Connect(SafeHandle socket, ReadOnlySpan<byte> address)
    {
        fixed (byte* a = address)
        {
            return Result(LinuxCalls.Connect(socket, a, address.Length));
        }
    }

    /// <summary>Sets an option that is a number.</summary>
    public static int Set(SafeHandle socket, int level, int name, int value) =>
        Result(LinuxCalls.SetOption(socket, level, name, &value, sizeof(int)));

    /// <summary>Sets an option that is a struct.</summary>
    public static int Set(SafeHandle socket, int level, int name, ReadOnlySpan<byte> value)
    {
        fixed (byte* v = value)
        {
            return Result(LinuxCalls.SetOption(socket, level, name, v, value.Length));
        }
    }

    /// <summary>Reads an option; the length is cut to what there was.</summary>
    public static int Get(SafeHandle socket, int level, int name, ref Span<byte> value)
    {
        int length = value.Length;
        int result;
        fixed (byte* v = value)
        {
            result = Result(LinuxCalls.GetOption(socket, level, name, v, &length));
        }

        value = value[..(result == 0 ? length : 0)];
        return result;
    }

    /// <summary>Asks for a receive buffer of so many bytes (of which the kernel counts double): beyond the system's
    /// limit where that is allowed, up to it elsewhere.</summary>
    public static void SetReceiveBuffer(SafeHandle socket, int bytes)
    {
        if (Set(socket, SocketLevel, ReceiveBufferForce, bytes) != 0)
        {
            Set(socket, SocketLevel, ReceiveBuffer, bytes);
        }
    }

    /// <summary>Messages that arrived and were not kept since the socket was opened, above all for want of room; it
    /// begins again after 2^32. Null: the system does not say.</summary>
    public static uint? Drops(SafeHandle socket)
    {
        Span<byte> numbers = stackalloc byte[16 * sizeof(uint)];
        return
            Get(socket, SocketLevel, MemoryInfo, ref numbers) == 0 && numbers.Length > DropsInMemoryInfo * sizeof(uint)
            ? MemoryMarshal.Read<uint>(numbers[(DropsInMemoryInfo * sizeof(uint))..])
            : null;
    }

    /// <summary>Takes the error that waits to be told, 0 if there is none: until then a poll says again and again that
    /// there is one.</summary>
    public static int TakeError(SafeHandle socket)
    {
        int value = 0,
            length = sizeof(int);
        int error = Result(LinuxCalls.GetOption(socket, SocketLevel, PendingError, &value, &length));
        return error != 0 ? error : value;
    }

    /// <summary>One message, without waiting. Returns its length, or −1 and the error.</summary>
    public static int Receive(SafeHandle socket, Span<byte> bytes, out int error)
    {
        fixed (byte* b = bytes)
        {
            nint n = LinuxCalls.Receive(socket, b, bytes.Length, LinuxCalls.DontWait);
            error = n < 0 ? Marshal.GetLastPInvokeError() : 0;
            return (int)n;
        }
    }

    /// <summary>Sends one message, without waiting.</summary>
    public static int Send(SafeHandle socket, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* b = bytes)
        {
            return LinuxCalls.Send(socket, b, bytes.Length, LinuxCalls.DontWait | LinuxCalls.NoSignal) < 0
                ? Marshal.GetLastPInvokeError()
                : 0;
        }
    }

    private static int Result(int answer) => answer < 0 ? Marshal.GetLastPInvokeError() : 0;
}
