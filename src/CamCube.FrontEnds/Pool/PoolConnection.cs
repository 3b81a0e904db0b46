using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;
using CamCube.FrontEnds.Settings;

namespace CamCube.FrontEnds.Pool;

/// <summary>
/// One client: a loop that answers what has ended, starts what was received, sends, and only then waits, for the
/// network or the cube. It runs on the thread that wakes it and never on two. While a client does not read, the loop
/// waits in a send and starts nothing more. Time limits are looked after from outside (<see cref="CheckTime"/>).
/// </summary>
internal sealed class PoolConnection : IConnection
{
    // As below, without TLS.
    private const int PlainThreshold = 32 << 10;

    // What one send takes at most: a client that takes so much within the time limit is slow, not deaf.
    private const int SendPiece = 64 << 10;

    // The network, and what commands and answers go through: the same, or TLS over it.
    private readonly Stream _network;
    private readonly Stream _stream;

    // Above it answers are sent before more are written.
    private readonly int _sendThreshold;
    private readonly ListenerContext _context;
    private readonly WakeSignal _wake;
    private readonly ClientInput _input;
    private readonly IConnectionProtocol _protocol;
    private readonly ConnectionTurn _turn;
    private readonly ConnectionFacts _facts;
    private bool _isDraining;
    private bool _isAborted;

    // A ClientPhase, and since when, or when something last moved in it.
    private int _phase;

    // Held while a limit ends it, so that its own loop does not end it in the middle.
    private readonly Lock _ending = new();
    private long _movedAt;

    // What it throws is its own, and not the network's.
    private bool _isInProtocol;

    /// <summary>A client behind a stream, which the connection owns.</summary>
    /// <param name="network">The stream.</param>
    /// <param name="context">What the connections share.</param>
    /// <param name="create">Makes its protocol.</param>
    /// <param name="facts">What is known of it from the beginning.</param>
    /// <param name="hasTls">Whether it must speak TLS.</param>
    public PoolConnection(
        Stream network,
        ListenerContext context,
        Func<IQuestionOwner, ServedProtocol> create,
        ConnectionFacts facts = default,
        bool hasTls = false
    )
    {
        (_facts, _wake) = (facts, new WakeSignal(this));
        _network = network;
        _stream = hasTls ? new SslStream(network) : network;
        _sendThreshold = hasTls ? context.Options.TlsWriteBuffer : PlainThreshold;
        _context = context;
        _input = new ClientInput(_stream, _wake);
        (_protocol, _turn) = create(_wake);
        (_phase, _movedAt) = ((int)(hasTls ? ClientPhase.Handshake : ClientPhase.Working), context.Time.GetTimestamp());
    }

    /// <inheritdoc/>
    public LinkedListNode<IConnection>? Node { get; set; }

    /// <inheritdoc/>
    public ConnectionFacts Describe() =>
        _facts with
        {
            State = ConnectionFacts.StateOf(_protocol),
            IdleSeconds = (long)Age.TotalSeconds,
        };

    /// <inheritdoc/>
    public void Drain()
    {
        Volatile.Write(ref _isDraining, true);
        _wake.Set();

        // It has asked for nothing yet.
        if (TryMove(ClientPhase.Handshake, ClientPhase.Closed))
        {
            Abort();
        }
    }

    /// <inheritdoc/>
    public void Abort()
    {
        Volatile.Write(ref _isAborted, true);
        _network.Dispose();
        _wake.Set();
    }

    /// <summary>Ends it if it has outstayed a limit: of its handshake, of its silence, of leaving its answers unread.
    /// Any thread.</summary>
    public void CheckTime()
    {
        // The phase first: when the age is younger than it, nothing is done, which is right.
        ConnectionOptions options = _context.Options;
        ClientPhase phase = (ClientPhase)Volatile.Read(ref _phase);
        int limit = phase switch
        {
            ClientPhase.Handshake => options.TlsHandshakeTimeout,
            ClientPhase.Silent => options.IdleTimeout,
            ClientPhase.Answered => options.StallTimeout,
            _ => 0,
        };
        if (limit == 0 || Age < TimeSpan.FromSeconds(limit))
        {
            return;
        }

        if (phase == ClientPhase.Silent)
        {
            // Its loop ends it, with the last word of TLS.
            if (!TryMove(phase, ClientPhase.Working))
            {
                return;
            }

            _context.Counters.CountIdleKick();
            Drain();
        }
        else
        {
            // Who no longer sees the client among the connections sees it counted.
            lock (_ending)
            {
                if (!TryMove(phase, ClientPhase.Closed))
                {
                    return;
                }

                if (phase == ClientPhase.Handshake)
                {
                    NoteHandshakeError($"not within {limit} s");
                }
                else
                {
                    _context.Counters.CountStalled();
                }
            }

            Abort();
        }
    }

    /// <summary>Serves the client until one side closes; never throws.</summary>
    public async Task RunAsync()
    {
        try
        {
            if (_stream is not SslStream tls)
            {
                await ServeAsync().ConfigureAwait(false);
            }
            else if (await AuthenticateAsync(tls).ConfigureAwait(false))
            {
                await ServeAsync().ConfigureAwait(false);

                // Without this word TLS clients take the end for an attack.
                Enter(ClientPhase.Answered);
                await tls.ShutdownAsync().ConfigureAwait(false);
            }
        }
        catch (Exception error)
            when (!_isInProtocol
                && error
                    is IOException
                        or SocketException
                        or InvalidOperationException
                        or AuthenticationException
                        or CryptographicException
            )
        {
            // The client is gone or breaks TLS, or Abort was called.
        }
        catch (Exception error)
        {
            _context.Charge(_facts.Address ?? "", error);
        }

        lock (_ending)
        {
            Volatile.Write(ref _phase, (int)ClientPhase.Closed);
        }

        await _network.DisposeAsync().ConfigureAwait(false);
        _context.Connections.Remove(this);
        await WaitForLentMemoryAsync().ConfigureAwait(false);
        await _stream.DisposeAsync().ConfigureAwait(false);
        _input.Release();
        _turn.Output.Release();
        try
        {
            _protocol.Release();
        }
        catch (Exception error)
        {
            _context.Charge(_facts.Address ?? "", error);
        }
    }

    private TimeSpan Age => _context.Time.GetElapsedTime(Volatile.Read(ref _movedAt));

    private async ValueTask<bool> AuthenticateAsync(SslStream tls)
    {
        try
        {
            await _context.Tls!.AuthenticateAsync(tls).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            // Whatever a client sends is its own fault, with whatever error the system's TLS tells of it.
            if (TryMove(ClientPhase.Handshake, ClientPhase.Closed))
            {
                NoteHandshakeError((error.InnerException ?? error).Message);
            }

            return false;
        }

        Note();
        return TryMove(ClientPhase.Handshake, ClientPhase.Working);
    }

    private void NoteHandshakeError(string reason)
    {
        _context.Counters.CountHandshakeError();
        ConnectionLog.HandshakeFailed(_context.Logger, _context.Name, _facts.Address, reason);
    }

    private void Note() => Volatile.Write(ref _movedAt, _context.Time.GetTimestamp());

    // The loop's own moves. Closed stays.
    private void Enter(ClientPhase phase)
    {
        int old = Volatile.Read(ref _phase);
        if (old != (int)ClientPhase.Closed)
        {
            Interlocked.CompareExchange(ref _phase, (int)phase, old);
        }
    }

    private bool TryMove(ClientPhase from, ClientPhase to) =>
        Interlocked.CompareExchange(ref _phase, (int)to, (int)from) == (int)from;

    private async Task ServeAsync()
    {
        bool hasYielded = false;
        while (!Volatile.Read(ref _isAborted))
        {
            while (TryAnswer())
            {
                if (_turn.HasEnded)
                {
                    await SendAsync().ConfigureAwait(false);
                    return;
                }

                if (_turn.Output.Length >= _sendThreshold)
                {
                    await SendAsync().ConfigureAwait(false);
                }
            }

            (ProtocolStep result, bool isHeadDone) = Parse();
            if (_turn.HasEnded)
            {
                await SendAsync().ConfigureAwait(false);
                return;
            }

            if (isHeadDone)
            {
                continue;
            }

            if (_turn.Output.Length > 0)
            {
                // The cube's answers come in bunches: let the rest of this bunch in before the system call.
                if (_protocol.InWork > 0 && !hasYielded)
                {
                    hasYielded = true;
                    await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
                    continue;
                }

                await SendAsync().ConfigureAwait(false);
            }

            hasYielded = false;
            if (result == ProtocolStep.Took)
            {
                continue;
            }

            if (IsOver(result))
            {
                return;
            }

            bool wantsInput =
                result == ProtocolStep.NeedsInput
                || (result == ProtocolStep.Held && _input.Unread.Length < _context.MaxUnread);
            if (wantsInput && CanRead)
            {
                _input.BeginRead();
                if (TakeInput())
                {
                    continue;
                }
            }

            Enter(_protocol.InWork == 0 ? ClientPhase.Silent : ClientPhase.Working);
            await _wake.WaitAsync().ConfigureAwait(false);
            Enter(ClientPhase.Working);
            TakeInput();
        }
    }

    private bool CanRead => !_input.HasEnded && !Volatile.Read(ref _isDraining);

    private bool IsOver(ProtocolStep result) =>
        result == ProtocolStep.Held
            ? !CanRead
            : (result == ProtocolStep.Ended || (result == ProtocolStep.NeedsInput && !CanRead))
                && _protocol.InWork == 0;

    private bool TryAnswer()
    {
        _isInProtocol = true;
        bool hasAnswer = _protocol.HasAnswer;
        if (hasAnswer)
        {
            _protocol.Answer();
        }

        _isInProtocol = false;
        return hasAnswer;
    }

    // Steps until it waits for something, has written enough, or has an answer to write.
    private (ProtocolStep Result, bool IsHeadDone) Parse()
    {
        _isInProtocol = true;
        ProtocolStep result = ProtocolStep.Took;
        int idle = 0;
        while (result == ProtocolStep.Took && _turn.Output.Length < _sendThreshold && !_turn.HasEnded)
        {
            int written = _turn.Output.Length,
                unread = _input.Unread.Length;
            result = _protocol.Advance(_input.Unread, out int consumed);
            ProtocolRules.CheckConsumed(consumed, unread);
            _input.Consume(consumed);
            idle = consumed > 0 || _turn.Output.Length != written ? 0 : idle + 1;
            ProtocolRules.CheckIdle(idle);
        }

        bool isHeadDone = _protocol.HasAnswer;
        if (!isHeadDone)
        {
            ProtocolRules.CheckWait(result, _input.Unread.Length, _context.MaxUnread, _protocol);
        }

        _isInProtocol = false;
        return (result, isHeadDone);
    }

    private bool TakeInput()
    {
        if (!_input.TryEndRead(out int count))
        {
            return false;
        }

        Note();
        _context.Counters.CountRead(count);
        return true;
    }

    private async ValueTask SendAsync()
    {
        if (_turn.Output.Length == 0)
        {
            return;
        }

        await SendAsync(_turn.Output.Written).ConfigureAwait(false);
        _turn.Output.Clear();
    }

    private async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        Note();
        Enter(ClientPhase.Answered);
        while (bytes.Length > 0)
        {
            int length = Math.Min(bytes.Length, SendPiece);
            await _stream.WriteAsync(bytes[..length]).ConfigureAwait(false);
            _context.Counters.CountWritten(length);
            bytes = bytes[length..];
            Note();
        }

        Enter(ClientPhase.Working);
    }

    private async Task WaitForLentMemoryAsync()
    {
        while (true)
        {
            try
            {
                _input.TryEndRead(out _);
            }
            catch (Exception)
            {
                // The read was cut off by the close; with what error does not matter any more.
            }

            if (!_input.IsReading && !_protocol.HasLent)
            {
                return;
            }

            await _wake.WaitAsync().ConfigureAwait(false);
        }
    }
}
