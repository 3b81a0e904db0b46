using System.Buffers;
using System.IO.Pipelines;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>One end of a connection in memory; everything runs on the thread that writes.</summary>
internal sealed class DuplexStream(PipeReader input, PipeWriter output) : Stream
{
    private volatile bool _isDisposed;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Both ends; a writer waits when the other has so many bytes to read.</summary>
    public static (DuplexStream Client, DuplexStream Server) CreatePair(int pauseAt)
    {
        var options = new PipeOptions(
            readerScheduler: PipeScheduler.Inline,
            writerScheduler: PipeScheduler.Inline,
            pauseWriterThreshold: pauseAt,
            resumeWriterThreshold: pauseAt / 2,
            useSynchronizationContext: false
        );
        var up = new Pipe(options);
        var down = new Pipe(options);
        return (new DuplexStream(down.Reader, up.Writer), new DuplexStream(up.Reader, down.Writer));
    }

    /// <summary>Says that this end sends no more.</summary>
    public void EndOutput() => output.Complete();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        ReadResult result = await input.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (result.IsCanceled)
        {
            throw new IOException("The stream was disposed.");
        }

        ReadOnlySequence<byte> taken = result.Buffer.Slice(0, Math.Min(result.Buffer.Length, buffer.Length));
        int count = (int)taken.Length;
        taken.CopyTo(buffer.Span);
        input.AdvanceTo(taken.End);
        return count;
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer,
        CancellationToken cancellationToken = default
    )
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        await output.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (_isDisposed)
        {
            throw new IOException("The stream was disposed.");
        }
    }

    public override void Flush() { }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            output.CancelPendingFlush();
            output.Complete();
            input.CancelPendingRead();
        }

        base.Dispose(disposing);
    }
}
