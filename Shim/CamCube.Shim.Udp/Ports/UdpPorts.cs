using System.Runtime.InteropServices;
using CamCube.Cables;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Sealing;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp.Ports;

/// <summary>
/// The ports of a server over UDP, all owned by its loop: frames sealed and opened in place, datagrams moved by Linux's
/// batches or .NET's sockets (<see cref="UdpWire"/>).
/// </summary>
internal sealed class UdpPorts : CablePorts
{
    private readonly UdpPort[] _ports;
    private readonly CablePort[] _descriptions;
    private readonly PortReadiness _ready;
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
        List<UdpWire> wires = [];
        try
        {
            foreach ((Link link, _) in plan)
            {
                wires.Add(Wire(options, link));
            }

            _ready =
                OperatingSystem.IsLinux() && UsesBatches(options)
                    ? new EpollReadiness([.. wires.Cast<BatchedWire>()])
                    : new SelectReadiness([.. wires.Cast<SocketWire>()]);
        }
        catch
        {
            wires.ForEach(w => w.Dispose());
            throw;
        }

        _ports =
        [
            .. plan.Select(
                (p, i) =>
                    new UdpPort(
                        new CablePort(i, p.Neighbour.ToString(), p.Link),
                        options,
                        p.Neighbour,
                        environment,
                        wires[i]
                    )
            ),
        ];
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
    public override bool TryWatch(SafeHandle descriptor, Action happened) => _ready.TryWatch(descriptor, happened);

    /// <inheritdoc/>
    public override void Wake() => _ready.Wake();

    /// <inheritdoc/>
    public override void Close()
    {
        foreach (UdpPort port in _ports)
        {
            port.Dispose();
        }

        _ready.Dispose();
    }

    private static bool UsesBatches(UdpOptions options) =>
        options.Via == PortMedium.Batches || (options.Via == PortMedium.Auto && OperatingSystem.IsLinux());

    private static UdpWire Wire(UdpOptions options, Link link)
    {
        int port = options.BasePort + (int)link;
        if (!UsesBatches(options))
        {
            return new SocketWire(options, port);
        }

        return OperatingSystem.IsLinux()
            ? new BatchedWire(options, port)
            : throw new LinkProviderException("CamCube:Udp:Via = 'Batches' works on Linux only; Sockets works here.");
    }

    private void Flush(int port, ICablePortEvents events, long now)
    {
        _ports[port].Flush(events, now);
        bool wasBlocked = (_blocked >> port & 1) != 0;
        if (_ports[port].IsBlocked != wasBlocked)
        {
            _blocked ^= 1u << port;
            _ready.WatchRoom(port, on: !wasBlocked);
        }
    }

    private void Poll(long nanos)
    {
        _ready.Wait(nanos);
        _readable |= _ready.Readable;
        uint writable = _ready.Writable;
        for (int i = 0; writable != 0; i++, writable >>= 1)
        {
            if ((writable & 1) != 0)
            {
                _ports[i].Unblock();
            }
        }
    }
}
