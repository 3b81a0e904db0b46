using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Values;

/// <summary>
/// Writes a value: a short one as a whole; of a longer one each piece goes to all servers that should have the key as
/// soon as it is complete, and what the entry names at the end is on the disk of one of them at least. Who fails or
/// stands still is left out, and fetches the pieces when the entry comes to it. Loop only.
/// </summary>
internal sealed class ValueWriter(ValueSide side, KeyValueKey key, PieceId id) : IKeyValueWriter
{
    private readonly List<uint> _sums = [];
    private byte[]? _piece;
    private int _filled;
    private List<ValueLane>? _lanes;
    private KeyValueStatus _status;
    private long _touchedNanos;
    private bool _isAsked;
    private bool _isEnded;

    /// <inheritdoc/>
    public long Length { get; private set; }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
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
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
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
        foreach (ValueLane lane in _lanes ?? [])
        {
            lane.Leave(isVoid: !_isAsked);
        }

        side.Left(this);
        _lanes = [];
        _status = KeyValueStatus.Unavailable;
        if (_piece is { } piece)
        {
            side.End(piece);
        }

        _piece = null;
    }

    /// <summary>Nothing was written for long: the servers are to keep what they have.</summary>
    /// <param name="before">Since before this time.</param>
    public void Touch(long before)
    {
        if (_touchedNanos < before && !_isAsked)
        {
            _touchedNanos = side.NowNanos;
            _lanes?.ForEach(static lane => lane.Touch());
        }
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<bool> SendAsync()
    {
        if (_lanes is null && !await side.HasMajorityAsync(key))
        {
            _status = KeyValueStatus.Unavailable;
            return false;
        }

        _lanes ??= side.Open(this, key, id);
        _sums.Add(PieceList.SumOf(_piece.AsSpan(0, _filled)));
        foreach (ValueLane lane in _lanes)
        {
            await lane.SendAsync(_piece.AsMemory(0, _filled), Patience());
        }

        (_filled, _touchedNanos) = (0, side.NowNanos);
        return HasLane();
    }

    // All that was written is on the disks of those who are left.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
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

        foreach (ValueLane lane in _lanes!)
        {
            await lane.EndAsync(Patience());
        }

        return HasLane();
    }

    private long Patience() => side.PatienceFor(_lanes!.Count(static lane => !lane.IsLost));

    private bool HasLane()
    {
        // Without room at one of them the entry would wait for that one.
        _status =
            _lanes!.Exists(static lane => lane.IsFull) ? KeyValueStatus.Full
            : _lanes.TrueForAll(static lane => lane.IsLost) ? KeyValueStatus.Unavailable
            : KeyValueStatus.Done;
        return _status == KeyValueStatus.Done;
    }
}
