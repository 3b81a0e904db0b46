using CamCube.Shim.Switch.Format;

namespace CamCube.Shim.Switch.Connections;

/// <summary>
/// Bytes that wait for one server: a greeting, then records. Grows up to what its users promise not to exceed
/// (<see cref="IsFull"/> before each record, and a record for each link beyond). Loop only.
/// </summary>
/// <param name="limit">Bytes from which it is full.</param>
internal sealed class SendQueue(int limit)
{
    private const int FirstBytes = 64 << 10;
    private byte[] _bytes = [];
    private int _start;
    private int _end;

    // What is left of the record, or of the greeting, at the start.
    private int _headLeft;

    public int Count => _end - _start;

    public bool IsFull => Count >= limit;

    public bool IsHalfEmpty => Count <= limit / 2;

    /// <summary>What waits, oldest first.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(_start.._end);

    /// <summary>Forgets everything and waits for the next connection with a greeting, whose bytes the caller
    /// fills.</summary>
    public Span<byte> Begin(int greeting)
    {
        (_start, _end) = (0, 0);
        Rent(greeting);
        _headLeft = _end = greeting;
        return _bytes.AsSpan(0, greeting);
    }

    /// <summary>Room behind what waits; valid until the next call.</summary>
    public Span<byte> Rent(int most)
    {
        if (_bytes.Length - _end < most)
        {
            byte[] into =
                Count + most > _bytes.Length / 2 ? new byte[Math.Max(FirstBytes, 2 * (Count + most))] : _bytes;
            _bytes.AsSpan(_start.._end).CopyTo(into);
            (_bytes, _start, _end) = (into, 0, _end - _start);
        }

        return _bytes.AsSpan(_end, most);
    }

    /// <summary>So many of the rented bytes wait, too: whole records.</summary>
    public void Commit(int count) => _end += count;

    /// <summary>The oldest have left.</summary>
    public void Release(int count)
    {
        while (count > 0)
        {
            if (_headLeft == 0)
            {
                _headLeft = RecordFormat.LengthOf(_bytes.AsSpan(_start));
            }

            int part = Math.Min(count, _headLeft);
            (_start, _headLeft, count) = (_start + part, _headLeft - part, count - part);
        }

        if (_start == _end)
        {
            (_start, _end) = (0, 0);
        }
    }

    /// <summary>Forgets everything; the frames that are lost.</summary>
    public int Clear()
    {
        int lost = 0;
        for (int at = _start + _headLeft; at < _end; at += RecordFormat.LengthOf(_bytes.AsSpan(at)))
        {
            lost += RecordFormat.LengthOf(_bytes.AsSpan(at)) > RecordFormat.Header ? 1 : 0;
        }

        (_start, _end, _headLeft) = (0, 0, 0);
        return lost;
    }
}
