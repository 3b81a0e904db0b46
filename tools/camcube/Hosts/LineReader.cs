using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>Lines of a stream one after the other, of which it is known where each begins; so one may be gone back to
/// if the stream can seek. A line that is not ended is none.</summary>
/// <param name="stream">The stream.</param>
internal sealed class LineReader(Stream stream)
{
    // The longest of an export: a key of which each byte is escaped, with its value.
    private const int Longest = 2 << 20;
    private byte[] _bytes = new byte[512 << 10];
    private int _from;
    private int _to;

    /// <summary>Where the next line begins.</summary>
    public long Position { get; private set; }

    /// <summary>Lines that were read.</summary>
    public long Number { get; private set; }

    /// <summary>Whether it may be gone back.</summary>
    public bool CanGoBack => stream.CanSeek;

    /// <summary>Goes back to where a line begins.</summary>
    /// <param name="position">As <see cref="Position"/> said it.</param>
    /// <param name="number">As <see cref="Number"/> said it there.</param>
    public void GoBack(long position, long number)
    {
        stream.Position = position;
        (Position, Number, _from, _to) = (position, number, 0, 0);
    }

    /// <summary>The next line, until another is read; null: there is none.</summary>
    public async Task<ReadOnlyMemory<byte>?> ReadAsync(CancellationToken cancel)
    {
        int seen = 0;
        while (true)
        {
            int end = _bytes.AsSpan(_from + seen, _to - _from - seen).IndexOf((byte)'\n');
            if (end >= 0)
            {
                Memory<byte> line = _bytes.AsMemory(_from, seen + end);
                (_from, Position, Number) = (_from + line.Length + 1, Position + line.Length + 1, Number + 1);
                return line;
            }

            seen = _to - _from;
            if (seen > Longest)
            {
                throw new ToolException(ExitCode.Usage, $"line {Number + 1} is longer than any of an export.");
            }

            if (_from > 0)
            {
                _bytes.AsSpan(_from, seen).CopyTo(_bytes);
                (_from, _to) = (0, seen);
            }

            if (_to == _bytes.Length)
            {
                Array.Resize(ref _bytes, 2 * _bytes.Length);
            }

            int read = await stream.ReadAsync(_bytes.AsMemory(_to), cancel);
            if (read == 0)
            {
                return null;
            }

            _to += read;
        }
    }
}
