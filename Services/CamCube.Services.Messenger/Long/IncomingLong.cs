using CamCube.Messaging;
using CamCube.Services.Messenger.Calls;
using CamCube.Services.Messenger.Endpoints;

namespace CamCube.Services.Messenger.Long;

/// <summary>A long message, or an answer in lent windows, at its receiver: whole in its windows, or nothing of it.
/// </summary>
internal sealed class IncomingLong : ITransfer
{
    private readonly LongReceiver _receiver;
    private readonly List<Window?> _windows = [];
    private readonly List<int> _lengths = [];
    private readonly byte[] _head = new byte[LongWire.HeadBytes + (4 * Wire.ShortBody.MostReturns)];
    private int _headBytes,
        _item,
        _offset;

    public IncomingLong(LongReceiver receiver, LocalEndpoint to) => (_receiver, To) = (receiver, to);

    public LocalEndpoint To { get; }

    /// <summary>Who sends it, and where that is.</summary>
    public EndpointId Source { get; set; }

    public EndpointPlace From { get; init; }

    public ushort Method { get; set; }

    /// <summary>Number of the offer; of an answer the handle.</summary>
    public ulong Label { get; init; }

    /// <summary>The call that it answers; null: none.</summary>
    public CallRecord? Call { get; init; }

    public ReliableStream? Stream { get; set; }

    public bool HasEnded { get; private set; }

    /// <summary>Its receiver has it.</summary>
    public bool IsDelivered { get; set; }

    /// <summary>Its sender has been told that it is delivered.</summary>
    public bool HasSaid { get; set; }

    public int Count => _windows.Count;

    public IReadOnlyList<Window?> Windows => _windows;

    public int LengthOf(int item) => _lengths[item];

    public bool IsWhole => (Call is null || _headBytes < 0) && _item == _windows.Count;

    /// <summary>Adds an item, with the window that it goes to.</summary>
    public void Add(Window? window, int length)
    {
        _windows.Add(window);
        _lengths.Add(length);
    }

    /// <summary>Some bytes more. Returns how many were wanted; less than all are too many.</summary>
    public int Take(ReadOnlySpan<byte> bytes)
    {
        int taken = 0;
        Skip();
        while (taken < bytes.Length && _item < _windows.Count)
        {
            int n = Math.Min(bytes.Length - taken, _lengths[_item] - _offset);
            bytes.Slice(taken, n).CopyTo(_windows[_item]!.Memory.Span[_offset..]);
            taken += n;
            _offset += n;
            Skip();
        }

        return taken;
    }

    /// <inheritdoc/>
    public void OnReadable(ReliableStream stream)
    {
        while (!HasEnded && stream.Peek() is { IsEmpty: false } bytes)
        {
            if (Call is not null && _headBytes >= 0)
            {
                if (!TakeHead(bytes[0]))
                {
                    _receiver.BreakOff(this);
                    return;
                }

                stream.Consume(1);
                continue;
            }

            int taken = Take(bytes);
            if (taken == 0)
            {
                // More than was asked for.
                _receiver.BreakOff(this);
                return;
            }

            stream.Consume(taken);
        }

        if (!HasEnded && IsWhole)
        {
            _receiver.Finish(this);
        }
        else if (HasEnded && !stream.Peek().IsEmpty)
        {
            // More than all.
            stream.Abort();
            _receiver.Detach(stream);
        }
    }

    /// <inheritdoc/>
    public void OnWritable(ReliableStream stream)
    {
        if (IsDelivered && !HasSaid)
        {
            Streams.SayDelivered(this);
        }
    }

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream)
    {
        OnReadable(stream);
        _receiver.BreakOff(this);
        _receiver.Detach(stream);
    }

    /// <summary>The head of an answer. False: it is none of this call.</summary>
    public bool TakeHead(ReadOnlySpan<byte> head)
    {
        foreach (byte value in head)
        {
            if (!TakeHead(value))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>It ends. False: it had before.</summary>
    public bool TryEnd()
    {
        bool isFirst = !HasEnded;
        HasEnded = true;
        return isFirst;
    }

    // Items without a window, and those that are full.
    private void Skip()
    {
        while (_item < _windows.Count && (_windows[_item] is null || _offset == _lengths[_item]))
        {
            (_item, _offset) = (_item + 1, 0);
        }
    }

    // The head of an answer; false: it is none of this call.
    private bool TakeHead(byte value)
    {
        if (_headBytes == _head.Length)
        {
            return false;
        }

        _head[_headBytes++] = value;
        int count = _headBytes < LongWire.HeadBytes ? 0 : LongWire.Count(_head);
        if (_headBytes < LongWire.HeadBytes || (count > 0 && _headBytes < LongWire.HeadBytes + (4 * count)))
        {
            return _headBytes < LongWire.HeadBytes || count <= Call!.ReturnCount;
        }

        if (count == 0 || LongWire.Question(_head) != Call!.Question || LongWire.Source(_head) != Call.To)
        {
            return false;
        }

        (Method, Source) = (LongWire.Method(_head), LongWire.Source(_head));
        for (int i = 0; i < count; i++)
        {
            int length = LongWire.Length(_head, i);
            Window window = Call.Returns[i]!;
            if (length < 0 || length > window.Length || !window.TryMove(WindowState.Lent, WindowState.Filling))
            {
                return false;
            }

            Add(window, length);
        }

        _headBytes = -1;
        Skip();
        return true;
    }
}
