using System.Globalization;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Switch.Format;
using CamCube.Shim.Switch.Settings;

namespace CamCube.Shim.Switch.Connections;

/// <summary>
/// The connections of one server with all others: of two servers that of the lower rank connects, both greet, and what
/// is not of this cube is counted and closed. Loop only, except <see cref="Wake"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class Switchboard
{
    private const int WakeKey = 0;
    private const int OthersKey = 1;
    private const int ListenerKey = 2;
    private const int FirstSlot = 3;
    private const int AcceptsPerTurn = 16;
    private const long FirstPause = 100_000_000;
    private const long LongestPause = 2_000_000_000;
    private readonly LinkProviderRequest _request;
    private readonly SwitchOptions _options;
    private readonly ISwitchEvents _events;
    private readonly Coordinate _self;
    private readonly int _rank;
    private readonly SwitchPeer?[] _peers;
    private readonly Connection?[] _slots;
    private readonly Stack<int> _free = new();
    private readonly Poller _poller;
    private readonly WakeSignal _wake = new();
    private readonly Socket _listener;
    private readonly SwitchNews _news;
    private readonly List<Connection> _writable = [];
    private Action? _othersHappened;
    private int _strangers;
    private bool _hasCallers;
    private bool _isDeaf;

    /// <summary>Listens.</summary>
    /// <exception cref="LinkProviderException">The address cannot be had.</exception>
    public Switchboard(LinkProviderRequest request, SwitchOptions options, ISwitchEvents events)
    {
        (_request, _options, _events, _news) = (request, options, events, new SwitchNews(request.News));
        TorusShape shape = request.Shape;
        _self = request.Coordinate!.Value;
        _rank = shape.RankOf(_self);
        _peers = [.. Enumerable.Range(0, shape.Count).Select(PeerAt)];
        _slots = new Connection?[FirstSlot + shape.Count + options.Strangers];
        for (int slot = _slots.Length - 1; slot >= FirstSlot; slot--)
        {
            _free.Push(slot);
        }

        _listener = new Socket(options.Servers[_rank].AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            _listener.Blocking = false;
            _listener.Bind(options.Servers[_rank]);
            _listener.Listen(512);
        }
        catch (SocketException e)
        {
            _listener.Dispose();
            _wake.Dispose();
            throw new LinkProviderException($"{options.Servers[_rank]} (CamCube:Switch:Servers): {e.Message}.");
        }

        _poller = new Poller(_slots.Length);
        _poller.Watch(_wake.Handle, WakeKey, PollEvents.Readable);
        _poller.Watch(_listener.SafeHandle, ListenerKey, PollEvents.Readable);
    }

    public SwitchCounts Counts { get; } = new();

    /// <summary>Connections with something to be read.</summary>
    public List<Connection> Readable { get; } = [];

    /// <summary>When <see cref="Turn"/> has something to do.</summary>
    public long Deadline { get; private set; } = long.MinValue;

    /// <summary>Another server.</summary>
    public SwitchPeer PeerOf(Coordinate server) => _peers[_request.Shape.RankOf(server)]!;

    /// <summary>Watches what else the loop sleeps for.</summary>
    public void Watch(SafeHandle descriptor, Action happened)
    {
        _othersHappened = happened;
        _poller.Watch(descriptor, OthersKey, PollEvents.Readable);
    }

    /// <summary>Ends the present wait or the next. Any thread.</summary>
    public void Wake() => _wake.Set();

    /// <summary>A step is due earlier.</summary>
    public void Hurry(long at) => Deadline = Math.Min(Deadline, at);

    /// <summary>Sleeps until something happens, at most so long; 0 looks only. What happened is done by the next
    /// <see cref="Turn"/>.</summary>
    public void Poll(long nanos)
    {
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
            else if (key == ListenerKey)
            {
                _hasCallers = true;
            }
            else if (_slots[key] is { } connection)
            {
                Note(connection, events);
            }
        }
    }

    /// <summary>Deals with callers, with connections that have been made, and with what is due.</summary>
    public void Turn(long now)
    {
        if (_hasCallers)
        {
            _hasCallers = false;
            Accept(now);
        }

        for (int i = 0; i < _writable.Count; i++)
        {
            Connection connection = _writable[i];
            if (connection.State == ConnectionState.Connecting)
            {
                FinishDial(connection, now);
            }
            else if (connection.Peer is { } peer && connection.State != ConnectionState.Closed)
            {
                Send(peer, now);
            }
        }

        _writable.Clear();
        if (now >= Deadline)
        {
            Step(now);
        }
    }

    /// <summary>Hands what waits for a server to the system, as far as it takes it. Never closes the connection: if
    /// that has to be done, <see cref="CloseFaulty"/> does it.</summary>
    public void Send(SwitchPeer peer, long now)
    {
        if (peer.Connection is not { Fault: null } connection)
        {
            return;
        }

        peer.IsDirty = false;
        while (peer.Queue.Count > 0)
        {
            int sent = connection.Send(peer.Queue.Bytes);
            if (sent > 0)
            {
                peer.Queue.Release(sent);
                connection.SentAt = now;
            }
            else if (sent == -SystemError.Again)
            {
                WatchRoom(connection, true);
                return;
            }
            else if (sent != -SystemError.Interrupted)
            {
                connection.Fault = SystemError.Text(-sent);
                Hurry(now);
                return;
            }
        }

        WatchRoom(connection, false);
    }

    /// <summary>The greeting of a connection is there: takes it, or closes the connection.</summary>
    public void Greet(Connection connection, long now)
    {
        GreetingFault fault = Greeting.TryRead(
            connection.Bytes,
            _request,
            _options.MaxFrameLength,
            out Greeting greeting
        );
        connection.Use(Greeting.Length);
        if (fault == GreetingFault.None && !Expects(connection, greeting))
        {
            fault = GreetingFault.WrongServer;
        }

        if (fault == GreetingFault.None && connection.Peer is null && PeerOf(greeting.From).Connection is not null)
        {
            fault = GreetingFault.Doubled;
        }

        if (fault != GreetingFault.None)
        {
            Counts.Refuse(fault);
            _events.Dropped(DropReason.Miscabled);
            _news.Say($"refused {fault}", $"a connection was refused: {GreetingWords.Of(fault)}.", now);
            Close(connection, now);
            return;
        }

        if (connection.Peer is null)
        {
            _strangers--;
            SwitchPeer peer = PeerOf(greeting.From);
            (connection.Peer, peer.Connection) = (peer, connection);
            Say(peer);
        }

        connection.State = ConnectionState.Open;
        connection.Peer.Pause = FirstPause;
        Counts.Opened++;
        Send(connection.Peer, now);
    }

    /// <summary>Somebody broke the format.</summary>
    public void CloseMalformed(Connection connection, long now)
    {
        Counts.Malformed++;
        _events.Dropped(DropReason.Malformed);
        _news.Say($"malformed {NameOf(connection)}", $"{NameOf(connection)} sent nonsense and was closed.", now);
        Close(connection, now);
    }

    /// <summary>The other end is gone.</summary>
    public void CloseEnded(Connection connection, long now)
    {
        Counts.Ended++;
        Close(connection, now);
    }

    /// <summary>Closes what could not be sent on.</summary>
    public void CloseFaulty(long now)
    {
        foreach (SwitchPeer? peer in _peers)
        {
            if (peer?.Connection is { Fault: not null } connection)
            {
                CloseEnded(connection, now);
            }
        }
    }

    /// <summary>Gives everything up.</summary>
    public void Dispose()
    {
        foreach (Connection? connection in _slots)
        {
            connection?.Dispose();
        }

        _listener.Dispose();
        _poller.Dispose();
        _wake.Dispose();
    }

    private static string NameOf(Connection connection) =>
        connection.Peer is { } peer
            ? string.Create(CultureInfo.InvariantCulture, $"the connection with {peer.Place}")
            : "a connection";

    private SwitchPeer? PeerAt(int rank)
    {
        if (rank == _rank)
        {
            return null;
        }

        Coordinate place = _request.Shape.At(rank);
        LinkSet links = LinkSet.None;
        foreach (Link link in _request.Shape.CabledLinks(_self))
        {
            links |= _request.Shape.Step(_self, link) == place ? (LinkSet)link : LinkSet.None;
        }

        return new SwitchPeer(rank, place, _options.Servers[rank], links, _rank < rank, _options.QueueBytes);
    }

    private void Note(Connection connection, PollEvents events)
    {
        if ((events & PollEvents.Writable) != 0 || connection.State == ConnectionState.Connecting)
        {
            _writable.Add(connection);
        }

        if (
            (events & ~PollEvents.Writable) != 0
            && connection.State != ConnectionState.Connecting
            && !connection.IsListed
        )
        {
            connection.IsListed = true;
            Readable.Add(connection);
        }
    }

    private void Accept(long now)
    {
        for (int i = 0; i < AcceptsPerTurn; i++)
        {
            int error = StreamSocket.Accept(_listener.SafeHandle, out DescriptorHandle socket, out _);
            if (error != 0)
            {
                if (error != SystemError.Again)
                {
                    // No descriptor is left: who waits would be told of again and again.
                    _isDeaf = true;
                    _poller.Change(_listener.SafeHandle, ListenerKey, PollEvents.None);
                }

                return;
            }

            if (_strangers >= _options.Strangers)
            {
                Counts.Crowded++;
                _events.Dropped(DropReason.Miscabled);
                socket.Dispose();
                continue;
            }

            _strangers++;
            Add(socket, ConnectionState.Greeting, PollEvents.Readable, now);
        }
    }

    private Connection Add(SafeHandle socket, ConnectionState state, PollEvents events, long now)
    {
        int slot = _free.Pop();
        var connection = new Connection(socket, slot, now) { State = state };
        _slots[slot] = connection;
        _poller.Watch(socket, slot, events);
        return connection;
    }

    private bool Expects(Connection connection, Greeting greeting) =>
        greeting.To == _self
        && greeting.From != _self
        && (connection.Peer is { } peer ? peer.Place == greeting.From : !PeerOf(greeting.From).Dials);

    private void Dial(SwitchPeer peer, long now)
    {
        peer.DialAt = now + peer.Pause;
        peer.Pause = Math.Clamp(2 * peer.Pause, FirstPause, LongestPause);
        int error = DialSocket.Begin(_options.Servers[_rank].Address, peer.Address, out DescriptorHandle socket);
        if (error != 0)
        {
            socket.Dispose();
            _news.Say(
                $"dial {peer.Place}",
                $"{peer.Address} ({peer.Place}) cannot be connected to: {SystemError.Text(error)}.",
                now
            );
            return;
        }

        Connection connection = Add(socket, ConnectionState.Connecting, PollEvents.Writable, now);
        connection.WantsRoom = true;
        (connection.Peer, peer.Connection) = (peer, connection);
    }

    private void FinishDial(Connection connection, long now)
    {
        if (NativeSocket.TakeError(connection.Socket) != 0)
        {
            Close(connection, now);
            return;
        }

        connection.State = ConnectionState.Greeting;
        _poller.Change(connection.Socket, connection.Slot, PollEvents.Readable | PollEvents.Writable);
        Say(connection.Peer!);
        Send(connection.Peer!, now);
    }

    private void Say(SwitchPeer peer) =>
        new Greeting(_self, peer.Place).Write(peer.Queue.Begin(Greeting.Length), _request, _options.MaxFrameLength);

    private void Step(long now)
    {
        if (_isDeaf)
        {
            _isDeaf = false;
            _poller.Change(_listener.SafeHandle, ListenerKey, PollEvents.Readable);
        }

        CloseFaulty(now);
        Deadline = now + (_options.SilenceNanos / 8);
        for (int slot = FirstSlot; slot < _slots.Length; slot++)
        {
            if (_slots[slot] is { } connection)
            {
                Step(connection, now);
            }
        }

        foreach (SwitchPeer? peer in _peers)
        {
            if (peer is { Dials: true, Connection: null })
            {
                if (now >= peer.DialAt)
                {
                    Dial(peer, now);
                }

                Hurry(peer.Connection is null ? peer.DialAt : SwitchPeer.Never);
            }
            else if (peer is { FullSince: not SwitchPeer.Never, IsSlow: false })
            {
                Hurry(peer.FullSince + _options.FullNanos);
            }
        }
    }

    private void Step(Connection connection, long now)
    {
        long since = connection.State == ConnectionState.Open ? connection.HeardAt : connection.Began;
        if (now - since >= _options.SilenceNanos)
        {
            Counts.Silent++;
            _events.Dropped(DropReason.Miscabled);
            Close(connection, now);
        }
        else if (connection is { State: ConnectionState.Open, Peer: { } peer })
        {
            if (peer.FullSince != SwitchPeer.Never && now - peer.FullSince >= _options.SilenceNanos)
            {
                Counts.Slow++;
                _news.Say($"slow {peer.Place}", $"{peer.Place} takes too little and was closed.", now);
                Close(connection, now);
            }
            else if (peer.Queue.Count == 0 && now - connection.SentAt >= _options.SilenceNanos / 4)
            {
                // A packet says the same, so it is sent only where there is none.
                RecordFormat.Write(peer.Queue.Rent(RecordFormat.Header), Link.XPlus, 0);
                peer.Queue.Commit(RecordFormat.Header);
                Send(peer, now);
            }
        }
    }

    private void Close(Connection connection, long now)
    {
        if (connection.State == ConnectionState.Closed)
        {
            return;
        }

        connection.State = ConnectionState.Closed;
        _poller.Forget(connection.Socket, connection.Slot);
        _slots[connection.Slot] = null;
        _free.Push(connection.Slot);
        connection.Dispose();
        if (connection.Peer is not { } peer)
        {
            _strangers--;
            return;
        }

        (peer.Connection, peer.IsDirty, peer.DialAt) = (null, false, now + peer.Pause);
        Hurry(peer.DialAt);
        _events.Closed(peer, peer.Queue.Clear(), now);
    }

    private void WatchRoom(Connection connection, bool on)
    {
        if (connection.WantsRoom != on)
        {
            connection.WantsRoom = on;
            _poller.Change(
                connection.Socket,
                connection.Slot,
                on ? PollEvents.Readable | PollEvents.Writable : PollEvents.Readable
            );
        }
    }
}
