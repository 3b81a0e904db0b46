using System.Buffers;
using System.IO.Pipelines;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The body of an answer as a service writes it in its server's loop, one writer at a time. A client that goes away is
/// a result and no exception: what a service throws in a call is its own fault.
/// </summary>
public sealed class AnswerBody : IBufferWriter<byte>
{
    private readonly PipeWriter _pipe;

    internal AnswerBody(PipeWriter pipe) => _pipe = pipe;

    /// <inheritdoc/>
    public void Advance(int count) => _pipe.Advance(count);

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0) => _pipe.GetMemory(sizeHint);

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => _pipe.GetSpan(sizeHint);

    /// <summary>Sends what was written, and waits while the window is full.</summary>
    /// <returns>False: the client has gone, and wants no more.</returns>
    public ValueTask<bool> FlushAsync()
    {
        ValueTask<FlushResult> flush = _pipe.FlushAsync();
        return flush.IsCompletedSuccessfully
            ? new ValueTask<bool>(!flush.Result.IsCompleted)
            : WaitAsync(flush.AsTask());
    }

    /// <summary>Writes bytes and sends them.</summary>
    /// <param name="bytes">The bytes, which are copied.</param>
    /// <returns>False: the client has gone, and wants no more.</returns>
    public ValueTask<bool> WriteAsync(ReadOnlySpan<byte> bytes)
    {
        _pipe.Write(bytes);
        return FlushAsync();
    }

    // A task, because the pipe's own awaitable forgets the loop if it completes while it is being awaited.
    private static async ValueTask<bool> WaitAsync(Task<FlushResult> flush) => !(await flush).IsCompleted;
}
