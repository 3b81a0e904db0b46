namespace CamCube.Services.Camdoop.Lines;

/// <summary>Makes lines of text that comes in pieces, or records that end otherwise. One thread at a time.</summary>
/// <param name="most">Bytes of the longest line.</param>
/// <param name="onLine">Gets each, without its end, valid for the call.</param>
/// <param name="end">What ends one; null: LF.</param>
internal sealed class LineCutter(int most, LineTaker onLine, RecordEnd? end = null)
{
    private readonly RecordEnd _end = end ?? RecordEnd.LineFeed;
    private readonly EndFinder _ends = new(end ?? RecordEnd.LineFeed);
    private byte[] _part = [];
    private int _length;
    private bool _wasReturn;

    /// <summary>What is wrong; null: nothing. Nothing is taken any more.</summary>
    public string? Wrong { get; private set; }

    /// <summary>Bytes before the line that is given, or comes next.</summary>
    public long Begin { get; set; }

    /// <summary>Lines that were given.</summary>
    public long Lines { get; private set; }

    /// <summary>Adds a piece.</summary>
    public void Add(ReadOnlySpan<byte> text)
    {
        while (!text.IsEmpty && Wrong is null)
        {
            // LF behind CR is of the same end.
            if (_wasReturn && text[0] == (byte)'\n')
            {
                Begin++;
                text = text[1..];
                _wasReturn = false;
                continue;
            }

            _wasReturn = false;
            int behind = _ends.Find(text);
            ReadOnlySpan<byte> piece = behind < 0 ? text : text[..behind];
            if (behind < 0 || _length > 0)
            {
                Keep(piece);
                piece = _part.AsSpan(0, _length);
            }

            if (behind < 0 || Wrong is not null)
            {
                return;
            }

            _length = 0;
            _wasReturn = _end.AlsoReturns && piece[^1] == (byte)'\r';
            Give(piece[..^_end.Bytes.Length], piece.Length);
            text = text[behind..];
        }
    }

    /// <summary>The last line may have no end.</summary>
    public void Complete()
    {
        if (_length > 0 && Wrong is null)
        {
            int length = _length;
            _length = 0;
            Give(_part.AsSpan(0, length), length);
        }
    }

    private void Give(ReadOnlySpan<byte> line, int length)
    {
        Lines++;
        onLine(line);
        Begin += length;
    }

    private void Keep(ReadOnlySpan<byte> more)
    {
        if ((long)_length + more.Length > (long)most + _end.Bytes.Length)
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
