using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Sockets;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// The clients of one server, served in the server's own loop: one receive, one send and no change of threads for what a client sends at
/// once. Buffers are the loop's, and a client has one of its own only while half a command or an unsent answer is there. Loop only, except
/// where said otherwise.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ClientLoop : ILoopAgent<ICache>, ICacheDoor, IClientListener
{
    private const int InputLength = 64 << 10;
    private const int MostAccepts = 64;
    private const long AcceptPauseNanos = 1_000_000_000;
    private readonly MemcachedContext _context;
    private readonly Socket _listener;
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<LoopClient> _clients = [];
    private readonly List<LoopClient> _due = [];
    private ILoopSeat? _seat;
    private int _listening = -1;
    private long _acceptAt = long.MaxValue;
    private bool _isPaused;
    private bool _hasLeft;
    private int _isClosing;
    private int _looksAtAll;

    private ClientLoop(MemcachedContext context, Socket listener) =>
        (_context, _listener) = (context with { Door = this }, listener);

    /// <inheritdoc/>
    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>The cache that is running now; null while there is none.</summary>
    internal ICache? Cache { get; private set; }

    /// <summary>Server time of this turn.</summary>
    internal long NowNanos { get; private set; }

    /// <summary>The place in the server's loop.</summary>
    internal ILoopSeat Seat => _seat!;

    /// <summary>Where the next client receives that has nothing of its own.</summary>
    internal byte[] Input { get; } = GC.AllocateUninitializedArray<byte>(InputLength, pinned: true);

    /// <summary>Answers of the client whose turn it is; empty between two.</summary>
    internal ReplyBuffer Output { get; } = new(keptLength: 256 << 10);

    /// <summary>Opens the port and serves it in the loop of the gate's server. Null: that loop cannot. Any thread.</summary>
    /// <exception cref="FrontEndException">The port is taken, or there is another reason.</exception>
    internal static ClientLoop? TryOpen(IServerGate gate, MemcachedContext context)
    {
        Socket listener = ListeningSocket.Open(context);
        listener.Blocking = false;
        var loop = new ClientLoop(context, listener);
        if (gate.TryJoin(loop) is not { } seat)
        {
            listener.Dispose();
            return null;
        }

        loop._seat = seat;
        seat.Wake();
        return loop;
    }

    /// <inheritdoc/>
    public Task CloseAsync()
    {
        Volatile.Write(ref _isClosing, 1);
        Seat.Wake();
        return _closed.Task;
    }

    /// <inheritdoc/>
    public long Turn(ICache? service, ReadOnlySpan<LoopEvent> events, long nowNanos)
    {
        (Cache, NowNanos) = (service, nowNanos);
        if (Volatile.Read(ref _isClosing) != 0)
            CloseListener();
        else if (_listening < 0 && !_hasLeft)
            _listening = Seat.Watch(_listener.SafeHandle, LoopEvents.Readable, this);

        foreach (LoopEvent seen in events)
        {
            if (seen.Source is LoopClient client)
                client.Happened(seen.Seen);
            else
                AcceptAll();
        }

        if (_acceptAt <= nowNanos)
            AcceptAgain();
        if (Interlocked.Exchange(ref _looksAtAll, 0) != 0)
        {
            for (int i = _clients.Count - 1; i >= 0; i--)
                _clients[i].Look();
        }

        int due = _due.Count;
        for (int i = 0; i < due; i++)
            _due[i].Resume();
        _due.RemoveRange(0, due);
        if (_clients.Count == 0 && _closed.Task.IsCompleted && !_hasLeft)
        {
            _hasLeft = true;
            Output.Release();
            Seat.Leave();
        }

        return _due.Count > 0 ? nowNanos : _acceptAt;
    }

    /// <summary>A client goes on in this turn, or the next.</summary>
    internal void Continue(LoopClient client)
    {
        _due.Add(client);
        Seat.Wake();
    }

    /// <summary>Every client has a look at itself soon: somebody wants it to end. Any thread.</summary>
    internal void LookAtAll()
    {
        Volatile.Write(ref _looksAtAll, 1);
        Seat.Wake();
    }

    /// <summary>A client has ended and needs nothing any more.</summary>
    internal void Remove(LoopClient client)
    {
        int last = _clients.Count - 1;
        _clients[client.Index] = _clients[last];
        _clients[client.Index].Index = client.Index;
        _clients.RemoveAt(last);
        if (_isPaused)
            _acceptAt = NowNanos;
    }

    ValueTask<CacheReply> ICacheDoor.ExecuteAsync(CacheRequest request) => Running().ExecuteAsync(request);

    ValueTask<CacheReply> ICacheDoor.FlushAllAsync(long delaySeconds) => Running().FlushAllAsync(delaySeconds);

    ValueTask<IReadOnlyList<CacheStatistic>> ICacheDoor.GetStatisticsAsync(bool wholeCube) =>
        Running().GetStatisticsAsync(wholeCube);

    private ICache Running() => Cache ?? throw new ServiceUnavailableException(nameof(ICache));

    private void CloseListener()
    {
        if (_closed.Task.IsCompleted)
            return;
        if (_listening >= 0)
            Seat.Forget(_listener.SafeHandle, _listening);
        _listener.Dispose();
        _acceptAt = long.MaxValue;
        _closed.SetResult();
    }

    private void AcceptAll()
    {
        for (int i = 0; i < MostAccepts && !_closed.Task.IsCompleted; i++)
        {
            int error = StreamSocket.Accept(_listener.SafeHandle, out DescriptorHandle client);
            if (error == 0)
            {
                Admit(client);
            }
            else if (error == SystemError.Again)
            {
                return;
            }
            else if (error is SystemError.TooManyFiles or SystemError.TooManyFilesOfSystem)
            {
                // A client's end gives a descriptor back; if others have them nothing tells, so there is a time, too.
                MemcachedLog.AcceptFailed(
                    _context.Logger,
                    new IPEndPoint(_context.Endpoint.Address, _context.Endpoint.Port),
                    SystemError.Failure("accept4", error));
                Seat.Change(_listener.SafeHandle, _listening, LoopEvents.None);
                (_isPaused, _acceptAt) = (true, NowNanos + AcceptPauseNanos);
                return;
            }
        }
    }

    private void AcceptAgain()
    {
        (_isPaused, _acceptAt) = (false, long.MaxValue);
        Seat.Change(_listener.SafeHandle, _listening, LoopEvents.Readable);
        AcceptAll();
    }

    private void Admit(DescriptorHandle socket)
    {
        var client = new LoopClient(socket, this, _context) { Index = _clients.Count };
        if (!_context.Connections.TryAdd(client, _context.Options.MaxConnections))
        {
            _context.Counters.CountRejected();
            MemcachedLog.Rejected(_context.Logger, _context.Options.MaxConnections);
            StreamSocket.Send(socket, TextReplies.TooManyConnections);
            socket.Dispose();
            return;
        }

        _clients.Add(client);
        _context.Counters.CountAccepted();
        client.Begin();
    }
}
