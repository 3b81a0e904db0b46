using CamCube.Cables;

namespace CamCube.Cabling;

/// <summary>
/// Greets what is at the other end of every cable, tells all servers about it, finds out which server this is, and
/// admits the links whose cables are right (docs/cabling.md). A step machine without clock, thread or randomness of its
/// own.
/// </summary>
public sealed class CablingProtocol : ICabling
{
    private readonly CablingState _state;
    private readonly PlaceFinder _finder;
    private readonly MapExchange _maps;
    private readonly ReportExchange _reports;
    private readonly CablingJudge _judge;
    private readonly CablingWatch _watch;
    private readonly byte[] _frame = new byte[ControlHeader.LongestFrame];
    private long _deadline = long.MinValue;
    private bool _hasStarted;

    /// <summary>A protocol that has heard nothing yet. Ports are held to be up and to take frames of 1,514 bytes until
    /// <see cref="PortChanged"/> says something else.</summary>
    /// <param name="setup">Who this server is.</param>
    /// <param name="ports">Its ports; numbers are indices.</param>
    public CablingProtocol(CablingSetup setup, IReadOnlyList<CablePort> ports)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ArgumentNullException.ThrowIfNull(ports);
        _state = new CablingState(setup, ports);
        _finder = new PlaceFinder(_state);
        _maps = new MapExchange(_state, _finder);
        _reports = new ReportExchange(_state);
        _judge = new CablingJudge(_state);
        _watch = new CablingWatch(_state);
    }

    /// <inheritdoc/>
    public LinkSet Admitted { get; private set; }

    /// <inheritdoc/>
    public int MaxFrameLength => _state.MaxFrame;

    /// <inheritdoc/>
    public long Deadline => _deadline;

    /// <inheritdoc/>
    public CablingReport Report => _watch.Report;

    /// <inheritdoc/>
    public long MalformedFrames { get; private set; }

    /// <summary>Reports that are kept, those that do not count included. Loop only.</summary>
    internal int KnownReports => _state.Book.Count;

    /// <summary>Opens what a server keeps for life and makes its protocol: what a link provider calls.</summary>
    /// <param name="request">What the provider was told.</param>
    /// <param name="ports">The ports; asked for their present state.</param>
    /// <param name="options">Periods and limits; null: the defaults.</param>
    /// <exception cref="LinkProviderException">The settings contradict each other or what is stored, or the state
    /// cannot be used.</exception>
    public static CablingProtocol Create(LinkProviderRequest request, CablePorts ports, CablingOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(ports);
        var protocol = new CablingProtocol(CablingShell.Open(request, options ?? new CablingOptions()), ports.Ports);
        for (int i = 0; i < ports.Ports.Count; i++)
        {
            protocol.PortChanged(i, ports.IsUp(i), ports.MaxFrameLength(i), 0);
        }

        return protocol;
    }

    /// <inheritdoc/>
    public bool TryPlace(out Coordinate coordinate)
    {
        coordinate = _state.Place ?? default;
        return _state.Place is not null;
    }

    /// <inheritdoc/>
    public Link? LinkOf(CablePort port)
    {
        ArgumentNullException.ThrowIfNull(port);
        return _state.Ports[port.Number].Link;
    }

    /// <inheritdoc/>
    public void FrameArrived(int port, ReadOnlySpan<byte> frame, long now)
    {
        if (
            (uint)port >= (uint)_state.Ports.Length
            || !ControlHeader.TryRead(frame, out ControlHeader header, out ControlReader rest)
        )
        {
            MalformedFrames++;
            return;
        }

        PortState at = _state.Ports[port];
        if (header.Kind == ControlKind.Hello)
        {
            TakeHello(port, at, header, ref rest, now);
            return;
        }

        // Everything else is for servers of this cube that have introduced themselves.
        if (
            at.Link is null
            || !at.HearsServer
            || header.Server != at.From.Server
            || header.Nonce != at.From.Nonce
            || !header.IsOurVersion
        )
        {
            return;
        }

        at.HeardAt = now;
        switch (header.Kind)
        {
            case ControlKind.Report:
                _reports.TakeReport(port, ref rest, now);
                break;
            case ControlKind.Known:
                _reports.TakeKnown(port, ref rest);
                break;
            case ControlKind.MapRequest:
                _maps.TakeRequest(at, ref rest);
                break;
            case ControlKind.MapPart:
                _maps.TakePart(port, ref rest);
                break;
            default:
                MalformedFrames++;
                return;
        }

        MalformedFrames += rest.Failed ? 1 : 0;
        _deadline = Math.Min(_deadline, now);
    }

    /// <inheritdoc/>
    public void PortChanged(int port, bool isUp, int maxFrameLength, long now)
    {
        PortState at = _state.Ports[port];
        if (at.IsUp == isUp && at.MaxFrame == maxFrameLength)
        {
            return;
        }

        (at.IsUp, at.MaxFrame, at.ChangedAt) = (isUp, maxFrameLength, now);
        if (!isUp)
        {
            at.Forget(now);
            _state.Book.Drop(port);
        }

        _state.HelloSoon(at, now);
        (_state.IsReportStale, _state.IsLookStale) = (true, true);
        _deadline = Math.Min(_deadline, now);
        Admit(now);
    }

    /// <inheritdoc/>
    public void ForeignChanged(int port, ForeignTraffic? traffic, long now)
    {
        PortState at = _state.Ports[port];
        if (at.Foreign != traffic)
        {
            (at.Foreign, _state.IsLookStale) = (traffic, true);
            _deadline = Math.Min(_deadline, now);
        }
    }

    /// <inheritdoc/>
    public void Run(long now, ICablingSender sender)
    {
        ArgumentNullException.ThrowIfNull(sender);
        Start(now);
        Expire(now);
        _reports.Publish(now);
        if (_state.Book.Refresh(now, CablingState.Nanos(_state.Options.Forget)))
        {
            (_state.BookChangedAt, _state.IsLookStale) = (now, true);
        }

        _maps.Run(now);
        _finder.Run(now);
        _judge.Run(now);
        Admit(now);
        _watch.Run(now, Admitted);
        bool isAllSent = Send(now, sender);
        _deadline = isAllSent ? NextDeadline(now) : now + CablingState.Nanos(_state.Options.RoomRetry);
    }

    /// <inheritdoc/>
    public void Close() => _state.Setup.Store?.Close();

    private void TakeHello(int number, PortState port, in ControlHeader header, ref ControlReader rest, long now)
    {
        CablingHeard heard = Classify(header, ref rest, out Hello? hello, out string detail);
        if (heard == CablingHeard.Nothing)
        {
            MalformedFrames++;
            return;
        }

        bool isOther =
            port.From.Server != header.Server || port.From.Nonce != header.Nonce || port.From.Link != header.Link;
        if (port.Take(heard, header, hello, detail, now, _state.Options))
        {
            (_state.IsReportStale, _state.IsLookStale) = (true, true);
            _deadline = Math.Min(_deadline, now);
            if (isOther && port.Link is not null)
            {
                _state.Book.Drop(number);
                _state.HelloSoon(port, now);
            }

            Admit(now);
        }

        if (port.HearsServer && port.Link is not null && _reports.Compare(number, hello!, now))
        {
            _deadline = Math.Min(_deadline, now);
        }
    }

    private CablingHeard Classify(in ControlHeader header, ref ControlReader rest, out Hello? hello, out string detail)
    {
        (hello, detail) = (null, "");
        CablingSetup setup = _state.Setup;
        if (header.ClusterId != setup.ClusterId)
        {
            detail = header.ClusterId;
            return CablingHeard.OtherCluster;
        }

        if (header.Server == setup.Server)
        {
            return header.Nonce == setup.BootNonce ? CablingHeard.Itself : CablingHeard.SameIdentity;
        }

        if (!header.IsOurVersion)
        {
            detail =
                header.LowestWire == header.HighestWire
                    ? $"cabling {header.Version}, data {header.LowestWire}"
                    : $"cabling {header.Version}, data {header.LowestWire} to {header.HighestWire}";
            return CablingHeard.OtherVersion;
        }

        hello = Hello.TryRead(ref rest);
        if (hello is null)
        {
            return CablingHeard.Nothing;
        }

        TorusShape shape = setup.Shape;
        if (hello.Shape != (shape.X, shape.Y, shape.Z, shape.ParallelCables))
        {
            (int x, int y, int z, bool parallel) = hello.Shape;
            detail = $"{x}x{y}x{z}{(parallel == shape.ParallelCables ? "" : parallel ? " parallel" : " not parallel")}";
            hello = null;
            return CablingHeard.OtherShape;
        }

        return CablingHeard.Server;
    }

    private void Start(long now)
    {
        if (_hasStarted)
        {
            return;
        }

        (_hasStarted, _state.StartedAt) = (true, now);
        long fast = CablingState.Nanos(_state.Options.FastHello);
        foreach (PortState port in _state.Ports)
        {
            port.ChangedAt = now;

            // A hall of servers that get their power at once does not speak at once.
            port.NextHello = now + (long)(_state.Setup.Jitter.NextDouble() * fast);
        }
    }

    private void Expire(long now)
    {
        long silence = CablingState.Nanos(_state.Options.Silence);
        foreach (PortState port in _state.Ports)
        {
            if (port.Heard != CablingHeard.Nothing && now - port.HeardAt >= silence)
            {
                port.Forget(now);
                _state.Book.Drop(port.Port.Number);
                _state.HelloSoon(port, now);
                (_state.IsReportStale, _state.IsLookStale) = (true, true);
            }
        }
    }

    private void Admit(long now)
    {
        LinkSet admitted = default;
        foreach (PortState port in _state.Ports)
        {
            bool isAdmitted = _judge.Admits(port);
            if (isAdmitted)
            {
                admitted |= port.Link!.Value;
            }

            if (isAdmitted != port.IsAdmitted)
            {
                (port.IsAdmitted, port.ChangedAt) = (isAdmitted, now);
                _state.HelloSoon(port, now);
                (_state.IsReportStale, _state.IsLookStale) = (true, true);
                _deadline = Math.Min(_deadline, now);
            }
        }

        Admitted = admitted;
    }

    private bool Send(long now, ICablingSender sender)
    {
        bool isAllSent = true;
        for (int i = 0; i < _state.Ports.Length; i++)
        {
            PortState port = _state.Ports[i];
            if (port.Link is not { } link || !port.IsUp)
            {
                continue;
            }

            ControlHeader header = new(
                ControlKind.Hello,
                ControlHeader.OurVersion,
                ControlHeader.OurWire,
                ControlHeader.OurWire,
                (int)link,
                _state.Setup.Server,
                _state.Setup.BootNonce,
                _state.Setup.ClusterId,
                port.Port.Name
            );
            isAllSent &= SendHello(port, header, now, sender);
            if (port.HearsServer)
            {
                isAllSent &= SendMap(port, header, now, sender) && _reports.Send(port, header, sender, _frame);
            }
        }

        return isAllSent;
    }

    private bool SendHello(PortState port, in ControlHeader header, long now, ICablingSender sender)
    {
        bool isFast = !port.IsAdmitted && now - port.ChangedAt < CablingState.Nanos(_state.Options.FastFor);
        long period = CablingState.Nanos(isFast ? _state.Options.FastHello : _state.Options.SlowHello);

        // Hellos that are nearly due go with the others: a server that idles wakes up once for all its ports.
        if (port.NextHello > now && (port.NextHello > now + (period / 10) || now - port.LastHello < period / 2))
        {
            return true;
        }

        ControlWriter writer = ControlHeader.Begin(_frame, header);
        TorusShape shape = _state.Setup.Shape;
        new Hello
        {
            PortMaxFrame = port.MaxFrame,
            MaxFrame = _state.MaxFrame,
            Shape = (shape.X, shape.Y, shape.Z, shape.ParallelCables),
            Coordinate = _state.NamedPlace,
            IsFixed = _state.Setup.Coordinate is not null,
            Map = _state.Map?.Epoch,
            IsRefusing = _state.Refusal is not null,
            IsAdmitting = port.IsAdmitted,
            Echo = port.Heard == CablingHeard.Nothing ? null : (port.From.Server, port.From.Nonce, port.From.Link),
            KnownReports = _state.Book.Reachable.Count,
            Digest = _state.Book.Digest,
        }.Write(ref writer);
        if (!sender.TrySend(port.Port.Number, _frame.AsSpan(0, ControlHeader.End(writer))))
        {
            return false;
        }

        port.LastHello = now;
        port.NextHello = now + period - (long)(_state.Setup.Jitter.NextDouble() * period / 5);
        return true;
    }

    private bool SendMap(PortState port, in ControlHeader header, long now, ICablingSender sender)
    {
        if (port.WantedRank >= 0 && _state.Map is not null)
        {
            if (!sender.TrySend(port.Port.Number, _frame.AsSpan(0, _maps.WritePart(_frame, header, port.WantedRank))))
            {
                return false;
            }

            port.WantedRank = -1;
        }

        return _maps.AskingPort != port.Port.Number
            || sender.TrySend(port.Port.Number, _frame.AsSpan(0, _maps.WriteRequest(_frame, header, now)));
    }

    private long NextDeadline(long now)
    {
        long deadline = Math.Min(
            Math.Min(_finder.Deadline, _judge.Deadline),
            Math.Min(_maps.Deadline, _watch.Deadline)
        );
        deadline = Math.Min(deadline, Math.Min(_state.Book.Deadline, _reports.Deadline));
        long silence = CablingState.Nanos(_state.Options.Silence);
        foreach (PortState port in _state.Ports)
        {
            if (port.Link is not null && port.IsUp)
            {
                deadline = Math.Min(deadline, port.NextHello);
            }

            if (port.Heard != CablingHeard.Nothing)
            {
                deadline = Math.Min(deadline, port.HeardAt + silence);
            }
        }

        return Math.Max(deadline, now + 1);
    }
}
