using System.Buffers;
using System.IO.Pipelines;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The bytes of one body that are between its ends: one writes, one reads, each on threads of its own, and whoever is
/// faster waits. It has at most its window, and no more than <see cref="BodyBudget.Floor"/> while the budget of all
/// bodies is used up. One reader and one writer at a time.
/// </summary>
internal sealed class BodyWindow
{
    private readonly Lock _lock = new();
    private readonly BodyBudget _budget;
    private readonly int _window;

    // Holds the bytes and nothing else: it is never full, and nobody waits at it. Its own awaitable goes on wherever it
    // was completed if that is while it is being awaited, and a service would run beside its loop.
    private readonly Pipe _bytes;
    private IBodyWait? _reader;
    private IBodyWait? _writer;
    private ReadOnlySequence<byte> _lent;
    private long _onTheWay;
    private bool _isLent;

    // The writer's own memory, which is the reader's until it is through with it.
    private ReadOnlyMemory<byte> _foreign;
    private bool _isForeign;
    private bool _isWritten;
    private bool _isLeft;
    private bool _isClosed;
    private volatile BodyFault _fault;

    /// <summary>A window without bytes.</summary>
    /// <param name="budget">Gives the floor until <see cref="Close"/>; the caller has asked for it.</param>
    /// <param name="window">Most bytes.</param>
    public BodyWindow(BodyBudget budget, int window)
    {
        (_budget, _window) = (budget, window);
        _bytes = new Pipe(
            new PipeOptions(
                budget.Blocks,
                PipeScheduler.Inline,
                PipeScheduler.Inline,
                pauseWriterThreshold: 0,
                useSynchronizationContext: false
            )
        );
    }

    /// <summary>What went wrong first.</summary>
    public BodyFault Fault => _fault;

    /// <summary>Whether the reader wants no more.</summary>
    public bool IsLeft
    {
        get
        {
            lock (_lock)
            {
                return _isLeft;
            }
        }
    }

    /// <summary>How many bytes may be written now; 0: none, or the reader wants no more.</summary>
    public int Room
    {
        get
        {
            lock (_lock)
            {
                return _isLeft ? 0 : (int)Math.Max(0, Limit - _onTheWay);
            }
        }
    }

    private int Limit => _budget.IsUsedUp ? Math.Min(BodyBudget.Floor, _window) : _window;

    /// <summary>Room for bytes that are not there yet for the reader. Writer.</summary>
    public Memory<byte> GetMemory(int sizeHint) => _bytes.Writer.GetMemory(sizeHint);

    /// <summary>So many of them were written. Writer.</summary>
    public void Advance(int count) => _bytes.Writer.Advance(count);

    /// <summary>Copies bytes. Writer.</summary>
    public void Write(in ReadOnlySequence<byte> bytes)
    {
        foreach (ReadOnlyMemory<byte> piece in bytes)
        {
            _bytes.Writer.Write(piece.Span);
        }
    }

    /// <summary>What was written is there for the reader. Writer.</summary>
    public void Flush()
    {
        IBodyWait? reader = null;
        lock (_lock)
        {
            if (_isClosed)
            {
                return;
            }

            Count(_bytes.Writer.UnflushedBytes);

            // Never waits: see above.
            _ = _bytes.Writer.FlushAsync();
            if (_isLeft)
            {
                Discard();
            }
            else if (_onTheWay > 0)
            {
                (reader, _reader) = (_reader, null);
            }
        }

        reader?.End();
    }

    /// <summary>Bytes of the writer's that are read where they are, behind all that was written before. They are the
    /// reader's until <see cref="HasTaken"/>, do not count in the window or the budget, and are one at a time.
    /// Writer.</summary>
    public void Lend(ReadOnlyMemory<byte> bytes)
    {
        IBodyWait? reader;
        lock (_lock)
        {
            if (_isLeft || _isClosed || bytes.IsEmpty)
            {
                return;
            }

            if (!_foreign.IsEmpty)
            {
                throw new InvalidOperationException("What was lent before is still being read.");
            }

            _foreign = bytes;
            (reader, _reader) = (_reader, null);
        }

        reader?.End();
    }

    /// <summary>Whether the reader is through with what the writer lent it. If not, the writer waits. Writer.</summary>
    public bool HasTaken(IBodyWait wait)
    {
        lock (_lock)
        {
            if (_foreign.IsEmpty)
            {
                return true;
            }

            Register(ref _writer, wait);
            return false;
        }
    }

    /// <summary>No more will be written. Writer, or whoever gives it up.</summary>
    /// <param name="fault">None: it is whole.</param>
    public void EndWriting(BodyFault fault)
    {
        IBodyWait? reader;
        lock (_lock)
        {
            if (!_isWritten && fault != BodyFault.None && _fault == BodyFault.None)
            {
                _fault = fault;
            }

            _isWritten = true;
            (reader, _reader) = (_reader, null);
        }

        reader?.End();
    }

    /// <summary>Whether the writer may go on: there is room, or nobody reads any more. If not, it waits.
    /// Writer.</summary>
    public bool HasRoom(IBodyWait wait)
    {
        lock (_lock)
        {
            if (_isLeft || _onTheWay < Limit)
            {
                return true;
            }

            Register(ref _writer, wait);
            return false;
        }
    }

    /// <summary>Whether the reader may go on: there are bytes, or the end. If not, it waits. What it was lent before is
    /// given back. Reader.</summary>
    public bool HasBytes(IBodyWait wait)
    {
        GiveBack();
        lock (_lock)
        {
            if (_onTheWay > 0 || !_foreign.IsEmpty || _isWritten || _isClosed)
            {
                return true;
            }

            Register(ref _reader, wait);
            return false;
        }
    }

    /// <summary>What is there. Of one that is broken nothing more is given. Reader.</summary>
    public BodyPiece Take()
    {
        lock (_lock)
        {
            if (_fault != BodyFault.None || _isClosed)
            {
                return new BodyPiece(default, BodyEnd.Broken);
            }

            if (_onTheWay > 0 && _bytes.Reader.TryRead(out ReadResult read))
            {
                (_lent, _isLent) = (read.Buffer, true);
            }
            else if (!_foreign.IsEmpty)
            {
                (_lent, _isLent, _isForeign) = (new ReadOnlySequence<byte>(_foreign), true, true);
            }

            // Behind what was written may be what is lent.
            bool isLast = _isWritten && (_isForeign || _foreign.IsEmpty);
            return new BodyPiece(_isLent ? _lent : default, isLast ? BodyEnd.Complete : BodyEnd.More);
        }
    }

    /// <summary>The reader is through with what it was lent. Reader.</summary>
    public void GiveBack()
    {
        IBodyWait? writer = null;
        lock (_lock)
        {
            if (!_isLent || _isClosed)
            {
                return;
            }

            TakeBack();

            // Who has lent something waits for that, and who has not, for room.
            if (_foreign.IsEmpty && _onTheWay <= Limit / 2)
            {
                (writer, _writer) = (_writer, null);
            }
        }

        writer?.End();
    }

    /// <summary>The reader wants no more. Reader, or whoever gives it up.</summary>
    /// <param name="fault">Why, if it wanted more.</param>
    public void Leave(BodyFault fault)
    {
        IBodyWait? writer;
        lock (_lock)
        {
            if (!_isLeft && fault != BodyFault.None && _fault == BodyFault.None)
            {
                _fault = fault;
            }

            _isLeft = true;
            if (!_isClosed)
            {
                Discard();
            }

            (writer, _writer) = (_writer, null);
        }

        writer?.End();
    }

    /// <summary>Both ends are through with it: nothing is written or lent any more.</summary>
    public void Close()
    {
        IBodyWait? reader,
            writer;
        lock (_lock)
        {
            if (_isClosed)
            {
                return;
            }

            (_isClosed, _isWritten, _isLeft, _isLent) = (true, true, true, false);
            (_isForeign, _foreign) = (false, default);
            Count(-_onTheWay);
            (reader, _reader) = (_reader, null);
            (writer, _writer) = (_writer, null);
            _bytes.Writer.Complete();
            _bytes.Reader.Complete();
        }

        _budget.Close();
        reader?.End();
        writer?.End();
    }

    private static void Register(ref IBodyWait? place, IBodyWait wait)
    {
        if (place is not null)
        {
            throw new InvalidOperationException("An end of a body has one wait at a time.");
        }

        wait.Begin();
        place = wait;
    }

    private void TakeBack()
    {
        _isLent = false;
        if (_isForeign)
        {
            (_isForeign, _foreign, _lent) = (false, default, default);
            return;
        }

        Count(-_lent.Length);
        _bytes.Reader.AdvanceTo(_lent.End);
        _lent = default;
    }

    private void Discard()
    {
        if (_isLent)
        {
            TakeBack();
        }

        _foreign = default;
        if (_bytes.Reader.TryRead(out ReadResult read))
        {
            Count(-read.Buffer.Length);
            _bytes.Reader.AdvanceTo(read.Buffer.End);
        }
    }

    private void Count(long bytes)
    {
        long before = Math.Max(0, _onTheWay - BodyBudget.Floor);
        _onTheWay += bytes;
        _budget.Add(Math.Max(0, _onTheWay - BodyBudget.Floor) - before);
    }
}
