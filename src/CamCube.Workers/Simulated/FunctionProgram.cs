using System.Buffers;

namespace CamCube.Workers;

/// <summary>A function that looks like a program. Loop only.</summary>
/// <param name="server">Whose loop and time it is.</param>
/// <param name="start">How it was started.</param>
/// <param name="function">The function.</param>
/// <param name="options">How much of its standard error is kept.</param>
internal sealed class FunctionProgram(
    IServer server,
    ProgramStart start,
    ProgramFunction function,
    ProgramsOptions options
) : IProgram
{
    private const int SignalKill = 9;
    private readonly ArrayBufferWriter<byte> _input = new();
    private readonly TaskCompletionSource<ProgramEnd> _end = new();
    private readonly ErrorTail _errors = new(options.ErrorTail, start.OnErrorLine);
    private ReadOnlyMemory<byte> _output;
    private Memory<byte> _wanted;
    private TaskCompletionSource<int>? _reading;
    private bool _isComplete;
    private bool _hasEnded;
    private bool _isDisposed;

    /// <summary>Told once, whether it failed.</summary>
    public Action<bool>? OnEnd { get; set; }

    /// <inheritdoc/>
    public long Activity { get; private set; }

    /// <inheritdoc/>
    public ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> input)
    {
        if (_isComplete)
        {
            throw new InvalidOperationException("The input was completed.");
        }

        if (_hasEnded)
        {
            return new ValueTask<bool>(false);
        }

        _input.Write(input.Span);
        Activity++;
        return new ValueTask<bool>(true);
    }

    /// <inheritdoc/>
    public void CompleteInput()
    {
        if (!_isComplete)
        {
            _isComplete = true;
            server.Loop.Run(DoAsync);
        }
    }

    /// <inheritdoc/>
    public ValueTask<int> ReadAsync(Memory<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfZero(buffer.Length);
        if (_reading is not null)
        {
            throw new InvalidOperationException("Something is being read.");
        }

        if (_hasEnded)
        {
            return new ValueTask<int>(Take(buffer));
        }

        (_wanted, _reading) = (buffer, new TaskCompletionSource<int>());
        return new ValueTask<int>(_reading.Task);
    }

    /// <inheritdoc/>
    public ValueTask<ProgramEnd> EndAsync() => new(_end.Task);

    /// <inheritdoc/>
    public void Kill(ProgramKill why = ProgramKill.Disposed)
    {
        if (!_hasEnded)
        {
            End(new FunctionEnd(default, -1, Signal: SignalKill), why);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isDisposed = true;
        Kill();
    }

    private async ValueTask DoAsync()
    {
        if (_hasEnded)
        {
            return;
        }

        FunctionEnd end = function(start, _input.WrittenMemory);
        if (end.Cost == FunctionEnd.Never.Cost)
        {
            return;
        }

        if (end.Cost > TimeSpan.Zero && !await server.DelayAsync(end.Cost))
        {
            Kill();
        }

        if (!_hasEnded)
        {
            End(end, ProgramKill.None);
        }
    }

    private void End(FunctionEnd end, ProgramKill why)
    {
        _hasEnded = true;
        _output = end.Output;
        _errors.Add(end.Errors.Span);
        _errors.Flush();
        Activity++;
        ProgramEnd told = new(
            end.Signal == 0 ? end.ExitCode : -1,
            end.Signal,
            why,
            why == ProgramKill.None ? end.Cost : TimeSpan.Zero,
            _errors.Copy(),
            _errors.Bytes,
            _errors.Lines
        );
        OnEnd?.Invoke(!told.IsSuccess);
        (TaskCompletionSource<int>? reading, _reading) = (_reading, null);
        reading?.SetResult(Take(_wanted));
        _wanted = default;
        _end.SetResult(told);
    }

    private int Take(Memory<byte> buffer)
    {
        int count = _isDisposed ? 0 : Math.Min(buffer.Length, _output.Length);
        _output[..count].CopyTo(buffer);
        _output = _output[count..];
        return count;
    }
}
