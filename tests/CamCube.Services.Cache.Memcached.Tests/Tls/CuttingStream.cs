namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>What is written to it goes out in pieces of any length, and one byte of it may be another than it
/// was.</summary>
internal sealed class CuttingStream(Stream inner, Random random) : Stream
{
    private int _written;

    /// <summary>Which byte is damaged, by its place from the start; -1: none.</summary>
    public int DamagedByte { get; init; } = -1;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer,
        CancellationToken cancellationToken = default
    )
    {
        byte[] bytes = buffer.ToArray();
        int damaged = DamagedByte - _written;
        if (damaged >= 0 && damaged < bytes.Length)
        {
            bytes[damaged] ^= (byte)random.Next(1, 256);
        }

        _written += bytes.Length;
        int most = random.Next(3) switch
        {
            0 => 40,
            1 => 2_000,
            _ => 100_000,
        };
        for (int start = 0; start < bytes.Length; )
        {
            int length = Math.Min(random.Next(1, most + 1), bytes.Length - start);
            await inner.WriteAsync(bytes.AsMemory(start, length), cancellationToken);
            start += length;
        }
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        inner.ReadAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    public override void Flush() => inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
