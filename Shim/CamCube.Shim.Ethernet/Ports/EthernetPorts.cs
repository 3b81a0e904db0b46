using CamCube.Cables;
using CamCube.Shim.Ethernet.Foreign;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>
/// What packet sockets and pcap have in common: frames are written behind their Ethernet header into a ring per port,
/// and control frames say which address is at the other end.
/// </summary>
internal abstract class EthernetPorts : CablePorts
{
    private readonly CablePort[] _ports;
    private readonly Action<LinkNews> _news;
    private ForeignWatch? _foreign;
    private bool _isClosed;

    /// <summary>Ports on interfaces.</summary>
    /// <param name="chosen">Which interfaces.</param>
    /// <param name="options">Settings.</param>
    /// <param name="time">For the time before a sleep, and calendar time.</param>
    /// <param name="news">Takes lines for people.</param>
    protected EthernetPorts(
        IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen,
        EthernetOptions options,
        TimeProvider time,
        Action<LinkNews> news
    )
    {
        (Options, Time, _news) = (options, time, news);
        _ports = [.. chosen.Select(c => c.Port)];
        All = [.. chosen.Select(c => new EthernetPort(c.Port, c.Interface, options.MaxFrameLength))];
    }

    /// <inheritdoc/>
    public sealed override IReadOnlyList<CablePort> Ports => _ports;

    /// <summary>Settings.</summary>
    protected EthernetOptions Options { get; }

    /// <summary>The clock outside of the server.</summary>
    protected TimeProvider Time { get; }

    /// <summary>Their state, by number.</summary>
    protected EthernetPort[] All { get; }

    /// <inheritdoc/>
    public sealed override bool IsUp(int port) => All[port].IsUp;

    /// <inheritdoc/>
    public sealed override int MaxFrameLength(int port) => All[port].MaxFrameLength;

    /// <inheritdoc/>
    public sealed override int Room(int port) => All[port].Room;

    /// <inheritdoc/>
    public sealed override Span<byte> Rent(int port) => All[port].Sending.Writable[EthernetHeader.Length..];

    /// <inheritdoc/>
    public sealed override void Send(int port, int length)
    {
        EthernetPort p = All[port];
        if (EthernetHeader.Length + length > p.MaxFrameLength || !p.IsUp)
        {
            p.TooLarge += p.IsUp ? 1 : 0;
            return;
        }

        p.Sending.Commit(EthernetHeader.Write(p.Sending.Writable, p.Neighbour, p.Address, length));
        if (p.Room < 2)
        {
            p.WasFull = true;
            if (!p.IsBlocked)
            {
                OfferAll(p);
            }
        }
    }

    /// <inheritdoc/>
    public override void Flush(ICablePortEvents events, long now)
    {
        foreach (EthernetPort p in All)
        {
            if (p.Sending.Count > 0 && (!p.IsBlocked || p.RetryAt <= now))
            {
                Unblock(p);
                OfferAll(p);
                if (p.IsBlocked && p.RetryAt == 0)
                {
                    p.RetryAt = now + RetryNanos;
                }
            }

            if (p.WasFull | p.TooLarge > 0 | p.Refused > 0)
            {
                Tell(p, events, now);
            }
        }

        if (_foreign is { } foreign && foreign.TakeNews())
        {
            for (int i = 0; i < All.Length; i++)
            {
                events.ForeignChanged(i, foreign.Of(i), now);
            }
        }
    }

    /// <inheritdoc/>
    public sealed override void Close()
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        _foreign?.Dispose();
        CloseAll();
        foreach (EthernetPort p in All)
        {
            p.Dispose();
        }
    }

    /// <summary>How long to wait when the system is full and does not say when it is not any more.</summary>
    public const long RetryNanos = 500_000;

    /// <summary>Gives the system what it takes of a port's frames, and keeps in mind how many that were.</summary>
    protected void OfferAll(EthernetPort port)
    {
        int waiting = port.Sending.Count;
        Offer(port);
        port.Learn(waiting - port.Sending.Count);
    }

    /// <summary>Gives the system what it takes of a port's frames. If it takes no more, the port is blocked; with
    /// <see cref="EthernetPort.RetryAt"/> 0 if the system is not going to say when that ends.</summary>
    protected abstract void Offer(EthernetPort port);

    /// <summary>The system may take more again.</summary>
    protected virtual void Unblock(EthernetPort port) => (port.IsBlocked, port.RetryAt) = (false, long.MaxValue);

    /// <summary>Opens every port, or closes what was opened and says why.</summary>
    /// <param name="open">Opens one on an interface of a number; answers the fault in words, or null.</param>
    /// <exception cref="LinkProviderException">One could not be opened.</exception>
    protected void OpenAll(Func<EthernetPort, int, string?> open)
    {
        foreach (EthernetPort port in All)
        {
            if (open(port, port.Index) is { } fault)
            {
                Close();
                throw new LinkProviderException(fault);
            }
        }
    }

    /// <summary>Begins to look what else is on the cables; all ports are open.</summary>
    /// <param name="open">Opens an ear at a port; null: it cannot be had. Another thread than the loop.</param>
    protected void WatchForeign(Func<EthernetPort, ForeignTap?> open) =>
        _foreign = new ForeignWatch([.. All.Select(p => new ForeignEar(p.Signs, () => open(p)))], Time, Wake);

    /// <summary>Whether a port was opened; a fault, in words, is told to people.</summary>
    protected bool Succeeds(string? fault)
    {
        if (fault is not null)
        {
            _news(new LinkNews(true, fault));
        }

        return fault is null;
    }

    /// <summary>Whether an interface is one of the ports'.</summary>
    protected bool IsMeant(InterfaceInfo info) =>
        Array.Exists(All, p => p.Index == info.Index || p.Port.Name == info.Name);

    /// <summary>Gives up what the system gave.</summary>
    protected abstract void CloseAll();

    /// <summary>The earliest time at which a blocked port is to be tried again.</summary>
    protected long NextRetry()
    {
        long next = long.MaxValue;
        foreach (EthernetPort p in All)
        {
            next = p.IsBlocked && p.RetryAt < next ? p.RetryAt : next;
        }

        return next;
    }

    /// <summary>Passes a frame on that came from a port.</summary>
    /// <param name="port">Where it came in.</param>
    /// <param name="frame">All of it.</param>
    /// <param name="header">Bytes of it that are header, a tag included.</param>
    /// <param name="wasCut">Whether its end is missing.</param>
    /// <param name="events">Who is told.</param>
    /// <param name="now">The time, in ns.</param>
    protected static void Deliver(
        EthernetPort port,
        ReadOnlySpan<byte> frame,
        int header,
        bool wasCut,
        ICablePortEvents events,
        long now
    )
    {
        port.Signs.Count();
        int longest = header + EthernetHeader.LongestFrame - EthernetHeader.Length;
        if (wasCut || frame.Length <= header || frame.Length > longest)
        {
            bool isLong = wasCut || frame.Length > longest;
            events.FrameDropped(port.Port.Number, isLong ? DropReason.TooLarge : DropReason.Malformed);
            return;
        }

        ReadOnlySpan<byte> payload = frame[header..];
        if (payload[0] == 0)
        {
            MacAddress source = EthernetHeader.Source(frame);
            if (!source.IsGroup && source.Bits != 0)
            {
                port.Neighbour = source;
            }
        }

        events.FrameArrived(port.Port.Number, payload, now);
    }

    /// <summary>Tells what was not told yet.</summary>
    protected static void Tell(EthernetPort port, ICablePortEvents events, long now)
    {
        int number = port.Port.Number;
        for (; port.TooLarge > 0; port.TooLarge--)
        {
            events.FrameDropped(number, DropReason.TooLarge);
        }

        for (; port.Refused > 0; port.Refused--)
        {
            events.FrameDropped(number, DropReason.LinkDown);
        }

        if (port.WasFull && port.Room >= 2)
        {
            port.WasFull = false;
            events.RoomAgain(number, now);
        }
    }

    /// <summary>Compares the ports with the system's interfaces and tells what has changed.</summary>
    /// <param name="interfaces">The system's interfaces now.</param>
    /// <param name="events">Who is told.</param>
    /// <param name="now">Server time.</param>
    protected void Compare(IReadOnlyList<InterfaceInfo> interfaces, ICablePortEvents events, long now)
    {
        foreach (EthernetPort p in All)
        {
            InterfaceInfo? found = interfaces.FirstOrDefault(i => i.Name == p.Port.Name && i.IsEthernet);
            if (p.Index != 0 && found?.Index != p.Index)
            {
                Abandon(p);
                p.LoseAll();
                p.Update(null);
                events.PortChanged(p.Port.Number, false, 0, now);
            }

            if (found is not null && (p.Index != 0 || Reopen(p, found)) && p.Update(found))
            {
                if (!p.IsUp)
                {
                    Lose(p);
                }

                Resize(p);
                events.PortChanged(p.Port.Number, p.IsUp, p.MaxFrameLength, now);
            }
        }
    }

    /// <summary>The interface went down: what waits to be sent is lost.</summary>
    protected virtual void Lose(EthernetPort port) => port.LoseAll();

    /// <summary>The longest frame of an open port may have changed.</summary>
    protected virtual void Resize(EthernetPort port) { }

    /// <summary>The interface is gone: closes what was open on it.</summary>
    protected abstract void Abandon(EthernetPort port);

    /// <summary>The interface is back, with another number. False: it cannot be opened.</summary>
    protected abstract bool Reopen(EthernetPort port, InterfaceInfo found);
}
