using System.Net.Sockets;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// One client: a loop that answers what has ended, starts what was received, sends, and only then waits, for the
/// network or the cube. It runs on the thread that wakes it and never on two. While a client does not read, the loop
/// waits in a send and starts nothing more.
/// </summary>
internal sealed class ClientConnection : IServedClient
{
    // Above it answers are sent before more are written; larger values are sent from where they are.
    private const int SendThreshold = 32 << 10;

    private readonly Stream _stream;
    private readonly MemcachedContext _context;
    private readonly WakeSignal _wake = new();
    private readonly ClientInput _input;
    private readonly ReplyBuffer _output = new();
    private readonly CommandWindow _window;
    private IClientProtocol? _protocol;
    private readonly ConnectionFacts _facts;
    private bool _isDraining;
    private bool _isAborted;

    /// <summary>A client behind a stream, which the connection owns.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="context">What the connections share.</param>
    /// <param name="facts">What is known of it from the beginning.</param>
    internal ClientConnection(Stream stream, MemcachedContext context, ConnectionFacts facts = default)
    {
        _facts = facts;
        _stream = stream;
        _context = context;
        _input = new ClientInput(stream, _wake);
        _window = new CommandWindow(context, _wake);
    }

    /// <inheritdoc/>
    public LinkedListNode<IServedClient>? Node { get; set; }

    /// <inheritdoc/>
    public ConnectionFacts Describe() => _facts with
    {
        State = _protocol is { AwaitsValue: true } ? ConnectionFacts.ReadingValue
            : !_window.IsEmpty ? ConnectionFacts.InCommand
            : ConnectionFacts.Waiting,
    };

    /// <inheritdoc/>
    public void Drain()
    {
        Volatile.Write(ref _isDraining, true);
        _wake.Set();
    }

    /// <inheritdoc/>
    public void Abort()
    {
        Volatile.Write(ref _isAborted, true);
        _stream.Dispose();
        _wake.Set();
    }

    /// <summary>Serves the client until one side closes; never throws.</summary>
    internal async Task RunAsync()
    {
        try
        {
            await ServeAsync().ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException)
        {
            // The client is gone, or Abort was called.
        }
        catch (Exception error)
        {
            MemcachedLog.ConnectionFailed(_context.Logger, error);
        }

        await _stream.DisposeAsync().ConfigureAwait(false);
        _context.Connections.Remove(this);
        await WaitForLentMemoryAsync().ConfigureAwait(false);
        _window.Release();
        _input.Release();
        _output.Release();
    }

    private async Task ServeAsync()
    {
        bool hasYielded = false;
        while (!Volatile.Read(ref _isAborted))
        {
            while (_window.TryPeekDone(out CommandSlot? slot))
            {
                if (!await AnswerAsync(slot).ConfigureAwait(false))
                {
                    await SendAsync().ConfigureAwait(false);
                    return;
                }

                _window.Retire();
            }

            ParseResult result = Parse();
            if (_window.IsHeadDone)
                continue;
            if (_output.Length > 0)
            {
                // The cube's answers come in bunches: let the rest of this bunch in before the system call.
                if (!_window.IsEmpty && !hasYielded)
                {
                    hasYielded = true;
                    await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
                    continue;
                }

                await SendAsync().ConfigureAwait(false);
            }

            hasYielded = false;
            if (IsOver(result))
                return;
            if (result == ParseResult.NeedsInput && CanRead)
            {
                _input.BeginRead();
                if (TakeInput())
                    continue;
            }

            await _wake.WaitAsync().ConfigureAwait(false);
            TakeInput();
        }
    }

    private bool CanRead => !_input.HasEnded && !Volatile.Read(ref _isDraining);

    private bool IsOver(ParseResult result) =>
        _window.IsEmpty && (result == ParseResult.Ended || (result == ParseResult.NeedsInput && !CanRead));

    private async ValueTask<bool> AnswerAsync(CommandSlot slot)
    {
        bool hasValue = _protocol!.WriteHead(slot, slot.Reply, slot.Value.Length, _output);
        if (hasValue && slot.Value.Length <= SendThreshold)
        {
            _output.Write(slot.Value.Written.Span);
        }
        else if (hasValue)
        {
            await SendAsync().ConfigureAwait(false);
            await SendAsync(slot.Value.Written).ConfigureAwait(false);
        }

        bool goesOn = _protocol.WriteTail(slot, hasValue, _output);
        if (_output.Length >= SendThreshold)
            await SendAsync().ConfigureAwait(false);
        return goesOn;
    }

    private ParseResult Parse()
    {
        while (true)
        {
            ReadOnlySpan<byte> unread = _input.Unread;
            if (_protocol is null)
            {
                if (unread.IsEmpty)
                    return ParseResult.NeedsInput;
                _protocol = ProtocolSelector.Select(unread[0], _context);
            }

            ParseResult result = _protocol.Advance(unread, _window, out int consumed);
            _input.Consume(consumed);
            if (result != ParseResult.Took)
                return result;
        }
    }

    private bool TakeInput()
    {
        if (!_input.TryEndRead(out int count))
            return false;
        _context.Counters.CountRead(count);
        return true;
    }

    private async ValueTask SendAsync()
    {
        if (_output.Length == 0)
            return;
        await SendAsync(_output.Written).ConfigureAwait(false);
        _output.Clear();
    }

    private async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        await _stream.WriteAsync(bytes).ConfigureAwait(false);
        _context.Counters.CountWritten(bytes.Length);
    }

    private async Task WaitForLentMemoryAsync()
    {
        while (true)
        {
            try
            {
                _input.TryEndRead(out _);
            }
            catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException)
            {
                // The read was cut off by the close.
            }

            if (!_input.IsReading && !_window.IsWorking)
                return;
            await _wake.WaitAsync().ConfigureAwait(false);
        }
    }
}
