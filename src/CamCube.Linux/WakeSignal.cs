using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>An eventfd: any thread sets it, and who sleeps in a <see cref="Poller"/> that watches it wakes, now or next
/// time.</summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class WakeSignal : IDisposable
{
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;

    /// <summary>A signal that is not set.</summary>
    /// <exception cref="IOException">No descriptor is left.</exception>
    public WakeSignal()
    {
        Handle = LinuxCalls.EventDescriptor(0, CloseOnExec | NonBlocking);
        if (Handle.IsInvalid)
        {
            throw SystemError.Failure("eventfd", Marshal.GetLastPInvokeError());
        }
    }

    /// <summary>Readable while set.</summary>
    public DescriptorHandle Handle { get; }

    /// <summary>Any thread. After the signal is closed it does nothing.</summary>
    public void Set()
    {
        // Fails only when the counter is full, and then the sleeper has its signal.
        ulong one = 1;
        try
        {
            _ = LinuxCalls.Write(Handle, &one, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
            // Nobody sleeps any more.
        }
    }

    /// <summary>The sleeper has seen it.</summary>
    public void Reset()
    {
        ulong count;
        _ = LinuxCalls.Read(Handle, &count, sizeof(ulong));
    }

    /// <summary>Closes the descriptor, after whoever sleeps on it has let go of it. Once or more.</summary>
    public void Dispose() => Handle.Dispose();
}
