using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// The clients of one server, served in the server's own loop: one receive, one send and no change of threads for what
/// a client sends at once. Buffers are the loop's, and a client has one of its own only while half a command or an
/// unsent answer is there. Loop only, except where said otherwise.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ClientLoop : ILoopAgent<ICache>, ICacheDoor, IClientListener
{
    private const int SealedLength = 64 << 10;
    private const int MostAccepts = 64;
    private const long AcceptPauseNanos = 1_000_000_000;
    private readonly MemcachedContext _context;
    private readonly IReadOnlyList<OpenPort> _listeners;
    private readonly int[] _watched;
    private readonly Dictionary<Socket, (string Address, bool HasTls)> _ports;
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<LoopClient> _clients = [];
    private readonly List<LoopClient> _due = [];
    private readonly ConcurrentQueue<LoopClient> _ended = new();
    private readonly ConcurrentQueue<AcceptedClient> _given = new();
    private readonly IReadOnlyList<IServerGate> _gates;
    private readonly PartitionedCache? _whole;
    private readonly AheadGroup _ahead;
    private ClientLoop[] _loops = [];
    private uint _dealt;
    private int _thread;
    private ILoopSeat? _seat;
    private bool _isListening;
    private long _acceptAt = long.MaxValue;
    private long _sweepAt = long.MaxValue;
    private readonly long _idleNanos;
    private readonly long _stallNanos;
    private readonly long _agreeNanos;
    private volatile bool _isPaused;
    private long _pausedNanos;
    private int _hasRoom;
    private bool _hasLeft;
    private int _isClosing;
    private int _looksAtAll;

    private ClientLoop(
        MemcachedContext context,
        IReadOnlyList<OpenPort> listeners,
        IReadOnlyList<IServerGate> gates,
        PartitionedCache? whole
    )
    {
        (_gates, _whole, _ahead) = (gates, whole, new AheadGroup(this));
        (_context, _listeners) = (context with { Door = this }, listeners);
        _watched = new int[listeners.Count];
        _ports = listeners.ToDictionary(
            port => port.Socket,
            port => (ListeningSocket.Describe(port.Socket).Address, port.HasTls)
        );
        _idleNanos = context.Options.IdleTimeout * 1_000_000_000L;
        _stallNanos = context.Options.StallTimeout * 1_000_000_000L;
        _agreeNanos = listeners.Any(port => port.HasTls) ? context.Options.TlsHandshakeTimeout * 1_000_000_000L : 0;
    }

    /// <summary>The cache that is running now, or all parts of it; null while there is none.</summary>
    public ICache? Cache { get; private set; }

    /// <summary>Whether hints to <see cref="Cache"/> pay: not where each would take a lock.</summary>
    public bool TakesHints => _whole is null;

    /// <summary>Server time of this turn.</summary>
    public long NowNanos { get; private set; }

    /// <summary>The place in the server's loop.</summary>
    public ILoopSeat Seat => _seat!;

    /// <summary>What it receives and sends.</summary>
    public LoopTraffic Traffic { get; } = new();

    /// <summary>Answers of the client whose turn it is; empty between two.</summary>
    public ReplyBuffer Output { get; } = new(keptLength: 256 << 10);

    /// <summary>Where clients of TLS receive that have nothing of their own: these never wait with something in
    /// it.</summary>
    public byte[] SealedInput => field ??= GC.AllocateUninitializedArray<byte>(SealedLength, pinned: true);

    /// <summary>Where a record of TLS is opened.</summary>
    public byte[] Opened => field ??= GC.AllocateUninitializedArray<byte>(LoopTls.LeastRoom);

    /// <summary>As <see cref="Output"/>, as TLS sends it.</summary>
    public ReplyBuffer Sealed { get; } = new(keptLength: 256 << 10);

    /// <summary>
    /// Serves open sockets, which it then owns, in the loops of the gates' servers: the first accepts, and deals the
    /// clients out. Null: those loops cannot, or do not let each other in. Any thread.
    /// </summary>
    /// <param name="listeners">The sockets.</param>
    /// <param name="gates">The servers; more than one share the keys among them
    /// (<see cref="PartitionedCache"/>).</param>
    /// <param name="context">What the connections share.</param>
    public static IReadOnlyList<ClientLoop>? TryServe(
        IReadOnlyList<OpenPort> listeners,
        IReadOnlyList<IServerGate> gates,
        MemcachedContext context
    )
    {
        PartitionedCache? whole = null;
        if (gates.Count > 1)
        {
            List<ISharedService<ICache>> parts =
            [
                .. gates.Select(gate => gate.TryShare<ICache>()).OfType<ISharedService<ICache>>(),
            ];
            if (parts.Count < gates.Count)
            {
                return null;
            }

            whole = new PartitionedCache(parts, gates, context.MaxValueLength);
        }

        ClientLoop[] loops =
        [
            .. gates.Select((_, i) => new ClientLoop(context, i == 0 ? listeners : [], gates, whole)),
        ];
        for (int i = 0; i < loops.Length; i++)
        {
            loops[i]._loops = loops;
            loops[i]._seat = gates[i].TryJoin(loops[i]);
            if (loops[i]._seat is null)
            {
                return null;
            }
        }

        context.Counters.Add(loops.Select(loop => loop.Traffic));
        foreach (OpenPort port in listeners)
        {
            port.Socket.Blocking = false;
        }

        foreach (ClientLoop loop in loops)
        {
            loop.Seat.Wake();
        }

        return loops;
    }

    /// <inheritdoc/>
    public Task CloseAsync()
    {
        Volatile.Write(ref _isClosing, 1);
        Seat.Wake();
        return _closed.Task;
    }

    /// <inheritdoc/>
    public string Name => "memcached";

    /// <inheritdoc/>
    public void Ended()
    {
        try
        {
            for (int i = _clients.Count - 1; i >= 0; i--)
            {
                LoopClient client = _clients[i];
                client.Abort();
                client.Look();
            }

            CloseListener();
        }
        finally
        {
            // Whoever waits for the end need not wait for one that cannot end properly.
            _closed.TrySetResult();
        }
    }

    /// <inheritdoc/>
    public long Turn(ICache? service, ReadOnlySpan<LoopEvent> events, long nowNanos)
    {
        (Cache, NowNanos, _thread) = (_whole ?? service, nowNanos, Environment.CurrentManagedThreadId);
        TakeWhatOthersGave();
        if (Volatile.Read(ref _isClosing) != 0)
        {
            CloseListener();
        }
        else if (!_isListening)
        {
            Listen();
        }

        TakeEvents(events);
        if (_acceptAt <= nowNanos || (_isPaused && Interlocked.Exchange(ref _hasRoom, 0) != 0))
        {
            AcceptAgain();
        }

        if (Interlocked.Exchange(ref _looksAtAll, 0) != 0)
        {
            LookNow();
        }

        int due = _due.Count;
        for (int i = 0; i < due; i++)
        {
            _due[i].Resume();
        }

        _due.RemoveRange(0, due);
        if (_clients.Count == 0 && _given.IsEmpty && _closed.Task.IsCompleted && !_hasLeft)
        {
            _hasLeft = true;
            Output.Release();
            Sealed.Release();
            Seat.Leave();
        }

        if (_sweepAt <= nowNanos)
        {
            Sweep();
        }

        return _due.Count > 0 ? nowNanos : Math.Min(_acceptAt, _sweepAt);
    }

    /// <summary>Whether the caller is in this loop.</summary>
    public bool IsHere => Environment.CurrentManagedThreadId == _thread;

    /// <inheritdoc cref="AheadGroup.TryLend"/>
    public bool TryLendInput(out byte[] input) => _ahead.TryLend(out input);

    /// <summary>A client goes on in this turn, or the next.</summary>
    public void Continue(LoopClient client)
    {
        _due.Add(client);
        Seat.Wake();
    }

    /// <summary>As <see cref="ICommandOwner.CommandEnded"/>, from a thread that is not the loop's.</summary>
    public void CommandEndedElsewhere(LoopClient client)
    {
        _ended.Enqueue(client);
        Seat.Wake();
    }

    /// <summary>Every client has a look at itself soon: somebody wants it to end. Any thread.</summary>
    public void LookAtAll()
    {
        Volatile.Write(ref _looksAtAll, 1);
        Seat.Wake();
    }

    // Who throws is closed by then; the others have their look in the next turn.
    private void LookNow()
    {
        bool hasLooked = false;
        try
        {
            for (int i = _clients.Count - 1; i >= 0; i--)
            {
                _clients[i].Look();
            }

            hasLooked = true;
        }
        finally
        {
            if (!hasLooked)
            {
                LookAtAll();
            }
        }
    }

    /// <summary>A client has ended and needs nothing any more.</summary>
    public void Remove(LoopClient client)
    {
        int last = _clients.Count - 1;
        _clients[client.Index] = _clients[last];
        _clients[client.Index].Index = client.Index;
        _clients.RemoveAt(last);
        _loops[0].TellOfRoom();
    }

    ValueTask<CacheReply> ICacheDoor.ExecuteAsync(CacheRequest request) => Running().ExecuteAsync(request);

    ValueTask<CacheReply> ICacheDoor.FlushAllAsync(long delaySeconds) => Running().FlushAllAsync(delaySeconds);

    // Asked in the middle of what goes on wherever a thread is free, so not always on this loop.
    ValueTask<IReadOnlyList<CacheStatistic>> ICacheDoor.GetStatisticsAsync(bool wholeCube) =>
        new GateDoor(_gates).GetStatisticsAsync(wholeCube);

    ValueTask<IReadOnlyList<TAnswer>> ICacheDoor.AskPartsAsync<TArgument, TAnswer>(
        Func<ICache, TArgument, TAnswer> question,
        TArgument argument
    ) => new GateDoor(_gates).AskPartsAsync(question, argument);

    private void TakeEvents(ReadOnlySpan<LoopEvent> events)
    {
        int at = 0;
        try
        {
            while (at < events.Length)
            {
                int received = _ahead.Receive(events[at..]);
                at += received;
                _ahead.Work();
                if (received > 0)
                {
                    continue;
                }

                LoopEvent single = events[at++];
                if (single.Source is LoopClient client)
                {
                    client.Happened(single.Seen);
                }
                else
                {
                    AcceptAll((Socket)single.Source);
                }
            }
        }
        catch
        {
            // The cache has failed. The system does not tell again what it told of the others.
            _ahead.Postpone();
            for (; at < events.Length; at++)
            {
                (events[at].Source as LoopClient)?.Postpone(events[at].Seen);
            }

            throw;
        }
    }

    // Work that other parts did for clients of this one, and clients that the first loop accepted.
    private void TakeWhatOthersGave()
    {
        while (_ended.TryDequeue(out LoopClient? client))
        {
            client.CommandEnded();
        }

        while (_given.TryDequeue(out AcceptedClient socket))
        {
            Begin(socket);
        }
    }

    private ICache Running() => Cache ?? throw new ServiceUnavailableException(nameof(ICache));

    private void CloseListener()
    {
        if (_closed.Task.IsCompleted)
        {
            return;
        }

        try
        {
            for (int i = 0; i < _listeners.Count; i++)
            {
                if (_isListening)
                {
                    Seat.Forget(_listeners[i].Socket.SafeHandle, _watched[i]);
                }

                ListeningSocket.Close(_listeners[i].Socket, _context.Logger);
            }

            EndPause();
        }
        finally
        {
            // Whatever happened, it is tried once, and somebody waits for it.
            _isListening = true;
            _acceptAt = long.MaxValue;
            _closed.SetResult();
        }
    }

    private void Listen()
    {
        _isListening = true;
        for (int i = 0; i < _listeners.Count; i++)
        {
            _watched[i] = Seat.Watch(_listeners[i].Socket.SafeHandle, LoopEvents.Readable, _listeners[i].Socket);
        }
    }

    private void WatchListeners(LoopEvents events)
    {
        for (int i = 0; i < _listeners.Count; i++)
        {
            Seat.Change(_listeners[i].Socket.SafeHandle, _watched[i], events);
        }
    }

    // False: there is no descriptor, or no place.
    private bool AcceptAll(Socket listener)
    {
        for (int i = 0; i < MostAccepts && !_closed.Task.IsCompleted; i++)
        {
            if (!_context.Options.RejectOverLimit && _context.Connections.Count >= _context.Options.MaxConnections)
            {
                Pause();
                return false;
            }

            int error = StreamSocket.Accept(listener.SafeHandle, out DescriptorHandle client, out PeerAddress address);
            if (error == 0)
            {
                bool isShort = DescriptorRoom.IsShortAt(client.DangerousGetHandle());
                (string name, bool hasTls) = _ports[listener];
                Admit(new AcceptedClient(client, address, name, hasTls));
                if (isShort)
                {
                    if (!_isPaused)
                    {
                        MemcachedLog.FewDescriptors(
                            _context.Logger,
                            new IPEndPoint(_context.Endpoint.Address, _context.Endpoint.Port)
                        );
                    }

                    Pause();
                    return false;
                }
            }
            else if (error == SystemError.Again)
            {
                return true;
            }
            else if (error is SystemError.TooManyFiles or SystemError.TooManyFilesOfSystem)
            {
                if (!_isPaused)
                {
                    MemcachedLog.AcceptFailed(
                        _context.Logger,
                        new IPEndPoint(_context.Endpoint.Address, _context.Endpoint.Port),
                        SystemError.Failure("accept4", error)
                    );
                }

                Pause();
                return false;
            }
        }

        return true;
    }

    // The end of a client helps; if others have the descriptors nothing tells, so there is a time, too.
    private void Pause()
    {
        _acceptAt = NowNanos + AcceptPauseNanos;
        if (_isPaused)
        {
            return;
        }

        (_isPaused, _pausedNanos) = (true, NowNanos);
        WatchListeners(LoopEvents.None);
        _context.Counters.CountPause();
    }

    private void EndPause()
    {
        if (!_isPaused)
        {
            return;
        }

        _isPaused = false;
        _context.Counters.EndPause(TimeSpan.FromMicroseconds((NowNanos - _pausedNanos) / 1_000));
    }

    private void AcceptAgain()
    {
        _acceptAt = long.MaxValue;
        if (_closed.Task.IsCompleted)
        {
            return;
        }

        if (DescriptorRoom.IsShort())
        {
            Pause();
            return;
        }

        foreach (OpenPort port in _listeners)
        {
            if (!AcceptAll(port.Socket))
            {
                return;
            }
        }

        EndPause();
        WatchListeners(LoopEvents.Readable);
    }

    // A client has ended, of this loop or of another.
    private void TellOfRoom()
    {
        if (!_isPaused)
        {
            return;
        }

        Volatile.Write(ref _hasRoom, 1);
        Seat.Wake();
    }

    // Looks at everybody a few times within the shortest of the times, so that nobody outstays his by much.
    private void Sweep()
    {
        long least = Math.Min(Math.Min(LimitOf(_idleNanos), LimitOf(_stallNanos)), LimitOf(_loops[0]._agreeNanos));
        if (_clients.Count == 0 || least == long.MaxValue)
        {
            _sweepAt = long.MaxValue;
            return;
        }

        for (int i = _clients.Count - 1; i >= 0; i--)
        {
            _clients[i].CheckTime(_idleNanos, _stallNanos, _loops[0]._agreeNanos);
        }

        _sweepAt = NowNanos + Math.Clamp(least / 4, 100_000_000, 10_000_000_000);
    }

    private static long LimitOf(long nanos) => nanos > 0 ? nanos : long.MaxValue;

    private void Admit(in AcceptedClient accepted)
    {
        ClientLoop loop = _loops[(int)(_dealt++ % (uint)_loops.Length)];
        if (loop == this)
        {
            Begin(accepted);
        }
        else
        {
            loop._given.Enqueue(accepted);
            loop.Seat.Wake();
        }
    }

    private void Begin(in AcceptedClient accepted)
    {
        DescriptorHandle socket = accepted.Socket;
        var client = new LoopClient(accepted, this, _context) { Index = _clients.Count };
        if (!_context.Connections.TryAdd(client, _context.Options.MaxConnections))
        {
            _context.Counters.CountRejected();
            MemcachedLog.Rejected(_context.Logger, _context.Options.MaxConnections);
            StreamSocket.Send((int)socket.DangerousGetHandle(), TextReplies.TooManyConnections);
            socket.Dispose();
            return;
        }

        _clients.Add(client);
        _sweepAt = Math.Min(_sweepAt, NowNanos + 100_000_000);
        _context.Counters.CountAccepted();
        client.Begin();
    }
}
