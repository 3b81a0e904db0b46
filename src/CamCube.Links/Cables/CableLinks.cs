using System.Runtime.InteropServices;

namespace CamCube.Cables;

/// <summary>
/// The six links of one server on real ports: packets become frames, small ones share a frame when more are waiting,
/// and only cables that lead to the right server carry any (<see cref="ICabling"/>).
/// </summary>
/// <remarks>
/// A frame stays open until the end of the step, until the next packet does not fit, or until the link has no room for
/// another: so packets that wait are concatenated (HPDC §4.1), and none waits for company.
/// </remarks>
public sealed class CableLinks : LinkDriver, ICablePortEvents, ICablingSender
{
    private const int EthernetHeader = 14;

    /// <summary>As on a cable of 1 Gbit/s.</summary>
    private const long LostNanosPerByte = 8;

    private readonly CablePorts _ports;
    private readonly ICabling _cabling;
    private readonly bool _aggregates;
    private readonly int[] _portOf = new int[Links.Cables];
    private readonly Link?[] _linkOf;
    private readonly int[] _open = new int[Links.Cables];
    private ILinkEvents? _server;
    private LinkSet _admitted;
    private LinkSet _full;
    private int _room;
    private bool _isControlWaiting;
    private bool _isControlLate;

    /// <summary>Links on these ports.</summary>
    /// <param name="ports">The ports; closed with the links.</param>
    /// <param name="cabling">Who is at the other ends.</param>
    /// <param name="aggregates">Whether small packets share frames. Switched off for measurements only.</param>
    public CableLinks(CablePorts ports, ICabling cabling, bool aggregates = true)
    {
        ArgumentNullException.ThrowIfNull(ports);
        ArgumentNullException.ThrowIfNull(cabling);
        (_ports, _cabling, _aggregates) = (ports, cabling, aggregates);
        _linkOf = new Link?[ports.Ports.Count];
        Assign();
    }

    /// <summary>Links on ports that were opened just now.</summary>
    /// <param name="ports">The ports; closed with the links, and if there can be none.</param>
    /// <param name="cabling">Makes what says who is at the other ends.</param>
    /// <param name="aggregates">Whether small packets share frames. Switched off for measurements only.</param>
    public static CableLinks Open(CablePorts ports, Func<CablePorts, ICabling> cabling, bool aggregates = true)
    {
        ArgumentNullException.ThrowIfNull(ports);
        ArgumentNullException.ThrowIfNull(cabling);
        try
        {
            return new CableLinks(ports, cabling(ports), aggregates);
        }
        catch
        {
            ports.Close();
            throw;
        }
    }

    /// <inheritdoc/>
    public override int MaxFrameLength => _cabling.MaxFrameLength;

    /// <inheritdoc/>
    public override CablingReport? Cabling => _cabling.Report;

    /// <inheritdoc/>
    public override bool TryPlace(long now, out Coordinate coordinate, out long deadline)
    {
        Exchange(64, now);
        _ports.Flush(this, now);
        deadline = _cabling.Deadline;
        return _cabling.TryPlace(out coordinate);
    }

    /// <inheritdoc/>
    public override void Attach(ILinkEvents server)
    {
        _server = server;
        Assign();
        _admitted = _cabling.Admitted;
        _room = MaxFrameLength - EthernetHeader;
    }

    /// <inheritdoc/>
    public override long Transmit(Link link, Packet packet, long now)
    {
        ILinkEvents server = _server!;
        int port = _portOf[(int)link];
        if (port < 0 || !_admitted.Contains(link))
        {
            // The link state finds out that nobody is heard there; until then what is sent is lost, as on a cut cable.
            // It takes its time all the same: who always has something to send would do nothing else.
            long busy = packet.WireLength * LostNanosPerByte;
            server.Lose(packet);
            server.FrameDropped(link, DropReason.LinkDown);
            return now + busy;
        }

        ref int open = ref _open[(int)link];
        if (open > 0)
        {
            int longer = _aggregates ? server.TryAppend(packet, _ports.Rent(port)[.._room], open) : 0;
            if (longer > 0)
            {
                open = longer;
                return now;
            }

            _ports.Send(port, open);
        }

        open = server.Encode(packet, _ports.Rent(port));

        // The open frame takes one, and the next packet may need another.
        if (_ports.Room(port) > 1)
        {
            return now;
        }

        _full |= link;
        return Full;
    }

    /// <inheritdoc/>
    public override void Flush(long now)
    {
        CloseFrames();
        _ports.Flush(this, now);
        if (_isControlLate)
        {
            // They came into the ports' rings only after these had been handed over.
            _isControlLate = false;
            _ports.Flush(this, now);
        }

        FreeLinks(now);
    }

    /// <inheritdoc/>
    public override int Receive(ILinkEvents sink, int budget, long now)
    {
        _server = sink;
        return Exchange(budget, now);
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos) =>
        _ports.Wait(nowNanos, Math.Min(deadlineNanos, _cabling.Deadline));

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened) => _ports.TryWatch(descriptor, happened);

    /// <inheritdoc/>
    public override void Wake() => _ports.Wake();

    /// <inheritdoc/>
    public override void Close()
    {
        _ports.Close();
        _cabling.Close();
    }

    void ICablePortEvents.FrameArrived(int port, ReadOnlySpan<byte> frame, long now)
    {
        if (frame.Length > 0 && frame[0] == 0)
        {
            long malformed = _cabling.MalformedFrames;
            _cabling.FrameArrived(port, frame, now);
            if (_cabling.MalformedFrames != malformed && _linkOf[port] is { } from)
            {
                _server?.FrameDropped(from, DropReason.Malformed);
            }

            Admit(now);
        }
        else if (_linkOf[port] is { } link && _server is { } server)
        {
            if (_admitted.Contains(link))
            {
                server.FrameArrived(link, frame, now);
            }
            else
            {
                server.FrameDropped(link, DropReason.Miscabled);
            }
        }
    }

    void ICablePortEvents.RoomAgain(int port, long now)
    {
        if (_isControlWaiting)
        {
            // Before the services, which would fill a busy link again at once: a neighbour that hears no control frames
            // for some seconds takes the cable for pulled.
            _isControlWaiting = false;
            _isControlLate = true;
            RunCabling(now);
        }

        FreeLinks(now);
    }

    void ICablePortEvents.PortChanged(int port, bool isUp, int maxFrameLength, long now)
    {
        _cabling.PortChanged(port, isUp, maxFrameLength, now);
        Admit(now);
    }

    void ICablePortEvents.FrameDropped(int port, DropReason reason)
    {
        if (_linkOf[port] is { } link)
        {
            _server?.FrameDropped(link, reason);
        }
    }

    void ICablePortEvents.ForeignChanged(int port, ForeignTraffic? traffic, long now) =>
        _cabling.ForeignChanged(port, traffic, now);

    bool ICablingSender.TrySend(int port, ReadOnlySpan<byte> frame)
    {
        // One is left for the packet that a link has been promised room for.
        if (_ports.Room(port) < 2)
        {
            _isControlWaiting = true;
            return false;
        }

        if (_linkOf[port] is { } link)
        {
            CloseFrame(link);
        }

        if (_ports.Room(port) < 2)
        {
            _isControlWaiting = true;
            return false;
        }

        frame.CopyTo(_ports.Rent(port));
        _ports.Send(port, frame.Length);
        return true;
    }

    private void Assign()
    {
        Array.Fill(_portOf, -1);
        foreach (CablePort port in _ports.Ports)
        {
            _linkOf[port.Number] = _cabling.LinkOf(port);
            if (_linkOf[port.Number] is { } link)
            {
                _portOf[(int)link] = port.Number;
            }
        }
    }

    private int Exchange(int budget, long now)
    {
        int work = _ports.Receive(this, budget, now);
        if (_cabling.Deadline <= now)
        {
            RunCabling(now);
            work++;
        }

        return work;
    }

    private void RunCabling(long now)
    {
        _cabling.Run(now, this);
        Admit(now);
    }

    private void Admit(long now)
    {
        LinkSet admitted = _cabling.Admitted;
        if (admitted == _admitted)
        {
            return;
        }

        LinkSet before = _admitted;
        _admitted = admitted;
        for (int i = 0; i < Links.Cables; i++)
        {
            var link = (Link)i;
            if (before.Contains(link) != admitted.Contains(link))
            {
                _server?.LinkChanged(link, admitted.Contains(link), now);
            }
        }
    }

    private void CloseFrames()
    {
        for (int i = 0; i < Links.Cables; i++)
        {
            CloseFrame((Link)i);
        }
    }

    private void CloseFrame(Link link)
    {
        ref int open = ref _open[(int)link];
        if (open > 0)
        {
            _ports.Send(_portOf[(int)link], open);
            open = 0;
        }
    }

    private void FreeLinks(long now)
    {
        foreach (Link link in _full)
        {
            // An open frame takes one of them.
            if (_ports.Room(_portOf[(int)link]) > (_open[(int)link] > 0 ? 1 : 0))
            {
                _full -= link;
                _server!.LinkFree(link, now);
            }
        }
    }
}
