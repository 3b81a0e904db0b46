using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Udp.Ports;

/// <summary>Linux: one epoll over all sockets, the wake-up, and what else is watched.</summary>
[SupportedOSPlatform("linux")]
internal sealed class EpollReadiness : PortReadiness
{
    private readonly BatchedWire[] _wires;
    private readonly Poller _poller;
    private readonly WakeSignal _wake = new();
    private Action? _othersHappened;

    public EpollReadiness(BatchedWire[] wires)
    {
        _wires = wires;
        _poller = new Poller(wires.Length + 2);
        for (int i = 0; i < wires.Length; i++)
        {
            _poller.Watch(wires[i].Handle, i, PollEvents.Readable);
        }

        _poller.Watch(_wake.Handle, WakeKey, PollEvents.Readable);
    }

    private int WakeKey => _wires.Length;

    private int OthersKey => _wires.Length + 1;

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened)
    {
        _othersHappened = happened;
        _poller.Watch(descriptor, OthersKey, PollEvents.Readable);
        return true;
    }

    /// <inheritdoc/>
    public override void WatchRoom(int port, bool on) =>
        _poller.Change(_wires[port].Handle, port, on ? PollEvents.Readable | PollEvents.Writable : PollEvents.Readable);

    /// <inheritdoc/>
    public override void Wait(long nanos)
    {
        (Readable, Writable) = (0, 0);
        int count = _poller.Wait(nanos);
        for (int i = 0; i < count; i++)
        {
            if (!_poller.TryGet(i, out int key, out PollEvents events))
            {
                continue;
            }

            if (key == WakeKey)
            {
                _wake.Reset();
            }
            else if (key == OthersKey)
            {
                _othersHappened!();
            }
            else
            {
                Readable |= (events & ~PollEvents.Writable) != 0 ? 1u << key : 0;
                Writable |= (events & PollEvents.Writable) != 0 ? 1u << key : 0;
            }
        }
    }

    /// <inheritdoc/>
    public override void Wake() => _wake.Set();

    /// <inheritdoc/>
    public override void Dispose()
    {
        _poller.Dispose();
        _wake.Dispose();
    }
}
