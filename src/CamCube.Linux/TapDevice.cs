using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace CamCube.Linux;

/// <summary>
/// A network card whose cable is this process (TAP): what the system sends is read here as Ethernet frames, what is
/// written here the system receives. Each frame has a virtio header in front of it. The card is gone with the handle.
/// Reads and writes never wait; they allocate nothing. Any thread, one at a time for each direction.
/// </summary>
[SupportedOSPlatform("linux")]
public static unsafe class TapDevice
{
    /// <summary>Bytes of the virtio header in front of each frame (<c>struct virtio_net_hdr</c>).</summary>
    public const int HeaderLength = 10;

    /// <summary>Longest name of an interface.</summary>
    public const int LongestName = 15;

    private const string Path = "/dev/net/tun";
    private const int ReadWrite = 2,
        CloseOnExec = 0x80000,
        NonBlocking = 0x800;
    private const nuint SetInterface = 0x4004_54CA,
        SetOffloads = 0x4004_54D0;
    private const int RequestLength = 40,
        FlagsInRequest = 16;
    private const short Tap = 2,
        NoInformation = 0x1000,
        VirtioHeader = 0x4000;

    /// <summary>Makes a card in the network namespace of the calling thread.</summary>
    /// <param name="name">Name of its interface, 1 to <see cref="LongestName"/> bytes.</param>
    /// <param name="card">The card, the caller's to close.</param>
    /// <returns>0, or the error number: <see cref="SystemError.NoSuchFile"/> without the driver,
    /// <see cref="SystemError.NotPermitted"/> without CAP_NET_ADMIN, <see cref="SystemError.Busy"/> if somebody has a
    /// card of this name.</returns>
    /// <exception cref="ArgumentException">The name is none.</exception>
    public static int Open(string name, out DescriptorHandle card)
    {
        int length = Encoding.UTF8.GetByteCount(name);
        if (length is 0 or > LongestName)
        {
            throw new ArgumentException(
                $"'{name}' is no name of an interface: 1 to {LongestName} bytes.",
                nameof(name)
            );
        }

        card = LinuxCalls.Open(Path, ReadWrite | CloseOnExec | NonBlocking, 0);
        if (card.IsInvalid)
        {
            return Marshal.GetLastPInvokeError();
        }

        byte* request = stackalloc byte[RequestLength];
        new Span<byte>(request, RequestLength).Clear();
        Encoding.UTF8.GetBytes(name, new Span<byte>(request, LongestName));
        *(short*)(request + FlagsInRequest) = Tap | NoInformation | VirtioHeader;
        if (LinuxCalls.ControlDevice(card, SetInterface, request) >= 0)
        {
            return 0;
        }

        int error = Marshal.GetLastPInvokeError();
        card.Dispose();
        return error;
    }

    /// <summary>Says which work on frames the reader does in the system's place; without a word it does none.</summary>
    /// <param name="card">The card.</param>
    /// <param name="offloads">What it does.</param>
    /// <returns>0, or the error number: the kernel does not know one of them.</returns>
    public static int SetOffload(SafeHandle card, TapOffloads offloads) =>
        LinuxCalls.ControlDevice(card, SetOffloads, (void*)(nint)(int)offloads) < 0 ? Marshal.GetLastPInvokeError() : 0;

    /// <summary>One frame, if there is one.</summary>
    /// <param name="card">The card.</param>
    /// <param name="bytes">Where header and frame go. What does not fit is cut off.</param>
    /// <returns>Bytes, or minus the error number: <see cref="SystemError.Again"/> says that there is none,
    /// <see cref="SystemError.InputOutput"/> that the interface is down,
    /// <see cref="SystemError.BadDescriptorState"/> that it was deleted.</returns>
    public static int Read(SafeHandle card, Span<byte> bytes)
    {
        fixed (byte* b = bytes)
        {
            nint count = LinuxCalls.Read(card, b, bytes.Length);
            return count < 0 ? -Marshal.GetLastPInvokeError() : (int)count;
        }
    }

    /// <summary>Gives the system one frame.</summary>
    /// <param name="card">The card.</param>
    /// <param name="bytes">Header and frame.</param>
    /// <returns>Bytes, or minus the error number, as for <see cref="Read"/>.</returns>
    public static int Write(SafeHandle card, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* b = bytes)
        {
            nint count = LinuxCalls.Write(card, b, bytes.Length);
            return count < 0 ? -Marshal.GetLastPInvokeError() : (int)count;
        }
    }
}
