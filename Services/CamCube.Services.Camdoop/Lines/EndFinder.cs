namespace CamCube.Services.Camdoop.Lines;

/// <summary>Finds ends of records in text that comes in pieces: the first from where it began, then the first behind
/// that one, as they do not overlap. One thread at a time.</summary>
internal sealed class EndFinder
{
    private readonly byte[] _end;
    private readonly bool _alsoReturns;

    // How many bytes of an end are one again, of which the next byte is not the end's next.
    private readonly int[] _falls;
    private int _matched;

    /// <summary>A finder.</summary>
    /// <param name="end">What ends a record.</param>
    public EndFinder(RecordEnd end)
    {
        (_end, _alsoReturns) = (end.Bytes, end.AlsoReturns);
        _falls = new int[_end.Length];
        for (int i = 1, matched = 0; i < _end.Length; i++)
        {
            while (matched > 0 && _end[i] != _end[matched])
            {
                matched = _falls[matched - 1];
            }

            matched += _end[i] == _end[matched] ? 1 : 0;
            _falls[i] = matched;
        }
    }

    /// <summary>Goes on to the next end. Of CR LF it is behind CR.</summary>
    /// <param name="text">What follows what it was given before, or, after it has found one, what is behind
    /// that.</param>
    /// <returns>Bytes up to the end and with it; -1: all of them are before it.</returns>
    public int Find(ReadOnlySpan<byte> text)
    {
        if (_end.Length == 1)
        {
            return (_alsoReturns ? text.IndexOfAny((byte)'\r', _end[0]) : text.IndexOf(_end[0])) is >= 0 and int at
                ? at + 1
                : -1;
        }

        for (int i = 0; i < text.Length; i++)
        {
            while (_matched > 0 && text[i] != _end[_matched])
            {
                _matched = _falls[_matched - 1];
            }

            _matched += text[i] == _end[_matched] ? 1 : 0;
            if (_matched == _end.Length)
            {
                _matched = 0;
                return i + 1;
            }

            // What is certainly no begin of one is passed over at once.
            if (_matched == 0)
            {
                int next = text[(i + 1)..].IndexOf(_end[0]);
                if (next < 0)
                {
                    return -1;
                }

                i += next;
            }
        }

        return -1;
    }
}
