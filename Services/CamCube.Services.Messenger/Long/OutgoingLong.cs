using CamCube.Messaging;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Waiting;

namespace CamCube.Services.Messenger.Long;

/// <summary>A long message, or an answer for lent windows, at its sender. The items are lent to it until it ends.
/// </summary>
internal sealed class OutgoingLong : ITransfer
{
    private readonly ReadOnlyMemory<byte>[] _items;
    private readonly LoopWait<LongDelivery> _wait;
    private readonly LongSender _sender;
    private readonly byte[] _wanted;
    private CancellationTokenRegistration _cancel;
    private ReliableStream? _stream;
    private int _wantedBytes,
        _item,
        _offset;

    public OutgoingLong(IServer server, LongSender sender, LocalEndpoint from, ReadOnlySpan<ReadOnlyMemory<byte>> items)
    {
        (_sender, From, _items) = (sender, from, items.ToArray());
        _wanted = new byte[(items.Length + 7) / 8];
        _wait = new LoopWait<LongDelivery>(server);
        Timer = server.CreateTimer(() => sender.OnTimer(this));
    }

    public LocalEndpoint From { get; }

    /// <summary>Number of the offer, or handle of the windows.</summary>
    public ulong Label { get; init; }

    public EndpointId To { get; init; }

    public ushort Method { get; init; }

    public long DeadlineNanos { get; init; }

    public ServerTimer Timer { get; }

    /// <summary>Time until it is offered again.</summary>
    public long PauseNanos { get; set; }

    public ReadOnlySpan<ReadOnlyMemory<byte>> Items => _items;

    /// <summary>Its receiver pulls it, or it is pushed.</summary>
    public bool HasStream { get; private set; }

    public bool HasEnded { get; private set; }

    public int Count => _items.Length;

    /// <summary>Waits for its end. Once.</summary>
    public ValueTask<LongDelivery> WaitAsync(CancellationToken cancel)
    {
        ValueTask<LongDelivery> end = _wait.Start();
        _cancel = cancel.UnsafeRegister(
            static o => ((OutgoingLong)o!).End(new LongDelivery(LongStatus.Cancelled)),
            this
        );
        return end;
    }

    /// <summary>It is being pulled by this stream: says first which items.</summary>
    public void Pulled(ReliableStream stream)
    {
        (_stream, HasStream) = (stream, true);
        OnReadable(stream);
    }

    /// <summary>It is pulled by an endpoint of this very server.</summary>
    public void PulledHere() => HasStream = true;

    /// <summary>It is pushed into this stream, behind a head: all items.</summary>
    public void Push(ReliableStream stream)
    {
        (_stream, HasStream, _wantedBytes) = (stream, true, _wanted.Length);
        Array.Fill(_wanted, (byte)0xFF);
        Write(stream);
    }

    /// <summary>It ends, once; the items are their owner's again.</summary>
    public void End(LongDelivery delivery)
    {
        if (HasEnded)
        {
            return;
        }

        HasEnded = true;
        Timer.Cancel();
        _cancel.Unregister();
        if (_stream is { } stream)
        {
            if (delivery.Status == LongStatus.Delivered)
            {
                stream.Complete();
            }
            else
            {
                stream.Abort((uint)delivery.Status);
            }

            _sender.Detach(stream);
        }

        _sender.Ended(this);
        _wait.Complete(delivery);
    }

    /// <inheritdoc/>
    public void OnReadable(ReliableStream stream)
    {
        while (!HasEnded && stream.Peek() is { IsEmpty: false } bytes)
        {
            if (_wantedBytes < _wanted.Length)
            {
                _wanted[_wantedBytes++] = bytes[0];
                stream.Consume(1);
                if (_wantedBytes == _wanted.Length)
                {
                    Write(stream);
                }

                continue;
            }

            // The last byte: it is delivered. Before all was written it is none.
            bool isWhole = bytes[0] == LongWire.IsDelivered && _item == _items.Length;
            stream.Consume(1);
            End(isWhole ? new LongDelivery(LongStatus.Delivered, Unwanted()) : new LongDelivery(LongStatus.BrokenOff));
        }

        // With its end the stream was given back.
        if (!HasEnded && stream.IsAtEnd)
        {
            End(new LongDelivery(LongStatus.BrokenOff));
        }
    }

    /// <inheritdoc/>
    public void OnWritable(ReliableStream stream) => Write(stream);

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream)
    {
        OnReadable(stream);
        End(new LongDelivery(LongStatus.BrokenOff));
    }

    private int Unwanted()
    {
        int unwanted = 0;
        for (int i = 0; i < _items.Length; i++)
        {
            unwanted += IsWanted(i) ? 0 : 1;
        }

        return unwanted;
    }

    private bool IsWanted(int item) => (_wanted[item / 8] >> (item % 8) & 1) != 0;

    private void Write(ReliableStream stream)
    {
        if (_wantedBytes < _wanted.Length)
        {
            return;
        }

        for (; _item < _items.Length; _item++, _offset = 0)
        {
            if (!IsWanted(_item))
            {
                continue;
            }

            ReadOnlySpan<byte> rest = _items[_item].Span[_offset..];
            while (!rest.IsEmpty)
            {
                int n = stream.Write(rest);
                _offset += n;
                rest = rest[n..];
                if (n == 0)
                {
                    return;
                }
            }
        }
    }
}
