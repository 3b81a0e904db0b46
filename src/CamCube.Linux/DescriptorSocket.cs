using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Linux;

/// <summary>Unix stream sockets on which other processes pass descriptors (SCM_RIGHTS), which .NET's sockets do not
/// know. Calls that never block.</summary>
[SupportedOSPlatform("linux")]
public static unsafe class DescriptorSocket
{
    // struct cmsghdr where a pointer has 8 bytes: length 8, level 4, type 4, then descriptors of 4 bytes. There is room
    // for one, so the kernel closes what else was passed with the same bytes.
    private const int HeadLength = 16;
    private const int ControlLength = HeadLength + sizeof(int);
    private const int Rights = 1;
    private const int CloseOnExec = 0x40000000;

    /// <summary>Receives what is there, and a descriptor that was passed with it. Returns the bytes, 0 at the end, or
    /// minus the error number.</summary>
    /// <param name="socket">A Unix stream socket.</param>
    /// <param name="bytes">Where it goes.</param>
    /// <param name="passed">The descriptor, the caller's; null: none was passed.</param>
    public static int Receive(SafeHandle socket, Span<byte> bytes, out SafeFileHandle? passed)
    {
        passed = null;
        byte* control = stackalloc byte[ControlLength + sizeof(int)];
        new Span<byte>(control, ControlLength).Clear();
        fixed (byte* at = bytes)
        {
            var vector = new IoVector { Bytes = at, Length = bytes.Length };
            var message = new MessageHeader
            {
                Vectors = &vector,
                VectorCount = 1,
                Control = control,
                ControlLength = ControlLength,
            };
            nint count = LinuxCalls.ReceiveMessage(socket, &message, LinuxCalls.DontWait | CloseOnExec);
            if (count < 0)
            {
                return -Marshal.GetLastPInvokeError();
            }

            var heads = (int*)control;
            if (message.ControlLength >= ControlLength && heads[2] == NativeSocket.SocketLevel && heads[3] == Rights)
            {
                passed = new SafeFileHandle(heads[HeadLength / sizeof(int)], ownsHandle: true);
            }

            return (int)count;
        }
    }
}
