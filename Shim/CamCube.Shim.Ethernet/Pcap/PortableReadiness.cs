using CamCube.Shim.Ethernet.Interfaces;
using Microsoft.Win32.SafeHandles;
using SharpPcap.LibPcap;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>
/// Elsewhere: every port is asked every time; Windows has an event per pcap to sleep on, and where there is none the
/// sleep is a millisecond at most. Nobody says when interfaces change.
/// </summary>
internal sealed class PortableReadiness : PcapReadiness
{
    private const long LongestBlindSleep = 1_000_000;
    private const int LongestSleepMillis = 60_000;
    private readonly AutoResetEvent _wake = new(false);
    private readonly SortedDictionary<int, WaitHandle> _events = [];
    private WaitHandle[] _handles;

    public PortableReadiness()
    {
        _handles = [_wake];
        (Readable, Writable) = (ulong.MaxValue, ulong.MaxValue);
    }

    public override void Watch(int port, PcapHandle handle)
    {
        if (OperatingSystem.IsWindows())
        {
            _events[port] = new ManualResetEvent(false)
            {
                SafeWaitHandle = new SafeWaitHandle(PcapCalls.Event(handle), ownsHandle: false),
            };
            _handles = [_wake, .. _events.Values];
        }
    }

    public override void Forget(int port)
    {
        if (_events.Remove(port, out WaitHandle? handle))
        {
            _handles = [_wake, .. _events.Values];
            handle.Dispose();
        }
    }

    public override bool WatchRoom(int port, bool on) => false;

    public override void Wait(long nanos)
    {
        if (nanos <= 0)
        {
            return;
        }

        long limit = _events.Count > 0 ? nanos : Math.Min(nanos, LongestBlindSleep);
        WaitHandle.WaitAny(_handles, (int)Math.Min((limit + 999_999) / 1_000_000, LongestSleepMillis));
    }

    public override void Wake() => _wake.Set();

    public override IReadOnlyList<InterfaceInfo> Interfaces() => PortableInterfaces.List();

    public override void Dispose()
    {
        foreach (WaitHandle handle in _events.Values)
        {
            handle.Dispose();
        }

        _wake.Dispose();
    }
}
