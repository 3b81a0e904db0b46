namespace CamCube.Workers;

/// <summary>A program's standard error: the end of it, and its lines one by one. Its memory is bounded, whatever comes.
/// One thread.</summary>
/// <param name="limit">Bytes that are kept.</param>
/// <param name="onLine">Gets each line; null: nobody wants them.</param>
internal sealed class ErrorTail(int limit, Action<ReadOnlyMemory<byte>>? onLine)
{
    private const int MaxLine = 4 << 10;
    private readonly byte[] _line = onLine is null ? [] : new byte[MaxLine];
    private Action<ReadOnlyMemory<byte>>? _onLine = onLine;
    private byte[] _kept = [];
    private int _at;
    private int _length;
    private bool _isInLine;

    /// <summary>All that came.</summary>
    public long Bytes { get; private set; }

    /// <summary>Lines that came.</summary>
    public long Lines { get; private set; }

    /// <summary>More of it came.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        Bytes += bytes.Length;
        Keep(bytes);
        while (!bytes.IsEmpty)
        {
            int end = bytes.IndexOf((byte)'\n');
            AddToLine(end < 0 ? bytes : bytes[..end]);
            _isInLine = true;
            if (end < 0)
            {
                return;
            }

            Flush();
            bytes = bytes[(end + 1)..];
        }
    }

    /// <summary>No more comes: what is there is a line.</summary>
    public void Flush()
    {
        if (!_isInLine)
        {
            return;
        }

        Lines++;
        try
        {
            _onLine?.Invoke(_line.AsMemory(0, _length));
        }
        catch (Exception)
        {
            // A caller's fault costs the caller its lines, not the program its thread.
            _onLine = null;
        }

        (_length, _isInLine) = (0, false);
    }

    /// <summary>A copy of what is kept.</summary>
    public byte[] Copy()
    {
        // Once all of it is written the oldest byte is the next to be written over.
        int have = (int)Math.Min(Bytes, _kept.Length);
        byte[] copy = new byte[have];
        int first = have < _kept.Length ? 0 : _at;
        _kept.AsSpan(first, have - first).CopyTo(copy);
        _kept.AsSpan(0, first).CopyTo(copy.AsSpan(have - first));
        return copy;
    }

    private void AddToLine(ReadOnlySpan<byte> bytes)
    {
        if (_onLine is not null)
        {
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, MaxLine - _length)];
            part.CopyTo(_line.AsSpan(_length));
            _length += part.Length;
        }
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        if (limit == 0)
        {
            return;
        }

        if (_kept.Length == 0 && !bytes.IsEmpty)
        {
            // Most programs say nothing.
            _kept = new byte[limit];
        }

        bytes = bytes[Math.Max(bytes.Length - limit, 0)..];
        int first = Math.Min(bytes.Length, limit - _at);
        bytes[..first].CopyTo(_kept.AsSpan(_at));
        bytes[first..].CopyTo(_kept);
        _at = (_at + bytes.Length) % limit;
    }
}
