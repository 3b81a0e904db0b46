using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>A timerfd: who sleeps in a <see cref="Poller"/> that watches it wakes when its time is over. Setting it
/// wakes nobody, so it can be put off again and again for the price of a call.</summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class WakeTimer : IDisposable
{
    private const int Monotonic = 1;
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;

    /// <summary>A timer that is not set.</summary>
    /// <exception cref="IOException">No descriptor is left.</exception>
    public WakeTimer()
    {
        Handle = LinuxCalls.TimerDescriptor(Monotonic, CloseOnExec | NonBlocking);
        if (Handle.IsInvalid)
        {
            throw SystemError.Failure("timerfd_create", Marshal.GetLastPInvokeError());
        }
    }

    /// <summary>Readable once its time is over, until it is set or reset.</summary>
    public DescriptorHandle Handle { get; }

    /// <summary>Its time is over after so long, whatever it was set to before; 0: never. Any thread. After the timer is
    /// closed it does nothing.</summary>
    /// <param name="nanos">Not negative.</param>
    public void Set(long nanos)
    {
        // struct itimerspec: how often again, and when first.
        LinuxCalls.TimeSpec* times = stackalloc LinuxCalls.TimeSpec[2];
        (times[0], times[1]) = (default, new LinuxCalls.TimeSpec(nanos));
        try
        {
            _ = LinuxCalls.SetTimer(Handle, 0, times, null);
        }
        catch (ObjectDisposedException)
        {
            // Nobody sleeps any more.
        }
    }

    /// <summary>The sleeper has seen that its time is over.</summary>
    public void Reset()
    {
        ulong count;
        _ = LinuxCalls.Read(Handle, &count, sizeof(ulong));
    }

    /// <summary>Closes the descriptor, after whoever sleeps on it has let go of it. Once or more.</summary>
    public void Dispose() => Handle.Dispose();
}
