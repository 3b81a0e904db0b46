using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// One child's place in a stripe: it takes the pieces that it wants as they are here, in any order. What is in memory
/// is written from there; what is not any more is read from disk, into a buffer that it has for as long as the child
/// takes that piece, and goes on only if its sums are right. Loop only.
/// </summary>
internal sealed class StripeCursor : IPullSource
{
    private const double NanosPerSecond = 1e9;
    private const int MostForged = 8;
    private readonly Stripe _stripe;
    private readonly IPieceFile _file;
    private readonly PullOutput _output;
    private readonly StepSignal _toRead = new();
    private readonly byte[] _head = new byte[PieceHead.Bytes];
    private readonly int _begun;
    private readonly int _offset;
    private byte[]? _buffer;
    private int _number = -1;
    private int _headWritten;
    private int _written;
    private bool _isBegun;
    private bool _isReading;
    private bool _isWorking;
    private bool _isIdle;
    private ServerTimer? _pace;
    private double _nextNanos;

    /// <summary>A child.</summary>
    /// <param name="stripe">The stripe.</param>
    /// <param name="file">Whose that is.</param>
    /// <param name="output">The child.</param>
    /// <param name="wanted">Which pieces it wants: its own.</param>
    /// <param name="request">What it said.</param>
    public StripeCursor(Stripe stripe, IPieceFile file, PullOutput output, PieceBits wanted, in PieceRequest request)
    {
        (_stripe, _file, _output, Wanted) = (stripe, file, output, wanted);
        (_begun, _offset) = request.Offset == 0 ? (-1, 0) : (request.Begun, request.Offset);
    }

    /// <summary>It reads no more.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>What it wants and has not taken to the end.</summary>
    public PieceBits Wanted { get; }

    /// <summary>It could take more, and nothing of what it wants is here.</summary>
    public bool IsStarving => _isIdle && !HasLeft && Wanted.Count > 0 && _output.Writable > 0;

    /// <summary>What a child wants of a stripe. Null: what the stripe does not have.</summary>
    public static PieceBits? WantedOf(IPieceFile file, int tree, in PieceRequest request)
    {
        var wanted = new PieceBits(file.Layout.CountOf(tree));
        if (!wanted.TryAdd(request.From, request.Bits.Span))
        {
            return null;
        }

        for (
            int number = wanted.Next(0);
            number >= 0;
            number = number + 1 < wanted.Length ? wanted.Next(number + 1) : -1
        )
        {
            if (file.IsZero(file.Layout.PieceOf(tree, number)))
            {
                wanted.Remove(number);
            }
        }

        return wanted;
    }

    void IPullSource.OnWritable()
    {
        Work();
        _stripe.OnProgress();
    }

    void IPullSource.OnLeft()
    {
        if (!HasLeft)
        {
            HasLeft = true;
            ReturnBuffer();
            _pace?.Cancel();
            _toRead.Set();
            _stripe.Remove(this);
        }
    }

    /// <summary>The stripe has ended: the child asks again, somewhere.</summary>
    public void SendAway()
    {
        _output.Abort(PullRefusal.Unknown);
        ((IPullSource)this).OnLeft();
    }

    /// <summary>A piece is given up unstored. If this is in its middle it keeps the rest, or where there is no memory
    /// for that the child is sent away.</summary>
    public void TakeAlong(PieceSlot slot)
    {
        if (HasLeft || _number != slot.Number || _buffer is not null)
        {
            return;
        }

        if (_headWritten == 0)
        {
            _number = -1;
        }
        else if ((_buffer = _file.Transit.TryRent(_file.Layout.PieceBytes)) is { } buffer)
        {
            slot.Bytes.AsSpan(0, slot.Length).CopyTo(buffer);
        }
        else
        {
            SendAway();
        }
    }

    /// <summary>Writes what is here, as far as there is room.</summary>
    public void Work()
    {
        if (_isWorking || HasLeft || _stripe.IsOver)
        {
            return;
        }

        _isWorking = true;
        while (!HasLeft && Wanted.Count > 0 && (_number >= 0 || Choose()) && WriteSome()) { }
        _isWorking = false;
        if (!HasLeft && Wanted.Count == 0)
        {
            _output.Complete();
        }
    }

    private bool Choose()
    {
        if (IsTooEarly())
        {
            _isIdle = false;
            return false;
        }

        _number = _stripe.Choose(Wanted, _begun, _offset);
        _isIdle = _number < 0;
        (_written, _headWritten) = (_number == _begun ? _offset : 0, 0);
        return !_isIdle;
    }

    // Whether the piece is written to its end.
    private bool WriteSome()
    {
        if (_isReading)
        {
            return false;
        }

        int length = _file.Layout.LengthOf(_file.Layout.PieceOf(_stripe.Tree, _number));
        ReadOnlySpan<byte> bytes = default;
        _isIdle = false;
        if (_buffer is { } buffer)
        {
            bytes = buffer.AsSpan(0, length);
        }
        else if (_stripe.SlotOf(_number) is { } slot)
        {
            bytes = slot.Bytes.AsSpan(0, slot.Checked);
        }
        else
        {
            // It is on disk, or it was begun anew, and comes.
            _isIdle = !_stripe.IsStored(_number);
            if (!_isIdle)
            {
                _isReading = true;
                Read();
            }

            return false;
        }

        if (!WriteHead())
        {
            return false;
        }

        if (_written == 0 && _output.Writable > MostForged && bytes.Length > MostForged)
        {
            ReadOnlySpan<byte> forgery = _file.Forgery();
            Span<byte> forged = stackalloc byte[MostForged];
            forged = forged[..forgery.Length];
            for (int i = 0; i < forgery.Length; i++)
            {
                forged[i] = (byte)(bytes[i] ^ forgery[i]);
            }

            _written += _output.Write(forged);
        }

        if (_written < bytes.Length)
        {
            _written += _output.Write(bytes[_written..]);
        }

        if (_written < length)
        {
            _isIdle = _written >= bytes.Length;
            return false;
        }

        Pace(length);
        _file.Counters.Served.Add();
        _file.Counters.Relayed.Add(_stripe.Keeps ? 0 : 1);
        Wanted.Remove(_number);
        _number = -1;
        ReturnBuffer();
        return true;
    }

    // Where there is a limit, a piece is begun when those before it would have ended at that rate.
    private bool IsTooEarly()
    {
        if (_file.StripeLimit <= 0 || _file.Server.NowNanos >= _nextNanos)
        {
            return false;
        }

        _pace ??= _file.Server.CreateTimer(((IPullSource)this).OnWritable);
        if (!_pace.IsArmed)
        {
            _pace.ArmAt((long)_nextNanos);
        }

        return true;
    }

    // What was late may be made up for by one piece.
    private void Pace(int length)
    {
        if (_file.StripeLimit > 0)
        {
            double cost = length * NanosPerSecond / _file.StripeLimit;
            _nextNanos = Math.Max(_nextNanos, _file.Server.NowNanos - cost) + cost;
        }
    }

    private bool WriteHead()
    {
        if (_headWritten < PieceHead.Bytes)
        {
            new PieceHead(_number, _written).Write(_head);
            _headWritten += _output.Write(_head.AsSpan(_headWritten));
        }

        return _headWritten == PieceHead.Bytes;
    }

    private void Read()
    {
        if (_isBegun)
        {
            _toRead.Set();
        }
        else
        {
            _isBegun = true;
            _file.Server.Loop.Run(ReadAsync);
        }
    }

    private void ReturnBuffer()
    {
        if (!_isReading && _buffer is { } buffer)
        {
            _buffer = null;
            _file.Transit.Return(buffer);
        }
    }

    // Goes on for as long as the child is there: one method for all pieces.
    private async ValueTask ReadAsync()
    {
        while (!HasLeft)
        {
            if (!_isReading)
            {
                await _toRead.WaitAsync().ConfigureAwait(false);
                continue;
            }

            _buffer = _file.Transit.TryRent(_file.Layout.PieceBytes);
            if (_buffer is not { } buffer)
            {
                if (!await _file.Server.DelayAsync(DiskWords.BusyPause))
                {
                    return;
                }

                continue;
            }

            int piece = _file.Layout.PieceOf(_stripe.Tree, _number),
                length = _file.Layout.LengthOf(piece);
            DiskResult<int> read;
            do
            {
                read = await _file
                    .FileOf(_stripe.Tree)!
                    .ReadAsync(_file.Layout.OffsetOf(piece), buffer.AsMemory(0, length));
            } while (read.Status == DiskStatus.Busy && await _file.Server.DelayAsync(DiskWords.BusyPause) && !HasLeft);

            if (read.Status == DiskStatus.Stopped)
            {
                // The disk may use it for good.
                _file.Transit.Lose(buffer);
                _buffer = null;
                HasLeft = true;
                return;
            }

            _isReading = false;
            Take(read, buffer.AsSpan(0, length), piece);
        }
    }

    private void Take(DiskResult<int> read, ReadOnlySpan<byte> bytes, int piece)
    {
        string? wrong =
            HasLeft ? null
            : !read.IsDone ? DiskWords.Of(read.Status)
            : read.Value != bytes.Length || !_file.IsRight(piece, 0, bytes)
                ? $"piece {piece} on disk is not what it was: the file has changed, or the disk fails"
            : null;
        if (HasLeft || wrong is not null)
        {
            ReturnBuffer();
        }

        if (wrong is not null)
        {
            _file.Fail(wrong);
        }
        else
        {
            Work();
        }
    }
}
