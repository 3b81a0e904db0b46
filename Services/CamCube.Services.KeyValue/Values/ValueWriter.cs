using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Values;

/// <summary>
/// Writes a value: a short one as a whole; of a longer one each piece goes to all servers that should have the key as
/// soon as it is complete, and what the entry names at the end is on the disk of one of them at least. Who fails or
/// stands still is left out, and fetches the pieces when the entry comes to it. Loop only.
/// </summary>
internal sealed class ValueWriter(ValueSide side, KeyValueKey key, PieceId id) : IKeyValueWriter
{
    private readonly List<uint> _sums = [];
    private readonly byte[] _head = new byte[sizeof(uint) + ValueWire.IdBytes];
    private byte[]? _piece;
    private int _filled;
    private List<WatchedStream>? _lanes;
    private KeyValueStatus _status;
    private bool _isFull;
    private bool _isAsked;
    private bool _isEnded;

    /// <inheritdoc/>
    public long Length { get; private set; }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<KeyValueStatus> WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        if (_status == KeyValueStatus.Done)
        {
            _status = side.Check(key, Length + bytes.Length);
        }

        if (_status == KeyValueStatus.Done && _piece is null && !side.TryBegin(out _piece))
        {
            _status = KeyValueStatus.Unavailable;
        }

        while (_status == KeyValueStatus.Done && bytes.Length > 0)
        {
            // One that is full goes when more comes: so the last one has at least a byte, and a short value none goes.
            if (_filled == PieceList.PieceBytes && !await SendAsync())
            {
                break;
            }

            int count = Math.Min(bytes.Length, PieceList.PieceBytes - _filled);
            bytes[..count].CopyTo(_piece.AsMemory(_filled));
            (bytes, _filled, Length) = (bytes[count..], _filled + count, Length + count);
        }

        return _status;
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> CommitAsync(KeyValuePut put)
    {
        if (_status == KeyValueStatus.Done)
        {
            _status = side.Check(key, Length);
        }

        if (_status == KeyValueStatus.Done && Length <= ValueSide.MostInEntry)
        {
            return await side.PutAsync(key, _piece.AsMemory(0, _filled), put);
        }

        if (_status != KeyValueStatus.Done || !await EndAsync())
        {
            return new KeyValueAnswer(_status);
        }

        _isAsked = true;
        return await side.NameAsync(key, new PieceList(id, Length, _sums), put);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (WatchedStream lane in _lanes ?? [])
        {
            if (!_isAsked)
            {
                lane.Stream.Abort(ValueWire.Void);
            }

            side.Close(lane);
        }

        _lanes = [];
        _status = KeyValueStatus.Unavailable;
        side.End(ref _piece);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> SendAsync()
    {
        if (_lanes is null)
        {
            _lanes = side.Open(key, out uint group);
            WriteUInt32LittleEndian(_head, group);
            ValueWire.WriteId(_head.AsSpan(sizeof(uint)), id);
            await SendAsync(_head);
        }

        _sums.Add(PieceList.SumOf(_piece.AsSpan(0, _filled)));
        byte[] number = new byte[ValueWire.NumberBytes];
        WriteUInt32LittleEndian(number, (uint)_filled);
        await SendAsync(number);
        await SendAsync(_piece.AsMemory(0, _filled));
        _filled = 0;
        return HasLane();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        for (int i = _lanes!.Count - 1; i >= 0; i--)
        {
            WatchedStream lane = _lanes[i];
            lane.PatienceNanos = side.PatienceFor(_lanes.Count);
            if (!await ValueWire.WriteAsync(lane, bytes))
            {
                Leave(i);
            }
        }
    }

    // All that was written is on the disks of those who are left.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> EndAsync()
    {
        if (_isEnded)
        {
            return HasLane();
        }

        _isEnded = true;
        if (!await SendAsync())
        {
            return false;
        }

        byte[] said = new byte[_sums.Count];
        foreach (WatchedStream lane in _lanes!)
        {
            lane.Stream.Complete();
        }

        for (int i = _lanes.Count - 1; i >= 0; i--)
        {
            WatchedStream lane = _lanes[i];
            lane.PatienceNanos = side.PatienceFor(_lanes.Count);
            lane.Wait();
            bool isSaid = await ValueWire.ReadAsync(lane.Stream, said);
            lane.Go();
            if (!isSaid)
            {
                Leave(i);
            }
        }

        return HasLane();
    }

    private void Leave(int lane)
    {
        WatchedStream left = _lanes![lane];
        _isFull |= left.Stream.End is { Reason: StreamEndReason.Reset, Code: ValueWire.Full };
        _lanes.RemoveAt(lane);
        side.Close(left);
    }

    private bool HasLane()
    {
        // Without room at one of them the entry would wait for that one.
        _status =
            _isFull ? KeyValueStatus.Full
            : _lanes!.Count == 0 ? KeyValueStatus.Unavailable
            : KeyValueStatus.Done;
        return _status == KeyValueStatus.Done;
    }
}
