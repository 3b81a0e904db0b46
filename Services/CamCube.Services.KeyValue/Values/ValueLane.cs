using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Values;

/// <summary>The way of a value's pieces to one server that should have them. While nothing comes it has no stream: slow
/// clients hold no credit. Loop only; one call at a time.</summary>
internal sealed class ValueLane(ValueSide side, Coordinate server, uint group, PieceId id)
{
    private readonly byte[] _head = new byte[ValueWire.HeadBytes];
    private WatchedStream? _stream;
    private int _sent;
    private int _durable;

    /// <summary>It is given up: that server fetches the pieces when it needs them.</summary>
    public bool IsLost { get; private set; }

    /// <summary>Because its disk has no room.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Sends the next piece.</summary>
    /// <param name="piece">The piece.</param>
    /// <param name="patienceNanos">How long that server may stand still.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlyMemory<byte> piece, long patienceNanos)
    {
        if (IsLost || !await OpenAsync(patienceNanos))
        {
            return;
        }

        WriteUInt32LittleEndian(_head, (uint)piece.Length);
        if (
            await ValueWire.WriteAsync(_stream!, _head.AsMemory(0, ValueWire.NumberBytes))
            && await ValueWire.WriteAsync(_stream!, piece)
        )
        {
            _sent++;
        }
        else
        {
            Lose();
        }
    }

    /// <summary>Waits until all that was sent is on the disk there.</summary>
    /// <param name="patienceNanos">How long that server may stand still.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    public async ValueTask EndAsync(long patienceNanos)
    {
        if (IsLost || _stream is not { } stream)
        {
            return;
        }

        stream.PatienceNanos = patienceNanos;
        stream.Stream.Complete();
        while (_durable < _sent)
        {
            stream.Wait();
            bool isHere = await stream.Stream.ReadableAsync();
            stream.Go();
            if (!isHere)
            {
                Lose();
                return;
            }

            Count(stream);
        }

        Close();
    }

    /// <summary>That server is to keep what it has.</summary>
    public void Touch()
    {
        if (!IsLost && _stream is null && side.TryOpen(server, out WatchedStream? stream))
        {
            WriteHead();
            stream.Stream.Write(_head);
            stream.Stream.Complete();
            side.Close(stream);
        }
    }

    /// <summary>Nothing is sent any more.</summary>
    /// <param name="isVoid">Nobody will name it.</param>
    public void Leave(bool isVoid)
    {
        if (isVoid)
        {
            _stream?.Stream.Abort(ValueWire.Void);
        }

        Close();
        IsLost = true;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<bool> OpenAsync(long patienceNanos)
    {
        if (_stream is null)
        {
            if (!side.TryOpen(server, out _stream))
            {
                IsLost = true;
                return false;
            }

            _stream.OnRest = Rest;
            WriteHead();
            (_stream.PatienceNanos, _durable) = (patienceNanos, _sent);
            if (!await ValueWire.WriteAsync(_stream, _head))
            {
                Lose();
                return false;
            }
        }

        _stream.PatienceNanos = patienceNanos;
        return true;
    }

    private void WriteHead()
    {
        WriteUInt32LittleEndian(_head, group);
        ValueWire.WriteId(_head.AsSpan(sizeof(uint)), id);
        WriteUInt32LittleEndian(_head.AsSpan(sizeof(uint) + ValueWire.IdBytes), (uint)_sent);
    }

    private void Rest()
    {
        if (_stream is { } stream)
        {
            Count(stream);
            if (_durable == _sent)
            {
                stream.Stream.Complete();
                Close();
            }
        }
    }

    private void Count(WatchedStream stream)
    {
        while (stream.Stream.Peek() is { IsEmpty: false } said)
        {
            _durable += said.Length;
            stream.Stream.Consume(said.Length);
        }
    }

    private void Lose()
    {
        IsFull = _stream!.Stream.End is { Reason: StreamEndReason.Reset, Code: ValueWire.Full };
        IsLost = true;
        Close();
    }

    private void Close()
    {
        if (_stream is { } stream)
        {
            side.Close(stream);
        }

        _stream = null;
    }
}
