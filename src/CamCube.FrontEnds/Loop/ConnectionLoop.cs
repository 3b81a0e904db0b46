using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;
using CamCube.Linux;

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// The clients in one server's loop: one receive, one send and no change of threads for what a client sends at once.
/// Buffers are the loop's, and a client has one of its own only while half a question or an unsent answer is there.
/// Loop only, except where said otherwise.
/// </summary>
/// <param name="context">What the connections share.</param>
/// <param name="turn">What protocols work with, with the output of the client whose turn it is: empty between
/// two.</param>
/// <param name="create">Makes protocols.</param>
/// <param name="hasTls">Whether clients may speak TLS.</param>
[SupportedOSPlatform("linux")]
internal sealed class ConnectionLoop(
    ListenerContext context,
    ConnectionTurn turn,
    Func<IQuestionOwner, IConnectionProtocol> create,
    bool hasTls
)
{
    private const int SealedLength = 64 << 10;
    private const int Second = 1_000_000_000;
    private readonly List<LoopConnection> _clients = [];
    private readonly Queue<LoopConnection> _due = new();
    private readonly ClientRound _looks = new();
    private readonly ClientRound _sweep = new();
    private readonly ConcurrentQueue<LoopConnection> _ended = new();
    private readonly ConcurrentQueue<AcceptedClient> _given = new();
    private readonly AheadGroup _ahead = new();
    private readonly int _most = context.Options.ConnectionsPerTurn;
    private readonly long _idleNanos = context.Options.IdleTimeout * (long)Second;
    private readonly long _stallNanos = context.Options.StallTimeout * (long)Second;
    private readonly long _agreeNanos = hasTls ? context.Options.TlsHandshakeTimeout * (long)Second : 0;
    private ILoopSeat? _seat;
    private int _thread;
    private long _sweepAt = long.MaxValue;
    private int _looksAtAll;
    private int _served;

    /// <summary>Told that a client has ended, which may be of another loop.</summary>
    public required Action Ended { get; init; }

    /// <summary>Server time of this turn.</summary>
    public long NowNanos { get; private set; }

    /// <summary>The place in the server's loop.</summary>
    public ILoopSeat Seat
    {
        get => _seat!;
        set => _seat = value;
    }

    /// <summary>What it receives and sends.</summary>
    public LoopTraffic Traffic { get; } = new();

    /// <summary>What protocols work with.</summary>
    public ConnectionTurn Turn => turn;

    /// <summary>Most that one turn had to do so far: clients served, and questions of theirs answered.</summary>
    public (int Clients, int Answers) LongestTurn { get; private set; }

    /// <summary>Whether nobody is or comes here.</summary>
    public bool IsEmpty => _clients.Count == 0 && _given.IsEmpty;

    /// <summary>Where clients of TLS receive that have nothing of their own: these never wait with something in
    /// it.</summary>
    public byte[] SealedInput => field ??= GC.AllocateUninitializedArray<byte>(SealedLength, pinned: true);

    /// <summary>Where a record of TLS is opened.</summary>
    public byte[] Opened => field ??= GC.AllocateUninitializedArray<byte>(LoopTls.LeastRoom);

    /// <summary>As <see cref="ConnectionTurn.Output"/>, as TLS sends it.</summary>
    public ReplyBuffer Sealed { get; } = new(keptLength: 256 << 10);

    /// <summary>Whether the caller is in this loop.</summary>
    public bool IsHere => Environment.CurrentManagedThreadId == _thread;

    private bool HasServedAll => _served >= _most || turn.HaveHadTurns;

    /// <summary>A turn begins: takes work that others did for clients of this loop, and clients that another
    /// accepted.</summary>
    public void BeginTurn(long nowNanos)
    {
        (NowNanos, _thread, _served) = (nowNanos, Environment.CurrentManagedThreadId, 0);
        turn.BeginAll();
        for (int i = 0; i < _most && _ended.TryDequeue(out LoopConnection? client); i++)
        {
            client.QuestionEnded();
        }

        for (int i = 0; i < _most && _given.TryDequeue(out AcceptedClient accepted); i++)
        {
            Begin(accepted);
        }
    }

    /// <summary>
    /// Clients have their turns: first those that stand in line, then those at whose sockets something happened. Whom
    /// the bounds of a turn leave out stands in line behind the others, so nobody has a second turn before all had
    /// theirs.
    /// </summary>
    /// <param name="events">What happened.</param>
    /// <param name="acceptor">Has those of the sockets that listen.</param>
    public void Serve(ReadOnlySpan<LoopEvent> events, LoopAcceptor acceptor)
    {
        int at = 0;
        try
        {
            Look();
            Resume();
            while (at < events.Length)
            {
                ReadOnlySpan<LoopEvent> few = events[at..Math.Min(events.Length, at + _most - _served)];
                int received = HasServedAll ? 0 : _ahead.Receive(few);
                at += received;
                _served += received;
                _ahead.Work(turn);
                if (received == 0)
                {
                    Take(events[at++], acceptor);
                }
            }
        }
        catch
        {
            // The service has failed. The system does not tell again what it told of the others.
            _ahead.Postpone();
            for (; at < events.Length; at++)
            {
                (events[at].Source as LoopConnection)?.Postpone(events[at].Seen);
            }

            Seat.Wake();
            throw;
        }
    }

    /// <summary>Closes who outstays a limit, if it is time to look. Returns when its next turn is due.</summary>
    public long EndTurn()
    {
        if (_sweepAt <= NowNanos)
        {
            Sweep();
        }

        LongestTurn = (Math.Max(LongestTurn.Clients, _served), Math.Max(LongestTurn.Answers, turn.AnsweredAll));
        bool hasMore = _due.Count > 0 || _looks.IsOn || !_ended.IsEmpty || !_given.IsEmpty;
        return hasMore ? NowNanos : _sweepAt;
    }

    /// <summary>Nobody comes any more: gives the buffers back.</summary>
    public void Release()
    {
        turn.Output.Release();
        Sealed.Release();
    }

    /// <summary>Closes all, since no turn comes any more.</summary>
    public void Abort()
    {
        for (int i = _clients.Count - 1; i >= 0; i--)
        {
            LoopConnection client = _clients[i];
            client.Abort();
            client.Look();
        }
    }

    /// <summary>A client was accepted for this loop, in another. Any thread.</summary>
    public void Give(in AcceptedClient accepted)
    {
        _given.Enqueue(accepted);
        Seat.Wake();
    }

    /// <summary>A client was accepted.</summary>
    public void Begin(in AcceptedClient accepted)
    {
        DescriptorHandle socket = accepted.Socket;
        LoopConnection client;
        try
        {
            client = new LoopConnection(accepted, this, context) { Index = _clients.Count };
        }
        catch (Exception error)
        {
            // Its protocol cannot be made.
            context.Charge(accepted.Text, error);
            socket.Dispose();
            return;
        }

        if (!context.Connections.TryAdd(client, context.Options.MaxConnections))
        {
            context.Counters.CountRejected();
            ConnectionLog.Rejected(context.Logger, context.Name, context.Options.MaxConnections);
            StreamSocket.Send((int)socket.DangerousGetHandle(), context.Refusal.Span);
            socket.Dispose();
            return;
        }

        _clients.Add(client);
        _sweepAt = Math.Min(_sweepAt, NowNanos + 100_000_000);
        context.Counters.CountAccepted();
        client.Begin();
    }

    /// <summary>Makes the protocol of a client.</summary>
    public IConnectionProtocol CreateProtocol(IQuestionOwner owner) => create(owner);

    /// <inheritdoc cref="AheadGroup.TryLend"/>
    public bool TryLendInput(out byte[] input) => _ahead.TryLend(out input);

    /// <summary>A client goes on in this turn, or the next.</summary>
    public void Continue(LoopConnection client)
    {
        _due.Enqueue(client);
        Seat.Wake();
    }

    /// <summary>As <see cref="IQuestionOwner.QuestionEnded"/>, from a thread that is not the loop's.</summary>
    public void QuestionEndedElsewhere(LoopConnection client)
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

    /// <summary>A client has ended and needs nothing any more.</summary>
    public void Remove(LoopConnection client)
    {
        int last = _clients.Count - 1;
        _clients[client.Index] = _clients[last];
        _clients[client.Index].Index = client.Index;
        _clients.RemoveAt(last);
        Ended();
    }

    private void Resume()
    {
        // Those that are to have another turn after this one come at the end.
        for (int due = _due.Count; due > 0 && !HasServedAll; due--)
        {
            _served++;
            _due.Dequeue().Resume();
        }
    }

    private void Take(in LoopEvent single, LoopAcceptor acceptor)
    {
        if (single.Source is not LoopConnection client)
        {
            acceptor.AcceptAll((Socket)single.Source);
        }
        else if (HasServedAll)
        {
            client.Postpone(single.Seen);
        }
        else
        {
            _served++;
            client.Happened(single.Seen);
        }
    }

    // Who asks again while some have still to look gets a round of his own after it.
    private void Look()
    {
        if (!_looks.IsOn && Interlocked.Exchange(ref _looksAtAll, 0) != 0)
        {
            _looks.Begin(_clients);
        }

        for (int i = 0; i < _most && _looks.TryNext(_clients, out LoopConnection? client); i++)
        {
            client.Look();
        }

        if (!_looks.IsOn && Volatile.Read(ref _looksAtAll) != 0)
        {
            Seat.Wake();
        }
    }

    // Looks at everybody a few times within the shortest of the times, so that nobody outstays his by much.
    private void Sweep()
    {
        long least = Math.Min(Math.Min(LimitOf(_idleNanos), LimitOf(_stallNanos)), LimitOf(_agreeNanos));
        if (_clients.Count == 0 || least == long.MaxValue)
        {
            _sweepAt = long.MaxValue;
            return;
        }

        if (!_sweep.IsOn)
        {
            _sweep.Begin(_clients);
        }

        for (int i = 0; i < _most && _sweep.TryNext(_clients, out LoopConnection? client); i++)
        {
            client.CheckTime(_idleNanos, _stallNanos, _agreeNanos);
        }

        _sweepAt = NowNanos + (_sweep.IsOn ? 0 : Math.Clamp(least / 4, 100_000_000, 10_000_000_000));
    }

    private static long LimitOf(long nanos) => nanos > 0 ? nanos : long.MaxValue;
}
