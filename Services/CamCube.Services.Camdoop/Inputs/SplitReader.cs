using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Inputs;

/// <summary>The records that begin in a part of a file, in pieces of text: each once, whichever parts the file is cut
/// into. Where lines end at CR or CR LF, too, they end at LF in what it gives, and so does the last. Loop
/// only.</summary>
internal sealed class SplitReader : IDisposable
{
    private readonly IFileReader _reader;
    private readonly EndFinder _ends;
    private readonly long _end;
    private readonly int _endLength;
    private readonly bool _isExact;
    private readonly bool _changesReturns;
    private readonly bool _endsLast;
    private long _at;
    private bool _isSkipping;
    private bool _isOver;
    private byte _last = (byte)'\n';
    private bool _wasReturn;
    private byte[] _changed = [];

    private SplitReader(IFileReader reader, Split split, RecordEnd end, bool keepsEnds)
    {
        (_reader, _end, _endLength) = (reader, split.Offset + split.Length, end.Bytes.Length);
        _ends = new EndFinder(end with { AlsoReturns = false });
        _isExact = split.IsExact || split.IsPacked;
        _changesReturns = end.AlsoReturns && !keepsEnds;
        _endsLast = !end.IsOwn && !keepsEnds;

        // A record that ends with the byte before it is one before.
        _at = _isExact ? split.Offset : Math.Max(0, split.Offset - _endLength);
        _isSkipping = !_isExact && split.Offset > 0;
        if (!split.IsPacked && reader.Answer is { Status: FileStatus.Done, Entry: { IsDirectory: false } entry })
        {
            reader.Select(_at, (_isExact ? Math.Min(_end, entry.Length) : entry.Length) - _at);
        }
    }

    /// <summary>Bytes of the file, or of what was packed in it, before the piece that was read last.</summary>
    public long Offset { get; private set; }

    /// <summary>What is wrong with the file's bytes, in words that follow its name; null: nothing.</summary>
    public string? Wrong => (_reader as GzipFileReader)?.Wrong;

    /// <summary>Opens a part of a file.</summary>
    /// <param name="server">The server.</param>
    /// <param name="files">Has it.</param>
    /// <param name="split">The part.</param>
    /// <param name="end">What ends a record.</param>
    /// <param name="keepsEnds">All bytes come as they are.</param>
    public static async ValueTask<SplitReader> OpenAsync(
        IServer server,
        IFiles files,
        Split split,
        RecordEnd end,
        bool keepsEnds = false
    )
    {
        IFileReader reader = await files.OpenReadAsync(split.Path);
        reader = split.IsPacked ? new GzipFileReader(server, reader) : reader;
        return new SplitReader(reader, split, end, keepsEnds);
    }

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

            ReadOnlyMemory<byte> bytes = Cut(part.Bytes);
            bytes = _changesReturns ? WithoutReturns(bytes) : bytes;
            if (!bytes.IsEmpty)
            {
                _last = bytes.Span[^1];
                return new FilePart(FileStatus.Done, bytes);
            }
        }

        // The last line of a file may have no end.
        bool needsEnd = _endsLast && _last != (byte)'\n';
        _last = (byte)'\n';
        return new FilePart(FileStatus.Done, needsEnd ? "\n"u8.ToArray() : default);
    }

    /// <inheritdoc/>
    public void Dispose() => _reader.Dispose();

    // What of the next bytes belongs to the part's records.
    private ReadOnlyMemory<byte> Cut(ReadOnlyMemory<byte> bytes)
    {
        long begin = _at;
        Offset = begin;
        _at += bytes.Length;
        if (bytes.IsEmpty)
        {
            _isOver = true;
            return default;
        }

        if (_isExact)
        {
            return bytes;
        }

        int from = 0;
        if (_isSkipping)
        {
            int behind = _ends.Find(bytes.Span);
            from = behind < 0 ? bytes.Length : behind;
            _isSkipping = behind < 0;

            // No record begins in the part, or none that has not been told of.
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

        Offset = begin + from;
        if (_at <= _end - _endLength)
        {
            return bytes[from..];
        }

        // The record that has the part's last byte goes on to its end.
        int last = (int)Math.Max(from, _end - _endLength - begin);
        int end = _ends.Find(bytes.Span[last..]);
        _isOver = end >= 0;
        return end < 0 ? bytes[from..] : bytes[from..(last + end)];
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
