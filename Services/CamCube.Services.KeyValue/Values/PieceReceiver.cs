using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Takes pieces of one value from its writer to the disk, and says of each when it is there. Loop
/// only.</summary>
internal sealed class PieceReceiver(IServer server, MemberPieces pieces, ValueStreams streams, ReliableStream stream)
{
    // Between two pieces a writer may take as long as its client.
    private static readonly TimeSpan InPiece = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private static readonly byte[] One = [1];
    private readonly WatchedStream _watched = streams.Watch(stream, InPiece);
    private readonly byte[] _head = new byte[ValueWire.HeadBytes];
    private int _first;
    private int _number;
    private int _durable;
    private int _said;
    private bool _isOver;

    public async ValueTask RunAsync()
    {
        PieceId? begun = null;
        PieceKeeper keeper = pieces.Keeper;
        try
        {
            if (await ValueWire.ReadAsync(stream, _head))
            {
                PieceId? id = ValueWire.ReadId(_head.AsSpan(sizeof(uint)));
                _first = (int)(ReadUInt32LittleEndian(_head.AsSpan(sizeof(uint) + ValueWire.IdBytes)) & int.MaxValue);
                uint group = ReadUInt32LittleEndian(_head);
                if (!pieces.IsHere(group))
                {
                    stream.Abort(ValueWire.Away);
                    return;
                }

                keeper = pieces.KeeperOf(group);
                keeper.Begin(id.Value);
                begun = id;
                await TakeAllAsync(group, id.Value);
            }
        }
        finally
        {
            _isOver = true;
            bool isVoid = stream.End is { Reason: StreamEndReason.Reset, Code: ValueWire.Void };
            streams.Close(_watched);
            if (begun is { } held)
            {
                keeper.End(held, isVoid);
            }
        }
    }

    private async ValueTask TakeAllAsync(uint group, PieceId id)
    {
        Memory<byte> number = _head.AsMemory(0, ValueWire.NumberBytes);
        while (await ValueWire.ReadAsync(stream, number))
        {
            uint length = ReadUInt32LittleEndian(_head);
            if (
                length is 0 or > PieceList.PieceBytes
                || _first + (long)_number >= PieceList.CountOf(PieceList.MostBytes)
            )
            {
                stream.Abort(ValueWire.Wrong);
                return;
            }

            if (!await TakeAsync(group, id, (int)length))
            {
                return;
            }
        }

        while (_said < _number && !stream.End.HasEnded && await server.DelayAsync(Pause))
        {
            Say();
        }

        stream.Complete();
        if (!stream.IsAtEnd)
        {
            return;
        }

        // What was said is on its way.
        while (stream.Acknowledged < stream.Written && !stream.End.HasEnded && await server.DelayAsync(Pause)) { }
    }

    private async ValueTask<bool> TakeAsync(uint group, PieceId id, int length)
    {
        if (await streams.Incoming.TakeAsync() is not { } slot)
        {
            return false;
        }

        try
        {
            _watched.Wait();
            bool isHere = await ValueWire.ReadAsync(stream, slot.AsMemory(0, length));
            _watched.Go();
            var piece = new PieceWrite(id, _first + _number, Written);
            LogAnswer answer = LogAnswer.Busy;
            while (isHere && (answer = pieces.Write(group, piece, slot.AsSpan(0, length))) == LogAnswer.Busy)
            {
                isHere = await server.DelayAsync(Pause);
            }

            if (!isHere || answer != LogAnswer.Taken)
            {
                stream.Abort(answer == LogAnswer.Full ? ValueWire.Full : ValueWire.Away);
                return false;
            }

            _number++;
            return true;
        }
        finally
        {
            streams.Incoming.Give(slot);
        }
    }

    private void Written()
    {
        _durable++;
        Say();
    }

    private void Say()
    {
        while (!_isOver && _said < _durable && stream.Write(One) == 1)
        {
            _said++;
        }
    }
}
