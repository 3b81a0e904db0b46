namespace CamCube.Tool.Hosts;

/// <summary>Takes the bytes of a long value and writes them as lines, piece by piece.</summary>
/// <param name="lines">Takes the lines.</param>
internal sealed class ExportStream(Action<ExportLine> lines) : Stream
{
    private readonly byte[] _piece = new byte[ExportLine.PieceBytes];
    private int _used;

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (buffer.Length > 0)
        {
            int part = Math.Min(buffer.Length, _piece.Length - _used);
            buffer[..part].CopyTo(_piece.AsSpan(_used));
            buffer = buffer[part..];
            _used += part;
            if (_used == _piece.Length)
            {
                Flush();
            }
        }
    }

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    /// <summary>Writes what is left.</summary>
    public override void Flush()
    {
        if (_used > 0)
        {
            lines(new ExportLine { Piece = _piece[.._used] });
            _used = 0;
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Flush();
        base.Dispose(disposing);
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();
}
