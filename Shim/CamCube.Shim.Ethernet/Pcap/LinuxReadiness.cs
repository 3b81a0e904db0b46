using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Interfaces;
using SharpPcap.LibPcap;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>On Linux: the descriptors of all pcaps, the wake-up and the news of interfaces in one epoll.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxReadiness : PcapReadiness
{
    private const int Ports = 64;
    private const int WakeKey = Ports,
        InterfacesKey = Ports + 1;
    private readonly LinuxInterfaces _interfaces;
    private readonly Func<InterfaceInfo, bool> _isMeant;
    private readonly WakeSignal _wake = new();
    private readonly Poller _poller = new(Ports + 2);
    private readonly DescriptorHandle?[] _descriptors = new DescriptorHandle?[Ports];

    public LinuxReadiness(LinuxInterfaces interfaces, Func<InterfaceInfo, bool> isMeant)
    {
        (_interfaces, _isMeant) = (interfaces, isMeant);
        _poller.Watch(_wake.Handle, WakeKey, PollEvents.Readable);
        _poller.Watch(_interfaces.Handle, InterfacesKey, PollEvents.Readable);
    }

    public override void Watch(int port, PcapHandle handle)
    {
        // The descriptor belongs to the pcap.
        var descriptor = new DescriptorHandle(PcapCalls.Descriptor(handle), ownsHandle: false);
        _poller.Watch(descriptor, port, PollEvents.Readable);
        _descriptors[port] = descriptor;
    }

    public override void Forget(int port)
    {
        if (_descriptors[port] is { } descriptor)
        {
            _poller.Forget(descriptor, port);
            _descriptors[port] = null;
        }
    }

    public override bool WatchRoom(int port, bool on)
    {
        if (_descriptors[port] is { } descriptor)
        {
            _poller.Change(descriptor, port, on ? PollEvents.Readable | PollEvents.Writable : PollEvents.Readable);
        }

        return true;
    }

    public override void Wait(long nanos)
    {
        (Readable, Writable, InterfacesChanged) = (0, 0, false);
        int ready = _poller.Wait(nanos);
        for (int i = 0; i < ready; i++)
        {
            if (!_poller.TryGet(i, out int key, out PollEvents seen))
            {
                continue;
            }

            switch (key)
            {
                case WakeKey:
                    _wake.Reset();
                    break;
                case InterfacesKey:
                    InterfacesChanged |= _interfaces.HasChanged(_isMeant);
                    break;
                default:
                    Readable |= (seen & (PollEvents.Readable | PollEvents.Error)) != 0 ? 1UL << key : 0;
                    Writable |= (seen & PollEvents.Writable) != 0 ? 1UL << key : 0;
                    break;
            }
        }
    }

    public override void Wake() => _wake.Set();

    public override IReadOnlyList<InterfaceInfo> Interfaces() => _interfaces.List();

    public override void Dispose()
    {
        _poller.Dispose();
        _interfaces.Dispose();
        _wake.Dispose();
    }
}
