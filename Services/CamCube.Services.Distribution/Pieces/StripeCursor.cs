using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// One child's place in a stripe. What is in memory is written from there; what is not any more is read from disk, into
/// a buffer that it has for as long as the child takes that piece, and goes on only if its sum is right. Loop only.
/// </summary>
internal sealed class StripeCursor : IPullSource
{
    private readonly Stripe _stripe;
    private readonly IPieceFile _file;
    private readonly PullOutput _output;
    private readonly Signal _toRead = new();
    private byte[]? _buffer;
    private int _number;
    private int _written;
    private bool _isBegun;
    private bool _isReading;
    private bool _isWorking;

    /// <summary>A child that has a number of pieces already.</summary>
    /// <param name="stripe">The stripe.</param>
    /// <param name="file">Whose that is.</param>
    /// <param name="output">The child.</param>
    /// <param name="from">The first piece that it wants.</param>
    public StripeCursor(Stripe stripe, IPieceFile file, PullOutput output, int from) =>
        (_stripe, _file, _output, _number) = (stripe, file, output, from);

    /// <summary>It reads no more.</summary>
    public bool HasLeft { get; private set; }

    void IPullSource.OnWritable() => Work();

    void IPullSource.OnLeft()
    {
        if (!HasLeft)
        {
            HasLeft = true;
            _stripe.Remove(this);
            ReturnBuffer();
            _toRead.Set();
        }
    }

    /// <summary>The stripe has ended: the child asks again, somewhere.</summary>
    public void SendAway()
    {
        _output.Abort(PullRefusal.Unknown);
        ((IPullSource)this).OnLeft();
    }

    /// <summary>Writes what is here, as far as there is room.</summary>
    public void Work()
    {
        if (_isWorking || HasLeft || _stripe.IsOver)
        {
            return;
        }

        _isWorking = true;
        while (!HasLeft && _number < _stripe.Count && WriteSome()) { }
        _isWorking = false;
        if (_number == _stripe.Count)
        {
            _output.Complete();
        }
    }

    // Whether the piece is written to its end.
    private bool WriteSome()
    {
        int length = _file.Layout.LengthOf(_file.Layout.PieceOf(_stripe.Tree, _number));
        ReadOnlySpan<byte> bytes = default;
        if (_isReading)
        {
            return false;
        }

        if (_buffer is { } buffer)
        {
            bytes = buffer.AsSpan(0, length);
        }
        else if (!_stripe.TryGet(_number, out bytes))
        {
            if (_number < _stripe.Stored)
            {
                _isReading = true;
                Read();
            }

            return false;
        }

        if (_written == 0 && _output.Writable > 0 && _file.Forges())
        {
            _written += _output.Write([(byte)~bytes[0]]);
        }

        _written += _output.Write(bytes[_written..]);
        if (_written < length)
        {
            return false;
        }

        _file.Counters.Served.Add();
        _number++;
        _written = 0;
        ReturnBuffer();
        return true;
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
                read = await _file.File.ReadAsync(_file.Layout.OffsetOf(piece), buffer.AsMemory(0, length));
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
            : read.Value != bytes.Length || !_file.IsRight(piece, bytes)
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
