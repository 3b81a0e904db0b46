using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Requests;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Reads a value: out of what was said, or its pieces, from this server's disk if they lie there, else from a
/// server that has them, and from another if that one fails. Loop only.</summary>
internal sealed class ValueReader : IKeyValueReader
{
    // Asked ahead for a client that keeps up; for one that does not, nothing is.
    private const int MostAhead = 4;
    private readonly ValueSide _side;
    private readonly AttemptReply _said;
    private readonly PieceList? _list;
    private readonly Coordinate[] _sources;
    private OwnPieces? _own;
    private PieceAsker? _asker;
    private byte[]? _buffer;
    private ReadOnlyMemory<byte> _piece;
    private bool _hasBegun;
    private long _at;
    private long _end;
    private int _turns;
    private int _window = 1;
    private long _lentNanos;

    public ValueReader(ValueSide side, in AttemptReply said, PieceList? list, Coordinate[] sources)
    {
        (_side, _said, _list, _sources) = (side, said, list, sources);
        _end = said.Answer.Status == KeyValueStatus.Done ? said.Answer.Length : 0;
    }

    /// <summary>When all of it must be read; 0: each part has a time of its own.</summary>
    public long UntilNanos { get; set; }

    /// <inheritdoc/>
    public KeyValueAnswer Answer => _said.Answer;

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> Metadata => _said.Metadata;

    /// <inheritdoc/>
    public void Select(long from, long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(from);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        long whole = Answer.Status == KeyValueStatus.Done ? Answer.Length : 0;
        _at = Math.Min(from, whole);
        _end = _at + Math.Min(length, whole - _at);
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValuePart> ReadAsync()
    {
        if (Answer.Status != KeyValueStatus.Done || _at >= _end)
        {
            return new KeyValuePart(Answer.Status, default);
        }

        if (_list is null)
        {
            ReadOnlyMemory<byte> rest = _said.Value[(int)_at..(int)_end];
            _at = _end;
            return new KeyValuePart(KeyValueStatus.Done, rest);
        }

        if (!TryBegin())
        {
            return new KeyValuePart(KeyValueStatus.Unavailable, default);
        }

        // A client that is slow has one piece in memory; one that keeps up has the next ones on their way.
        _window = _side.IsSoon(_lentNanos) ? Math.Min(MostAhead, _window + 1) : 1;
        int number = (int)(_at / PieceList.PieceBytes),
            last = (int)((_end - 1) / PieceList.PieceBytes);
        if (!await GetAsync(number, last))
        {
            return new KeyValuePart(KeyValueStatus.Unavailable, default);
        }

        long begin = (long)number * PieceList.PieceBytes;
        int skip = (int)(_at - begin),
            to = (int)(Math.Min(_end, begin + _list.LengthOf(number)) - begin);
        (_at, _lentNanos) = (begin + to, _side.NowNanos);
        return new KeyValuePart(KeyValueStatus.Done, _piece[skip..to]);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        LeaveOwn();
        _asker?.Dispose();
        _asker = null;
        if (_buffer is { } buffer)
        {
            _side.End(buffer);
        }

        _buffer = null;
    }

    // What lies here needs nobody else.
    private bool TryBegin()
    {
        if (_own is not null || _buffer is not null)
        {
            return true;
        }

        if (!_side.TryBegin(out byte[]? buffer))
        {
            return false;
        }

        _own = _hasBegun ? null : _side.Own(_list!);
        _hasBegun = true;
        _own?.Begin(buffer);
        _buffer = _own is null ? buffer : null;
        return true;
    }

    private void LeaveOwn()
    {
        _own?.Dispose();
        _own = null;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<bool> GetAsync(int number, int last)
    {
        if (_own is { } own)
        {
            _piece = await own.GetAsync(number, last, _window > 1, _side.Patience);
            if (!_piece.IsEmpty)
            {
                return true;
            }

            // All that follow come from elsewhere, too: what fails once is not tried for each.
            LeaveOwn();
            if (!TryBegin())
            {
                return false;
            }
        }

        long until = UntilNanos != 0 ? UntilNanos : _side.UntilNanos;
        for (int tries = 1; ; tries++)
        {
            if (_asker is { } open && !open.IsAt(number))
            {
                open.Dispose();
                _asker = null;
            }

            _asker ??= _side.Ask(_sources[_turns % _sources.Length], _list!, until, Rest);
            if (_asker is { } asker && await asker.GetAsync(number, last, _window, _buffer))
            {
                _piece = _buffer.AsMemory(0, _list!.LengthOf(number));
                return true;
            }

            // It went, or has it no more.
            _asker?.Dispose();
            _asker = null;
            _turns++;
            if (_side.NowNanos >= until || (tries % _sources.Length == 0 && !await _side.PauseAsync()))
            {
                return false;
            }
        }
    }

    // Whose client rests has no stream.
    private void Rest()
    {
        _asker?.Dispose();
        _asker = null;
    }
}
