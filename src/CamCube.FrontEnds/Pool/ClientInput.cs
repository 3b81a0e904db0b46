using System.Buffers;
using System.Runtime.CompilerServices;

namespace CamCube.FrontEnds.Pool;

/// <summary>
/// Bytes received from one client and not yet consumed, in one pooled array, and the read that adds to them. The
/// connection's loop only; a read that ends on another thread sets the wake signal.
/// </summary>
internal sealed class ClientInput
{
    private const int SmallLength = 16 << 10;
    private const int LargeLength = 64 << 10;

    private readonly Stream _stream;
    private readonly WakeSignal _wake;
    private readonly Action _readEnded;
    private byte[] _buffer = [];
    private int _start;
    private int _end;
    private int _wantedLength = SmallLength;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _read;
    private bool _hasReadEnded;

    /// <summary>Input from a stream.</summary>
    public ClientInput(Stream stream, WakeSignal wake)
    {
        _stream = stream;
        _wake = wake;
        _readEnded = () =>
        {
            Volatile.Write(ref _hasReadEnded, true);
            _wake.Set();
        };
    }

    /// <summary>Bytes received and not consumed; valid until the next call.</summary>
    public ReadOnlySpan<byte> Unread => _buffer.AsSpan(_start, _end - _start);

    /// <summary>Whether the client has said that it sends no more.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Whether a read still has the buffer.</summary>
    public bool IsReading { get; private set; }

    /// <summary>Takes bytes off the front.</summary>
    public void Consume(int count) => _start += count;

    /// <summary>Begins a read, unless one is under way.</summary>
    public void BeginRead()
    {
        if (IsReading || HasEnded)
        {
            return;
        }

        MakeRoom();
        _hasReadEnded = false;
        _read = _stream.ReadAsync(_buffer.AsMemory(_end)).ConfigureAwait(false).GetAwaiter();
        IsReading = true;
        if (_read.IsCompleted)
        {
            _hasReadEnded = true;
        }
        else
        {
            _read.UnsafeOnCompleted(_readEnded);
        }
    }

    /// <summary>Takes the bytes of a read that has ended; false if none has.</summary>
    /// <param name="count">Bytes received.</param>
    public bool TryEndRead(out int count)
    {
        count = 0;
        if (!IsReading || !Volatile.Read(ref _hasReadEnded))
        {
            return false;
        }

        IsReading = false;
        count = _read.GetResult();
        _read = default;
        HasEnded = count == 0;

        // A client that fills the buffer sends much: fewer, larger reads; one that does not gives the memory back.
        if (count == _buffer.Length - _end)
        {
            _wantedLength = LargeLength;
        }
        else if (count < SmallLength)
        {
            _wantedLength = SmallLength;
        }

        _end += count;
        return true;
    }

    /// <summary>Gives the buffer back; no read is under way.</summary>
    public void Release()
    {
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }

        _buffer = [];
        _start = _end = 0;
    }

    private void MakeRoom()
    {
        if (_start == _end)
        {
            if (_buffer.Length != _wantedLength)
            {
                Release();
            }

            _start = _end = 0;
        }

        if (_buffer.Length == 0)
        {
            _buffer = ArrayPool<byte>.Shared.Rent(_wantedLength);
        }

        if (_end < _buffer.Length)
        {
            return;
        }

        if (_start > 0)
        {
            Unread.CopyTo(_buffer);
            _end -= _start;
            _start = 0;
            return;
        }

        // One line fills it all; the protocol says when a line is too long.
        byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
        _buffer.CopyTo(larger, 0);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }
}
