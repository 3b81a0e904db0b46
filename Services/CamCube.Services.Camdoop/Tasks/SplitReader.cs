using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>The lines that begin in a part of a file, in pieces of text: each line once, whichever parts the file is
/// cut into. A line ends at LF, CR or CR LF, or at LF only; in what it gives at LF, and so does the last. Loop
/// only.</summary>
internal sealed class SplitReader : IDisposable
{
    private readonly IFileReader _reader;
    private readonly long _end;
    private readonly bool _endsAtLineFeedOnly;
    private long _at;
    private bool _isSkipping;
    private bool _isOver;
    private byte _last = (byte)'\n';
    private bool _wasReturn;
    private byte[] _changed = [];

    private SplitReader(IFileReader reader, Split split, bool endsAtLineFeedOnly)
    {
        (_reader, _end, _endsAtLineFeedOnly) = (reader, split.Offset + split.Length, endsAtLineFeedOnly);

        // The line that ends with the byte before it is the one before.
        _at = Math.Max(0, split.Offset - 1);
        _isSkipping = split.Offset > 0;
        if (reader.Answer is { Status: FileStatus.Done, Entry: { IsDirectory: false } entry })
        {
            reader.Select(_at, entry.Length - _at);
        }
    }

    /// <summary>Bytes that were read.</summary>
    public long Bytes { get; private set; }

    /// <summary>Opens a part of a file.</summary>
    public static async ValueTask<SplitReader> OpenAsync(IFiles files, Split split, bool endsAtLineFeedOnly) =>
        new(await files.OpenReadAsync(split.Path), split, endsAtLineFeedOnly);

    /// <summary>The next piece; empty: that was all. Cut anywhere; valid until the next call.</summary>
    public async ValueTask<FilePart> ReadAsync()
    {
        if (_reader.Answer.Status != FileStatus.Done || _reader.Answer.Entry is { IsDirectory: true })
        {
            FileStatus status = _reader.Answer.Status;
            return new FilePart(status == FileStatus.Done ? FileStatus.IsDirectory : status, default);
        }

        while (!_isOver)
        {
            FilePart part = await _reader.ReadAsync();
            if (part.Status != FileStatus.Done)
            {
                return part;
            }

            Bytes += part.Bytes.Length;
            ReadOnlyMemory<byte> bytes = Cut(part.Bytes);
            bytes = _endsAtLineFeedOnly ? bytes : WithoutReturns(bytes);
            if (!bytes.IsEmpty)
            {
                _last = bytes.Span[^1];
                return new FilePart(FileStatus.Done, bytes);
            }
        }

        // The last line of a file may have no end.
        bool needsEnd = _last != (byte)'\n';
        _last = (byte)'\n';
        return new FilePart(FileStatus.Done, needsEnd ? "\n"u8.ToArray() : default);
    }

    /// <inheritdoc/>
    public void Dispose() => _reader.Dispose();

    // What of the next bytes belongs to the part's lines.
    private ReadOnlyMemory<byte> Cut(ReadOnlyMemory<byte> bytes)
    {
        long begin = _at;
        _at += bytes.Length;
        if (bytes.IsEmpty)
        {
            _isOver = true;
            return default;
        }

        int from = 0;
        if (_isSkipping)
        {
            int feed = bytes.Span.IndexOf((byte)'\n');
            from = feed < 0 ? bytes.Length : feed + 1;
            _isSkipping = feed < 0;

            // No line begins in the part, or none that has not been told of.
            if (begin + from >= _end)
            {
                _isOver = true;
                return default;
            }

            if (_isSkipping)
            {
                return default;
            }
        }

        if (_at < _end)
        {
            return bytes[from..];
        }

        // The line that has the part's last byte goes on to its end.
        int last = (int)Math.Max(0, _end - 1 - begin);
        int end = bytes.Span[last..].IndexOf((byte)'\n');
        _isOver = end >= 0;
        return end < 0 ? bytes[from..] : bytes[from..(last + end + 1)];
    }

    private ReadOnlyMemory<byte> WithoutReturns(ReadOnlyMemory<byte> bytes)
    {
        ReadOnlySpan<byte> from = bytes.Span;
        if (from.IsEmpty || (!_wasReturn && from.IndexOf((byte)'\r') < 0))
        {
            return bytes;
        }

        if (_changed.Length < from.Length)
        {
            _changed = new byte[from.Length];
        }

        int length = 0;
        foreach (byte one in from)
        {
            // LF behind CR is of the same end.
            if (one != (byte)'\n' || !_wasReturn)
            {
                _changed[length++] = one == (byte)'\r' ? (byte)'\n' : one;
            }

            _wasReturn = one == (byte)'\r';
        }

        return _changed.AsMemory(0, length);
    }
}
