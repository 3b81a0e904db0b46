using System.Runtime.CompilerServices;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// A line cut at its spaces: the first eight words, the last one, and how many there are. As memcached it stops at 23
/// words.
/// </summary>
internal ref struct TextTokens
{
    private const int MaxKept = 8;
    private const int MaxWords = 23;

    private readonly ReadOnlySpan<byte> _line;
    private Places _places;
    private (int Start, int Length) _last;

    /// <summary>Cuts a line.</summary>
    public TextTokens(ReadOnlySpan<byte> line)
    {
        _line = line;
        int next = 0;
        while (Count < MaxWords && TryNext(line, ref next, out int start))
        {
            _last = (start, next - start);
            if (Count < MaxKept)
            {
                _places[Count] = _last;
            }

            Count++;
        }
    }

    /// <summary>Words in the line.</summary>
    public int Count { get; private set; }

    /// <summary>The last word; empty if there is none.</summary>
    public readonly ReadOnlySpan<byte> Last => _line.Slice(_last.Start, _last.Length);

    /// <summary>One of the first eight words; empty if there are fewer.</summary>
    public readonly ReadOnlySpan<byte> this[int index] => _line.Slice(_places[index].Start, _places[index].Length);

    /// <summary>Finds the next word from <paramref name="next"/> on and moves it behind the word.</summary>
    public static bool TryNext(ReadOnlySpan<byte> line, ref int next, out int start)
    {
        start = next;
        while (start < line.Length && line[start] == ' ')
        {
            start++;
        }

        if (start == line.Length)
        {
            next = start;
            return false;
        }

        int length = line[start..].IndexOf((byte)' ');
        next = length < 0 ? line.Length : start + length;
        return true;
    }

    [InlineArray(MaxKept)]
    private struct Places
    {
        private (int Start, int Length) _first;
    }
}
