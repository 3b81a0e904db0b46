namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Makes lines of text that comes in pieces. One thread at a time.</summary>
/// <param name="most">Bytes of the longest line.</param>
/// <param name="onLine">Gets each, without its end, valid for the call.</param>
internal sealed class LineCutter(int most, LineTaker onLine)
{
    private byte[] _part = [];
    private int _length;

    /// <summary>What is wrong; null: nothing. Nothing is taken any more.</summary>
    public string? Wrong { get; private set; }

    /// <summary>Adds a piece.</summary>
    public void Add(ReadOnlySpan<byte> text)
    {
        while (!text.IsEmpty && Wrong is null)
        {
            int end = text.IndexOf((byte)'\n');
            ReadOnlySpan<byte> line = end < 0 ? text : text[..end];
            if (end < 0 || _length > 0)
            {
                Keep(line);
                line = _part.AsSpan(0, _length);
            }

            if (end < 0)
            {
                return;
            }

            _length = 0;
            onLine(line);
            text = text[(end + 1)..];
        }
    }

    /// <summary>The last line may have no end.</summary>
    public void Complete()
    {
        if (_length > 0 && Wrong is null)
        {
            int length = _length;
            _length = 0;
            onLine(_part.AsSpan(0, length));
        }
    }

    private void Keep(ReadOnlySpan<byte> more)
    {
        if ((long)_length + more.Length > most)
        {
            Wrong =
                $"a line has more than {most:N0} bytes, the most that a pair may have "
                + "(CamCube:Services:camdoop:MostRecord)";
            _length = 0;
            return;
        }

        if (_part.Length - _length < more.Length)
        {
            Array.Resize(ref _part, Math.Max(256, 2 * (_length + more.Length)));
        }

        more.CopyTo(_part.AsSpan(_length));
        _length += more.Length;
    }
}
