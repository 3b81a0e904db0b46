using System.Runtime.Versioning;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Loop;

/// <summary>The connections of one front end in one server's loop: an agent that hands its turns to the clients
/// (<see cref="ConnectionLoop"/>) and to the sockets that listen (<see cref="LoopAcceptor"/>). Loop only, except where
/// said otherwise.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LoopListener<TService> : ILoopAgent<TService>, IListener
    where TService : class
{
    private readonly ServiceTurn<TService> _turn;
    private readonly TService? _whole;
    private readonly ConnectionLoop _loop;
    private readonly LoopAcceptor _acceptor;
    private readonly string _name;
    private bool _hasLeft;
    private int _isClosing;

    private LoopListener(
        ConnectionTerms<TService> terms,
        ListenerContext context,
        LoopAcceptor acceptor,
        TService? whole,
        Action ended,
        bool hasTls
    )
    {
        (_whole, _acceptor, _name) = (whole, acceptor, terms.Name);
        var output = new ReplyBuffer(keptLength: 256 << 10, terms.MaxAnswer);
        _turn = new ServiceTurn<TService>(isInLoop: true, whole is null, terms.AnswersPerTurn, output);
        _loop = new ConnectionLoop(context, _turn, owner => terms.Protocol(_turn, owner), hasTls) { Ended = ended };
    }

    /// <inheritdoc/>
    public string Name => _name;

    /// <summary>Its clients.</summary>
    public ConnectionLoop Loop => _loop;

    /// <summary>
    /// Serves open sockets, which it then owns, in the loops of the gates' servers: the first accepts, and deals the
    /// clients out. Null: those loops cannot, or do not let each other in. Any thread.
    /// </summary>
    /// <param name="terms">What the front end says of itself.</param>
    /// <param name="ports">The sockets.</param>
    /// <param name="context">What the connections share.</param>
    public static IReadOnlyList<LoopListener<TService>>? TryServe(
        ConnectionTerms<TService> terms,
        IReadOnlyList<OpenPort> ports,
        ListenerContext context
    )
    {
        TService? whole = null;
        if (terms.Gates.Count > 1)
        {
            List<ISharedService<TService>> parts =
            [
                .. terms.Gates.Select(gate => gate.TryShare<TService>()).OfType<ISharedService<TService>>(),
            ];
            if (terms.Join is null || parts.Count < terms.Gates.Count)
            {
                return null;
            }

            whole = terms.Join(parts);
        }

        bool hasTls = ports.Any(port => port.HasTls);
        var first = new LoopAcceptor(context, ports);
        LoopListener<TService>[] listeners =
        [
            .. terms.Gates.Select(
                (_, i) =>
                    new LoopListener<TService>(
                        terms,
                        context,
                        i == 0 ? first : new LoopAcceptor(context, []),
                        whole,
                        first.TellOfRoom,
                        hasTls
                    )
            ),
        ];
        ConnectionLoop[] loops = [.. listeners.Select(listener => listener._loop)];
        for (int i = 0; i < listeners.Length; i++)
        {
            listeners[i]._acceptor.Begin(loops[i], loops);
            if (terms.Gates[i].TryJoin(listeners[i]) is not { } seat)
            {
                return null;
            }

            loops[i].Seat = seat;
        }

        context.Counters.Add(loops.Select(loop => loop.Traffic));
        foreach (OpenPort port in ports)
        {
            port.Socket.Blocking = false;
        }

        foreach (ConnectionLoop loop in loops)
        {
            loop.Seat.Wake();
        }

        return listeners;
    }

    /// <inheritdoc/>
    public Task CloseAsync()
    {
        Volatile.Write(ref _isClosing, 1);
        _loop.Seat.Wake();
        return _acceptor.Closed;
    }

    /// <inheritdoc/>
    public void Ended()
    {
        try
        {
            _loop.Abort();
        }
        finally
        {
            // Whoever waits for the end need not wait for one that cannot end properly.
            _acceptor.Close();
        }
    }

    /// <inheritdoc/>
    public long Turn(TService? service, ReadOnlySpan<LoopEvent> events, long nowNanos)
    {
        _turn.Service = _whole ?? service;
        _loop.BeginTurn(nowNanos);
        if (Volatile.Read(ref _isClosing) != 0)
        {
            _acceptor.Close();
        }
        else
        {
            _acceptor.Listen();
        }

        _loop.Serve(events, _acceptor);
        long acceptAt = _acceptor.Retry(nowNanos);
        if (_loop.IsEmpty && _acceptor.Closed.IsCompleted && !_hasLeft)
        {
            _hasLeft = true;
            _loop.Release();
            _loop.Seat.Leave();
        }

        return Math.Min(acceptAt, _loop.EndTurn());
    }
}
