using CamCube.Messaging.Streams.Flow;
using CamCube.Messaging.Streams.Paths;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>
/// Two runs of an endpoint on two servers, bound to each other by a greeting: streams that share packets, paths and
/// acknowledgements. Loop only.
/// </summary>
internal sealed partial class StreamConnection
{
    // The hello is repeated after so long per hop, doubled up to so many times.
    private const long HelloNanosPerHop = 1_000_000;
    private const int MostHelloDoublings = 4;

    // Gaps between the numbers of streams that came: those of an opener have none for long.
    private const int MostGaps = 65_536;

    // What leaves before it is asked for must find the connection there: who has not been heard of for so long may have
    // forgotten it, and then nobody would know whether it was read.
    private const long FlightNanos = 100_000_000;

    private readonly StreamHost _host;
    private readonly StreamTable _streams = new();
    private readonly RangeSet _peersStreams = new();
    private readonly SendTurns _sending = new();
    private readonly Queue<StreamBody> _control = new();
    private readonly ConnectionPaths _paths;
    private readonly ServerTimer _timer;
    private long _timerDue = long.MaxValue;
    private ulong _peerIncarnation;
    private long _nextStream;
    private long _beganNanos;
    private long _heardNanos;
    private long _cameNanos;
    private long _askedNanos = long.MinValue;
    private long _lostNanos = long.MaxValue;
    private long _helloNanos = long.MaxValue;
    private int _hellos;

    public StreamConnection(StreamHost host, in ConnectionKey key, ulong peerRun, in ConnectionTerms terms, int weight)
    {
        (_host, Key, Terms, Weight) = (host, key, terms, weight);
        BindTo(peerRun);
        _timer = host.Server.CreateTimer(OnTimer);
        _paths = new ConnectionPaths(host, this);
        IdleNode = new LinkedListNode<StreamConnection>(this);
        State = key.IsOpener ? ConnectionState.Greeting : ConnectionState.Open;
        _nextStream = key.IsOpener ? 0 : 1;
        _beganNanos = _heardNanos = _cameNanos = IdleSinceNanos = host.NowNanos;
        _paths.Refresh();
        if (State == ConnectionState.Greeting)
        {
            SayHello();
        }
    }

    public ConnectionKey Key { get; }

    public ConnectionTerms Terms { get; }

    /// <summary>Its part of a link that connections share.</summary>
    public int Weight { get; set; }

    public ConnectionState State { get; private set; }

    /// <summary>Run of the peer's endpoint; 0: not known yet.</summary>
    public ulong PeerRun { get; private set; }

    public StreamHost Host => _host;

    public bool IsOver => State == ConnectionState.Over;

    /// <summary>Whether its peer is this very server.</summary>
    public bool IsLocal => Key.Peer == _host.Server.Coordinate;

    /// <summary>Streams that are open or linger.</summary>
    public int Streams => _streams.Count;

    /// <summary>Since when there is none.</summary>
    public long IdleSinceNanos { get; private set; }

    /// <summary>Its place among those that are idle, while it is.</summary>
    public LinkedListNode<StreamConnection> IdleNode { get; }

    public ConnectionPaths Paths => _paths;

    public long AckDelayNanos => _host.AckDelayNanos;

    public long ProbeFloorNanos => _host.ProbeFloorNanos;

    /// <summary>When something is due next.</summary>
    public long DueNanos
    {
        get
        {
            long due = Math.Min(_helloNanos, _paths.DueNanos);
            if (_lostNanos != long.MaxValue)
            {
                return Math.Min(due, _lostNanos + _host.KeepNanos);
            }

            if (_streams.Count == 0)
            {
                due = Math.Min(due, IdleSinceNanos + _host.IdleNanos);
            }
            else if (State == ConnectionState.Open)
            {
                due = Math.Min(due, AskNanos);
            }

            return IsWaiting ? Math.Min(due, _heardNanos + _host.SilenceNanos) : due;
        }
    }

    /// <summary>Whether a packet of the peer came just now, so that it has the connection for sure.</summary>
    public bool MayFly => State == ConnectionState.Open && _host.NowNanos - _cameNanos <= FlightNanos;

    private bool HasWork => State == ConnectionState.Open && (_control.Count > 0 || !_sending.IsEmpty);

    // Whether silence of the peer means something.
    private bool IsWaiting =>
        State == ConnectionState.Open
        && _lostNanos == long.MaxValue
        && (_streams.Count > 0 || _paths.HasPacketsUnderWay);

    // Who only reads would miss that the peer has begun anew.
    private long AskNanos => Math.Max(_heardNanos, _askedNanos) + (_host.SilenceNanos / 4);

    /// <summary>Opens a stream. Null: there is no memory for the credit that it needs at least.</summary>
    public StreamBody? Open(in StreamPurpose purpose, KeyAsk? ask)
    {
        StreamBody? stream = _host.CreateStream(this, TakeId(), purpose, ask);
        if (stream is not null)
        {
            _host.Counters.Opened.Add();
            Add(stream);
            Wants(stream);
        }

        return stream;
    }

    /// <summary>A stream goes on here that nobody has answered for.</summary>
    public void Adopt(StreamBody stream)
    {
        stream.Attach(this, TakeId());
        Add(stream);
        Wants(stream);
    }

    /// <summary>Streams of another one go on here. If nobody had welcomed that one, both together have the time to
    /// open.</summary>
    public void Succeed(StreamConnection before)
    {
        if (before._helloNanos != long.MaxValue)
        {
            _beganNanos = Math.Min(_beganNanos, before._beganNanos);
        }
    }

    /// <summary>A stream may have bytes to send.</summary>
    public void Wants(StreamBody stream)
    {
        if (State == ConnectionState.Over || stream.IsDetached)
        {
            return;
        }

        if (stream.HasData)
        {
            _sending.Add(stream);
        }

        Wake();
    }

    /// <summary>A stream has something to say beside its bytes.</summary>
    public void WantsControl(StreamBody stream)
    {
        if (!stream.IsInControl)
        {
            stream.IsInControl = true;
            stream.Holds++;
            _control.Enqueue(stream);
        }

        Wake();
    }

    /// <summary>The priority of a stream has changed.</summary>
    public void MovePriority(StreamBody stream) => _sending.Move(stream);

    public void NoteHeard(long nowNanos) => _heardNanos = nowNanos;

    /// <summary>A packet of the peer has come.</summary>
    public void NoteCame(long nowNanos) => (_heardNanos, _cameNanos) = (nowNanos, nowNanos);

    /// <summary>A stream is over, read and disposed of, and nothing of it is under way.</summary>
    public void Forget(StreamBody stream)
    {
        Remove(stream);
        if (!stream.IsForgotten)
        {
            _host.Free(stream);
        }
    }

    /// <summary>A stream goes elsewhere.</summary>
    public void Drop(StreamBody stream)
    {
        Remove(stream);
        _sending.Remove(stream);
        for (int n = stream.IsInControl ? _control.Count : 0; n > 0; n--)
        {
            StreamBody next = _control.Dequeue();
            if (next == stream)
            {
                stream.IsInControl = false;
                stream.LetGo();
            }
            else
            {
                _control.Enqueue(next);
            }
        }
    }

    /// <summary>Whether a run is one before the one that it is bound to, so that what comes of it was long under way.
    /// Runs grow while the peer's server is the same; one that began anew may have a clock that is behind.</summary>
    public bool IsBefore(ulong run) =>
        run < PeerRun && _host.Server.Topology.IncarnationOf(Key.Peer) == _peerIncarnation;

    /// <summary>The peer has answered the greeting.</summary>
    public void Welcome(ulong run)
    {
        if (State == ConnectionState.Greeting)
        {
            BindTo(run);
            (State, _helloNanos) = (ConnectionState.Open, long.MaxValue);
            NoteCame(_host.NowNanos);
            Wake();
        }
    }

    /// <summary>Looks at its ways anew: the view or a link changed.</summary>
    public void Refresh()
    {
        _paths.Refresh();
        Wake();
    }

    /// <summary>The view has lost the peer, or has it again.</summary>
    public void NoteLost(bool isLost)
    {
        if (!isLost && _lostNanos != long.MaxValue)
        {
            (_lostNanos, _heardNanos) = (long.MaxValue, _host.NowNanos);
            _paths.Refresh();
            Wake();
        }
        else if (isLost && _host.KeepNanos > 0 && State == ConnectionState.Open)
        {
            _lostNanos = Math.Min(_lostNanos, _host.NowNanos);
            Schedule();
        }
        else if (isLost)
        {
            End(new StreamEnd(StreamEndReason.PeerLost));
        }
    }

    /// <summary>Whether a path has something to send now.</summary>
    public bool CanSend(ConnectionPath path)
    {
        if (State != ConnectionState.Open || path.Links.IsEmpty)
        {
            return false;
        }

        if (path.MustProbe)
        {
            return true;
        }

        if (path.IsSilent || !HasWork)
        {
            return false;
        }

        if (!path.HasWindow)
        {
            path.NoteUsedUp();
            return false;
        }

        return true;
    }

    /// <summary>Something is due, at <see cref="DueNanos"/> at the latest. Each connection has a timer of its own:
    /// when one for all fires, all are looked at.</summary>
    public void Schedule()
    {
        long due = DueNanos;
        if (due < _timerDue && _host.IsRunning && State != ConnectionState.Over)
        {
            _timerDue = due;
            _timer.ArmAt(due);
        }
    }

    // Does what is due. What was due is often later now.
    private void OnTimer()
    {
        _timerDue = long.MaxValue;
        long now = _host.NowNanos;
        if (DueNanos <= now)
        {
            DoDue(now);
        }

        Schedule();
    }

    private void DoDue(long nowNanos)
    {
        if (EndIfOverdue(nowNanos))
        {
            return;
        }

        if (_helloNanos <= nowNanos)
        {
            SayHello();
        }

        if (State == ConnectionState.Open && _streams.Count > 0 && AskNanos <= nowNanos)
        {
            _askedNanos = nowNanos;
            Ask();
        }

        foreach (ConnectionPath path in _paths.Known)
        {
            path.OnTimer(nowNanos);
            if (path.Received.AckNanos <= nowNanos)
            {
                _host.SendAck(this, path, turned: null);
            }
        }

        Wake();
    }

    /// <summary>It is over, with all its streams.</summary>
    /// <param name="end">How they end.</param>
    /// <param name="mayGoOn">The peer knew of no stream of it: those that nobody has answered for begin anew.</param>
    public void End(StreamEnd end, bool mayGoOn = false)
    {
        if (State == ConnectionState.Over)
        {
            return;
        }

        State = ConnectionState.Over;
        _timer.Cancel();
        _host.Remove(this);
        _paths.Close();
        _sending.Clear();
        while (_control.TryDequeue(out StreamBody? stream))
        {
            stream.IsInControl = false;
            stream.LetGo();
        }

        foreach (StreamBody stream in _streams.ToArray())
        {
            if (!mayGoOn || !stream.IsUnanswered || !_host.TryGoOn(stream))
            {
                stream.EndBy(end);
            }
        }
    }

    /// <summary>Streams of it that were opened here by a key, and whose root is another server now, end.</summary>
    public void EndMoved()
    {
        foreach (StreamBody stream in _streams.ToArray())
        {
            if (stream.IsAcceptedByKey && !_host.Server.Topology.IsRoot(stream.AskedKey))
            {
                stream.EndByRoot(_host.Server.Topology.RootOf(stream.AskedKey));
            }
        }
    }

    /// <summary>Whose turn it may be now, on every path.</summary>
    public void Wake()
    {
        foreach (ConnectionPath path in _paths.Known)
        {
            if (CanSend(path))
            {
                _host.Ready(path);
            }
        }

        Schedule();
    }

    // Nobody answers the greeting, the peer is silent or lost for too long, or nothing was open for long.
    private bool EndIfOverdue(long nowNanos)
    {
        if (_lostNanos != long.MaxValue && nowNanos - _lostNanos >= _host.KeepNanos)
        {
            End(new StreamEnd(StreamEndReason.PeerLost));
        }
        else if (_helloNanos <= nowNanos && nowNanos - _beganNanos >= _host.OpenNanos)
        {
            End(new StreamEnd(StreamEndReason.PeerSilent));
        }
        else if (IsWaiting && nowNanos - _heardNanos >= _host.SilenceNanos)
        {
            End(new StreamEnd(StreamEndReason.PeerSilent));
        }
        else if (_streams.Count == 0 && nowNanos - IdleSinceNanos >= _host.IdleNanos)
        {
            _host.CloseIdle(this);
        }

        return State == ConnectionState.Over;
    }

    private void BindTo(ulong run) =>
        (PeerRun, _peerIncarnation) = (run, _host.Server.Topology.IncarnationOf(Key.Peer));

    private void Ask()
    {
        foreach (ConnectionPath path in _paths.Known)
        {
            if (!path.Links.IsEmpty)
            {
                path.Probe();
                return;
            }
        }
    }

    private uint TakeId()
    {
        uint id = (uint)_nextStream;
        _nextStream += 2;
        return id;
    }

    /// <summary>A stream of either side begins.</summary>
    public void Add(StreamBody stream)
    {
        if (!IsWaiting)
        {
            // Nothing was asked of the peer: that it said nothing is no silence.
            NoteHeard(_host.NowNanos);
        }

        _streams.Add(stream);
        _host.NoteIdle(this, isIdle: false);
    }

    private void Remove(StreamBody stream)
    {
        if (_streams.Remove(stream) && _streams.Count == 0)
        {
            IdleSinceNanos = _host.NowNanos;
            _host.NoteIdle(this, isIdle: true);
            Schedule();
        }
    }

    private void SayHello()
    {
        int hops = Math.Max(1, _host.Server.Topology.HopsTo(Key.Peer));
        _helloNanos = _host.NowNanos + ((hops * HelloNanosPerHop) << Math.Min(_hellos++, MostHelloDoublings));
        if (_host.Rent(ConnectionTerms.Length) is { } packet)
        {
            Terms.Write(packet.WritableBody(), Weight);
            Head(packet, StreamPacketKind.Hello, PathWord.Routed);
            _host.Server.Send(packet, Key.Peer);
        }

        Schedule();
    }
}
