using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using CamCube.Client.Cache.Protocol;

namespace CamCube.Client.Cache.Connections;

/// <summary>
/// One connection, shared by all callers: commands are written one after the other without waiting for answers, a loop
/// sends what has gathered, another reads answers, which come in the order of the commands. Whatever is not an answer
/// ends the connection, and so does an answer that is overdue; the commands without an answer are then
/// <see cref="AnswerKind.Lost"/>, and their callers try elsewhere.
/// </summary>
internal sealed class CacheConnection
{
    private const int ReceiveBuffer = 32 << 10;
    private const long PauseAt = 1 << 20;

    private readonly Socket _socket;
    private readonly Stream _stream;
    private readonly CommandWriter _writer;
    private readonly AnswerReader _reader;
    private readonly TimeProvider _time;
    private readonly TimeSpan _answerTimeout;
    private readonly Action<CacheConnection> _closed;
    private readonly ITimer _watch;
    private readonly Pipe _output = new(
        new PipeOptions(
            pauseWriterThreshold: PauseAt,
            resumeWriterThreshold: PauseAt / 2,
            useSynchronizationContext: false
        )
    );

    /// <summary>Held while a command is written, and while the pipe is full: then all callers wait, which bounds the
    /// memory.</summary>
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly Lock _lock = new();
    private readonly Queue<PendingRequest> _pending = new();

    /// <summary>The oldest, while its answer arrives: the receiving loop's own, so that nobody ends it under its
    /// hands.</summary>
    private PendingRequest? _current;
    private uint _lastOpaque;
    private bool _isWatching;
    private int _isClosing;
    private volatile bool _isClosed;
    private volatile bool _hasAnswered;

    /// <summary>Takes over a connected socket; nothing happens before <see cref="RunAsync"/>.</summary>
    /// <param name="socket">Owned from here on.</param>
    /// <param name="stream">What commands and answers go through: the socket's, or TLS over it. Owned, too.</param>
    /// <param name="writer">Shared by all connections.</param>
    /// <param name="reader">Shared by all connections.</param>
    /// <param name="time">The clock of <paramref name="answerTimeout"/>.</param>
    /// <param name="answerTimeout">How long an answer may take.</param>
    /// <param name="closed">Called once when it ends, before callers learn that their commands are lost.</param>
    public CacheConnection(
        Socket socket,
        Stream stream,
        CommandWriter writer,
        AnswerReader reader,
        TimeProvider time,
        TimeSpan answerTimeout,
        Action<CacheConnection> closed
    )
    {
        _socket = socket;
        _stream = stream;
        _writer = writer;
        _reader = reader;
        _time = time;
        _answerTimeout = answerTimeout;
        _closed = closed;
        _watch = time.CreateTimer(
            static state => ((CacheConnection)state!).CheckOverdue(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan
        );
    }

    /// <summary>Commands without an answer; read by anyone, without a lock.</summary>
    public int PendingCount => _pending.Count;

    /// <summary>Whether it ended.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Whether a good answer ever came.</summary>
    public bool HasAnswered => _hasAnswered;

    /// <summary>Why it ended, for a person.</summary>
    public string EndReason { get; private set; } = "";

    /// <summary>Whether the server is to blame: an overdue answer, or one that is none.</summary>
    public bool EndedByFault { get; private set; }

    /// <summary>Runs until the connection has ended.</summary>
    public async Task RunAsync()
    {
        Task sending = SendLoopAsync();
        await ReceiveLoopAsync().ConfigureAwait(false);
        await sending.ConfigureAwait(false);

        // The socket was closed before: what this frees is memory.
        await _stream.DisposeAsync().ConfigureAwait(false);
        await _watch.DisposeAsync().ConfigureAwait(false);

        // The last writer is out of the pipe when its turn has ended; who comes later sees that it is closed.
        await _turn.WaitAsync().ConfigureAwait(false);
        await _output.Writer.CompleteAsync().ConfigureAwait(false);
        _turn.Release();
    }

    /// <summary>Sends a command and waits for its answer.</summary>
    /// <param name="command">The command. Its value is read before this returns a pending task or soon after, in any
    /// case before the end.</param>
    /// <param name="token">Ends the wait; what was sent stays sent.</param>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<Answer> ExecuteAsync(Command command, CancellationToken token)
    {
        await _turn.WaitAsync(token).ConfigureAwait(false);
        PendingRequest? request = null;
        try
        {
            request = Enqueue(command);
            if (request is null)
            {
                return Lost();
            }

            try
            {
                _writer.Write(command, request.Opaque, _output.Writer);
                await _output.Writer.FlushAsync(token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                request.Cancel(token);
            }
            catch (Exception error)
            {
                // Half a command may be in the pipe.
                Close($"a command could not be written: {error.Message}", isFault: false);
            }
        }
        finally
        {
            _turn.Release();
        }

        try
        {
            using CancellationTokenRegistration registration = token.UnsafeRegister(
                static (state, token) => ((PendingRequest)state!).Cancel(token),
                request
            );
            return await request.WaitAsync().ConfigureAwait(false);
        }
        finally
        {
            request.Release();
        }
    }

    /// <summary>Ends the connection.</summary>
    /// <param name="reason">Why, for a person; the first reason is kept.</param>
    /// <param name="isFault">Whether the server is to blame.</param>
    public void Close(string reason, bool isFault)
    {
        if (Interlocked.Exchange(ref _isClosing, 1) != 0)
        {
            return;
        }

        EndReason = reason;
        EndedByFault = isFault;

        // First the server, so that no caller comes back here with its next attempt.
        _closed(this);
        PendingRequest[] lost;
        lock (_lock)
        {
            _isClosed = true;
            lost = [.. _pending];
            _pending.Clear();
        }

        _socket.Dispose();
        _output.Reader.CancelPendingRead();
        foreach (PendingRequest request in lost)
        {
            request.Complete(Lost());
            request.Release();
        }
    }

    private PendingRequest? Enqueue(in Command command)
    {
        lock (_lock)
        {
            if (_isClosed)
            {
                return null;
            }

            PendingRequest request = PendingRequest.Rent(command, ++_lastOpaque, _time.GetTimestamp());
            _pending.Enqueue(request);
            if (!_isWatching)
            {
                _isWatching = true;
                _watch.Change(_answerTimeout, Timeout.InfiniteTimeSpan);
            }

            return request;
        }
    }

    private async Task SendLoopAsync()
    {
        PipeReader output = _output.Reader;
        try
        {
            while (true)
            {
                ReadResult ready = await output.ReadAsync().ConfigureAwait(false);
                if (_isClosed)
                {
                    break;
                }

                foreach (ReadOnlyMemory<byte> part in ready.Buffer)
                {
                    await _stream.WriteAsync(part).ConfigureAwait(false);
                }

                output.AdvanceTo(ready.Buffer.End);
            }
        }
        catch (Exception error)
        {
            Close(error.Message, isFault: false);
        }

        await output.CompleteAsync().ConfigureAwait(false);
    }

    private async Task ReceiveLoopAsync()
    {
        PipeReader? input = null;
        try
        {
            input = PipeReader.Create(_stream, new StreamPipeReaderOptions(bufferSize: ReceiveBuffer, leaveOpen: true));
            while (true)
            {
                ReadResult received = await input.ReadAsync().ConfigureAwait(false);
                ReadOnlySequence<byte> rest = received.Buffer;
                bool isGood = TakeAnswers(ref rest);
                input.AdvanceTo(rest.Start, rest.End);
                if (!isGood)
                {
                    break;
                }

                if (received.IsCompleted)
                {
                    Close("the server closed the connection", isFault: false);
                    break;
                }
            }
        }
        catch (Exception error)
        {
            Close(error.Message, isFault: false);
        }

        if (input is not null)
        {
            await input.CompleteAsync().ConfigureAwait(false);
        }

        if (_current is { } unfinished)
        {
            unfinished.Complete(Lost());
            unfinished.Release();
        }
    }

    private bool TakeAnswers(ref ReadOnlySequence<byte> received)
    {
        while (!received.IsEmpty)
        {
            if (!TryTakeOldest())
            {
                // An announcement, such as "too many open connections".
                ReadOnlySpan<byte> text = received.FirstSpan;
                int end = text.IndexOfAny((byte)'\r', (byte)'\n');
                string said = AnswerLine.ToText(end < 0 ? text : text[..end]);
                Close($"the server said '{said}' without being asked", isFault: true);
                return false;
            }

            PendingRequest request = _current!;
            switch (_reader.Read(ref received, request, out string? breach))
            {
                case ReadOutcome.Partial:
                    return true;
                case ReadOutcome.Breach:
                    Close($"the server's answer is not one of memcached's meta protocol: '{breach}'", isFault: true);
                    return false;
                default:
                    _hasAnswered = true;
                    lock (_lock)
                    {
                        _current = null;
                    }

                    request.Release();
                    break;
            }
        }

        return true;
    }

    private bool TryTakeOldest()
    {
        lock (_lock)
        {
            return _current is not null || _pending.TryDequeue(out _current);
        }
    }

    /// <summary>The timer runs once for each time-out, not for each command: it looks at the oldest and is set for when
    /// that is due.</summary>
    private void CheckOverdue()
    {
        lock (_lock)
        {
            if (_isClosed)
            {
                return;
            }

            if ((_current ?? (_pending.TryPeek(out PendingRequest? first) ? first : null)) is not { } oldest)
            {
                _isWatching = false;
                return;
            }

            TimeSpan left = _answerTimeout - _time.GetElapsedTime(oldest.SentAt);
            if (left > TimeSpan.Zero)
            {
                _watch.Change(left, Timeout.InfiniteTimeSpan);
                return;
            }
        }

        Close($"no answer for {_answerTimeout}", isFault: true);
    }

    private Answer Lost() => new(AnswerKind.Lost) { Error = EndReason };
}
