using System.Buffers;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The body of an answer as a service writes it in its server's loop, one writer at a time, until its call has ended. A
/// client that goes away is a result and no exception: what a service throws in a call is its own fault.
/// </summary>
public sealed class AnswerBody : IBufferWriter<byte>
{
    private readonly BodyWindow _window;
    private readonly BodyWait<bool> _wait;

    internal AnswerBody(BodyWindow window)
    {
        _window = window;
        _wait = new BodyWait<bool>(() => !window.IsLeft);
    }

    /// <summary>Why it came to no end, once a flush has said false, or after <see cref="Abort"/>.</summary>
    public BodyFault Fault => _window.Fault;

    /// <inheritdoc/>
    public void Advance(int count) => _window.Advance(count);

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0) => _window.GetMemory(sizeHint);

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => _window.GetMemory(sizeHint).Span;

    /// <summary>Sends what was written, and waits while the window is full. Waiting allocates nothing. What is written
    /// without a flush is not bounded.</summary>
    /// <returns>False: the client has gone, and wants no more.</returns>
    /// <exception cref="InvalidOperationException">The flush before has not ended.</exception>
    public ValueTask<bool> FlushAsync()
    {
        _window.Flush();
        return _window.HasRoom(_wait) ? new ValueTask<bool>(!_window.IsLeft) : _wait.Task;
    }

    /// <summary>Writes bytes and sends them.</summary>
    /// <param name="bytes">The bytes, which are copied.</param>
    /// <returns>False: the client has gone, and wants no more.</returns>
    public ValueTask<bool> WriteAsync(ReadOnlySpan<byte> bytes)
    {
        this.Write(bytes);
        return FlushAsync();
    }

    /// <summary>Sends bytes where they are, without a copy: for long pieces that somebody has in memory anyway. Waiting
    /// allocates nothing.</summary>
    /// <param name="bytes">The bytes; nobody may write there until the task has ended. They count in no window, and not
    /// as memory of bodies.</param>
    /// <returns>False: the client has gone, and wants no more.</returns>
    /// <exception cref="InvalidOperationException">The flush, or the sending, before has not ended.</exception>
    public ValueTask<bool> SendAsync(ReadOnlyMemory<byte> bytes)
    {
        _window.Flush();
        _window.Lend(bytes);
        return _window.HasTaken(_wait) ? new ValueTask<bool>(!_window.IsLeft) : _wait.Task;
    }

    /// <summary>Gives the answer up: the rest of it is away, or what was sent is wrong. The client sees a connection
    /// that broke off, or 503 if nothing was sent yet, and never a whole answer.</summary>
    public void Abort() => _window.EndWriting(BodyFault.ServiceAborted);
}
