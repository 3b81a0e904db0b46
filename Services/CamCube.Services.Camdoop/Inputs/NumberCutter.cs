using CamCube.Services.Camdoop.Lines;

namespace CamCube.Services.Camdoop.Inputs;

/// <summary>Cuts a file that comes in pieces into parts of so many records each. One thread at a time.</summary>
/// <param name="end">What ends a record.</param>
/// <param name="records">Records of a part; the last has fewer.</param>
internal sealed class NumberCutter(RecordEnd end, int records)
{
    private readonly EndFinder _ends = new(end);
    private readonly List<(long Offset, long Length)> _parts = [];
    private long _begin;
    private long _at;
    private int _count;
    private bool _wasReturn;

    /// <summary>Adds a piece.</summary>
    public void Add(ReadOnlySpan<byte> text)
    {
        while (!text.IsEmpty)
        {
            // LF behind CR is of the same end.
            if (_wasReturn && text[0] != (byte)'\n')
            {
                _wasReturn = false;
                AddRecord();
            }

            int behind = _wasReturn ? 1 : _ends.Find(text);
            int length = behind < 0 ? text.Length : behind;
            _at += length;
            if (behind > 0 && !_wasReturn && end.AlsoReturns && text[behind - 1] == (byte)'\r')
            {
                _wasReturn = true;
            }
            else if (behind > 0)
            {
                _wasReturn = false;
                AddRecord();
            }

            text = text[length..];
        }
    }

    /// <summary>That was all: the last record may have no end.</summary>
    public void Complete()
    {
        if (_wasReturn)
        {
            AddRecord();
        }

        Cut();
    }

    /// <summary>The parts that there are now, each once.</summary>
    public IReadOnlyList<(long Offset, long Length)> Take()
    {
        (long Offset, long Length)[] parts = [.. _parts];
        _parts.Clear();
        return parts;
    }

    private void AddRecord()
    {
        if (++_count == records)
        {
            Cut();
        }
    }

    private void Cut()
    {
        if (_at > _begin)
        {
            _parts.Add((_begin, _at - _begin));
        }

        (_begin, _count) = (_at, 0);
    }
}
