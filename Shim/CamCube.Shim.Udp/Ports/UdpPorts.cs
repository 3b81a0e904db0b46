using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Sealing;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp.Ports;

/// <summary>
/// The ports of a server over UDP, all owned by its loop: one epoll over all sockets, batches in both directions,
/// frames sealed and opened in place.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class UdpPorts : CablePorts
{
    private readonly UdpPort[] _ports;
    private readonly CablePort[] _descriptions;
    private readonly Poller _poller;
    private readonly WakeSignal _wake = new();
    private Action? _othersHappened;
    private uint _readable;
    private uint _blocked;

    private UdpPorts(
        UdpOptions options,
        IReadOnlyList<(Link Link, HostPort Neighbour)> plan,
        NameResolver resolve,
        NonceSource random,
        Action<LinkNews> news
    )
    {
        var environment = new PortEnvironment(resolve, random, Wake, news);
        _ports = new UdpPort[plan.Count];
        _poller = new Poller(plan.Count + 2);
        try
        {
            for (int i = 0; i < _ports.Length; i++)
            {
                (Link link, HostPort neighbour) = plan[i];
                _ports[i] = new UdpPort(new CablePort(i, neighbour.ToString(), link), options, neighbour, environment);
                _poller.Watch(_ports[i].Handle, i, PollEvents.Readable);
            }

            _poller.Watch(_wake.Handle, _ports.Length, PollEvents.Readable);
        }
        catch
        {
            Close();
            throw;
        }

        _descriptions = [.. _ports.Select(p => p.Port)];
    }

    /// <inheritdoc/>
    public override IReadOnlyList<CablePort> Ports => _descriptions;

    /// <summary>Opens one socket per neighbour.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="plan">The neighbours, in the order of the links.</param>
    /// <param name="resolve">Looks names up.</param>
    /// <param name="random">Where nonces come from: nobody may be able to foretell them.</param>
    /// <param name="news">Takes lines for people; loop only.</param>
    /// <exception cref="LinkProviderException">A local port cannot be opened; the message is one line.</exception>
    public static UdpPorts Open(
        UdpOptions options,
        IReadOnlyList<(Link Link, HostPort Neighbour)> plan,
        NameResolver resolve,
        NonceSource random,
        Action<LinkNews> news
    ) => new(options, plan, resolve, random, news);

    /// <inheritdoc/>
    public override bool IsUp(int port) => true;

    /// <inheritdoc/>
    public override int MaxFrameLength(int port) => _ports[port].MaxFrameLength;

    /// <inheritdoc/>
    public override int Room(int port) => _ports[port].Room;

    /// <inheritdoc/>
    public override Span<byte> Rent(int port) => _ports[port].Frame;

    /// <inheritdoc/>
    public override void Send(int port, int length) => _ports[port].Send(length);

    /// <inheritdoc/>
    public override void Flush(ICablePortEvents events, long now)
    {
        for (int i = 0; i < _ports.Length; i++)
        {
            Flush(i, events, now);
        }
    }

    /// <inheritdoc/>
    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        Poll(0);
        int work = 0;
        for (int i = 0; i < _ports.Length; i++)
        {
            if ((_readable >> i & 1) != 0)
            {
                work += _ports[i].Receive(events, budget, now);
                _readable &= _ports[i].HasMore ? uint.MaxValue : ~(1u << i);
            }

            if ((_blocked >> i & 1) != 0 && !_ports[i].IsBlocked)
            {
                Flush(i, events, now);
            }

            _ports[i].Step(events, now);
        }

        return work;
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos)
    {
        for (int i = 0; i < _ports.Length; i++)
        {
            deadlineNanos = Math.Min(deadlineNanos, _ports[i].Deadline);
        }

        if (deadlineNanos > nowNanos && _readable == 0)
        {
            Poll(deadlineNanos - nowNanos);
        }
    }

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened)
    {
        _othersHappened = happened;
        _poller.Watch(descriptor, _ports.Length + 1, PollEvents.Readable);
        return true;
    }

    /// <inheritdoc/>
    public override void Wake() => _wake.Set();

    /// <inheritdoc/>
    public override void Close()
    {
        foreach (UdpPort? port in _ports)
        {
            port?.Dispose();
        }

        _poller.Dispose();
        _wake.Dispose();
    }

    private void Flush(int port, ICablePortEvents events, long now)
    {
        _ports[port].Flush(events, now);
        bool wasBlocked = (_blocked >> port & 1) != 0;
        if (_ports[port].IsBlocked != wasBlocked)
        {
            _blocked ^= 1u << port;
            _poller.Change(
                _ports[port].Handle,
                port,
                wasBlocked ? PollEvents.Readable : PollEvents.Readable | PollEvents.Writable
            );
        }
    }

    private void Poll(long nanos)
    {
        int count = _poller.Wait(nanos);
        for (int i = 0; i < count; i++)
        {
            if (!_poller.TryGet(i, out int key, out PollEvents events))
            {
                continue;
            }

            if (key == _ports.Length)
            {
                _wake.Reset();
                continue;
            }

            if (key == _ports.Length + 1)
            {
                _othersHappened!();
                continue;
            }

            if ((events & ~PollEvents.Writable) != 0)
            {
                _readable |= 1u << key;
            }

            if ((events & PollEvents.Writable) != 0)
            {
                _ports[key].Unblock();
            }
        }
    }
}
