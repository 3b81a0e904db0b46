using System.Net.Security;
using System.Runtime.Versioning;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Tls;

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// TLS of one client in the loop, between its socket and its questions. Agreement, decryption and encryption happen
/// inside of these calls, on the loop's thread: TLS is only asked to read when a whole record is there. What is
/// received and makes no record is kept, at most one and what came with it. Loop only.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LoopTls
{
    /// <summary>Least room for <see cref="Receive"/>: what one record may hold.</summary>
    public const int LeastRoom = 16 << 10;

    private readonly LoopSocket _socket;
    private readonly ConnectionLoop _loop;
    private readonly TlsServer _server;
    private readonly int _writeLength;
    private readonly RecordPipe _pipe;
    private readonly SslStream _stream;
    private readonly KeptInput _kept = new();
    private Task? _agreement;
    private ValueTask<int> _read;
    private bool _isReading;
    private bool _hasMore;
    private bool _hasSaidEnd;

    /// <summary>TLS over a socket; nothing happens yet.</summary>
    public LoopTls(LoopSocket socket, ConnectionLoop loop, TlsServer server, int writeLength)
    {
        (_socket, _loop, _server, _writeLength) = (socket, loop, server, writeLength);
        _pipe = new RecordPipe(loop.Sealed);
        _stream = new SslStream(_pipe);
    }

    /// <summary>Whether both sides have agreed.</summary>
    public bool IsAgreed { get; private set; }

    /// <summary>Why they did not, once <see cref="Receive"/> has said that the client is gone; null: they did, or it
    /// just left.</summary>
    public string? Refusal { get; private set; }

    /// <summary>Whether something may be there to receive.</summary>
    public bool HasInput => _socket.HasInput || _hasMore;

    /// <summary>As <see cref="LoopSocket.Receive"/>, of what was encrypted.</summary>
    /// <param name="room">At least <see cref="LeastRoom"/>.</param>
    public int Receive(Memory<byte> room)
    {
        byte[] buffer = _loop.SealedInput;
        int start = 0,
            end = 0;
        if (!_kept.IsEmpty)
        {
            _kept.MakeRoom();
            (buffer, start, end) = (_kept.Bytes, _kept.Start, _kept.End);
        }

        if (!_hasMore && _socket.HasInput)
        {
            int count = _socket.Receive(buffer.AsSpan(end));
            if (count < 0)
            {
                return count;
            }

            end += count;
            _pipe.HasEnded |= count == 0;
        }

        _pipe.Show(buffer.AsMemory(start, end - start));
        int plain = Pass(room);
        _kept.Keep(buffer, end - _pipe.Unread, end);
        _pipe.Show(default);
        return Flush() == LoopSocket.Gone ? LoopSocket.Gone : plain;
    }

    /// <summary>Encrypts and sends. Returns the length of what was given, or <see cref="LoopSocket.Gone"/>.</summary>
    public int Send(ReadOnlyMemory<byte> bytes)
    {
        int length = bytes.Length;
        try
        {
            while (bytes.Length > 0)
            {
                int piece = Math.Min(bytes.Length, _writeLength);
                Finish(_stream.WriteAsync(bytes[..piece]));
                bytes = bytes[piece..];
            }
        }
        catch (Exception error) when (IsClients(error))
        {
            return LoopSocket.Gone;
        }

        return Flush() == LoopSocket.Gone ? LoopSocket.Gone : length;
    }

    /// <summary>Says the last word, without which clients take the end for an attack. True: it is sent, or cannot
    /// be.</summary>
    public bool TryEnd()
    {
        if (!_hasSaidEnd && IsAgreed)
        {
            _hasSaidEnd = true;
            try
            {
                Finish(new ValueTask(_stream.ShutdownAsync()));
            }
            catch (Exception error) when (IsClients(error))
            {
                return true;
            }

            return Flush() == LoopSocket.Gone || !_socket.HasUnsent;
        }

        return true;
    }

    /// <summary>Gives everything back.</summary>
    public void Close()
    {
        _pipe.Dispose();
        _stream.Dispose();
        _loop.Sealed.Clear();
        _kept.Clear();

        // Nobody else looks at it.
        _ = _agreement?.Exception;
    }

    private int Pass(Memory<byte> room)
    {
        int count =
            IsAgreed || Agree() ? Open(room)
            : Refusal is null ? LoopSocket.Nothing
            : LoopSocket.Gone;

        // Its end, if it came with the last of what was read, is told by the next call.
        _hasMore = _pipe.HasEnded ? count > 0 : _pipe.HasRecord;
        return count;
    }

    private bool Agree()
    {
        _agreement ??= _server.AuthenticateAsync(_stream);
        while (!_agreement.IsCompleted && _pipe.GoOn()) { }

        IsAgreed = _agreement.IsCompletedSuccessfully;
        if (_agreement.Exception?.InnerException is { } error)
        {
            Refusal = (error.InnerException ?? error).Message;
        }
        else if (!IsAgreed && !_pipe.IsAwaited)
        {
            throw new InvalidOperationException("TLS has left the loop's thread.");
        }

        return IsAgreed;
    }

    // Every whole record, as long as there is room for the next.
    private int Open(Memory<byte> room)
    {
        int length = 0;
        while (room.Length - length >= LeastRoom && _pipe.HasRecord)
        {
            if (_isReading)
            {
                _pipe.GoOn();
            }
            else
            {
                _read = _stream.ReadAsync(_loop.Opened);
            }

            _isReading = !_read.IsCompleted;
            if (_isReading)
            {
                if (!_pipe.IsAwaited)
                {
                    throw new InvalidOperationException("TLS has left the loop's thread.");
                }

                continue;
            }

            int count;
            try
            {
                count = _read.GetAwaiter().GetResult();
            }
            catch (Exception error) when (IsClients(error))
            {
                return LoopSocket.Gone;
            }

            if (count == 0)
            {
                _pipe.HasEnded = true;
                return length;
            }

            _loop.Opened.AsSpan(0, count).CopyTo(room.Span[length..]);
            length += count;
        }

        return length > 0 ? length : LoopSocket.Nothing;
    }

    private int Flush()
    {
        ReplyBuffer output = _loop.Sealed;
        if (output.Length == 0)
        {
            return 0;
        }

        int sent = _socket.Send(output.Written.Span);
        output.Clear();
        return sent;
    }

    private static void Finish(ValueTask task)
    {
        if (!task.IsCompleted)
        {
            throw new InvalidOperationException("TLS has left the loop's thread.");
        }

        task.GetAwaiter().GetResult();
    }

    // What a client sends is its own fault, with whatever error the system's TLS tells of it.
    private static bool IsClients(Exception error) =>
        error
            is IOException
                or ObjectDisposedException
                or System.Security.Authentication.AuthenticationException
                or System.Security.Cryptography.CryptographicException;
}
