using System.Security.Cryptography;

namespace CamCube.Tool.Commands.Files;

/// <summary>A stream whose bytes are summed up on their way.</summary>
/// <param name="to">Where to; disposed of with this.</param>
internal sealed class HashedStream(Stream to) : Stream
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);

    /// <summary>SHA-256 in hexadecimal digits, once it is disposed of.</summary>
    public string? Sum { get; private set; }

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
    public override void Flush() => to.Flush();

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        _hash.AppendData(buffer, offset, count);
        to.Write(buffer, offset, count);
    }

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer,
        CancellationToken cancellationToken = default
    )
    {
        _hash.AppendData(buffer.Span);
        await to.WriteAsync(buffer, cancellationToken);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Sum is null)
        {
            Sum = Convert.ToHexStringLower(_hash.GetHashAndReset());
            _hash.Dispose();
            to.Dispose();
        }

        base.Dispose(disposing);
    }
}
