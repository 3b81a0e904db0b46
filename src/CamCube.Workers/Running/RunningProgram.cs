using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>
/// One process and the thread that serves its pipes. No bytes are kept here: what is written goes from the caller's
/// memory to the pipe, what is read from the pipe to the caller's. Callers leave what they want under a lock and wake
/// the thread if it sleeps; all else is the thread's own.
/// </summary>
internal sealed class RunningProgram : IProgram
{
    private const long Forever = long.MaxValue;
    private const int Small = 64 << 10;
    private const int ErrorPiece = 16 << 10;
    private const int ErrorPieces = 4;
    private const int PipeBytes = 1 << 20;

    private readonly ProgramPool _pool;
    private readonly ProgramProcess _process;
    private readonly WakeSignal _wake;
    private readonly ErrorTail _errors;
    private readonly TaskCompletionSource<ProgramEnd> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ProgramWishes _wishes;
    private readonly long _began;

    // The thread's.
    private int _written;
    private int _gathered;
    private bool _isInputClosed;
    private bool _isOutputClosed;
    private bool _areErrorsOver;
    private bool _hasEnded;
    private bool _isTold;
    private int _leftToRead = PipeBytes;
    private long _writeFrom;
    private long _readFrom;
    private long _errorsFrom;
    private long _graceEnds = Forever;
    private long _activity;

    /// <summary>Starts it, limited at once.</summary>
    /// <param name="pool">Whose it is.</param>
    /// <param name="start">What.</param>
    /// <param name="program">Its whole path, and what starts it before.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    [SupportedOSPlatform("linux")]
    public RunningProgram(ProgramPool pool, ProgramStart start, string[] program)
    {
        _pool = pool;
        _wake = new WakeSignal();
        _wishes = new ProgramWishes(_wake);
        try
        {
            _process = new ProgramProcess(start, program, pool.Options.ControlGroups);
        }
        catch (IOException)
        {
            _wake.Dispose();
            throw;
        }

        LivePrograms.Add(this);
        _errors = new ErrorTail(pool.Options.ErrorTail, start.OnErrorLine);
        _began = pool.Time.GetTimestamp();
    }

    /// <inheritdoc/>
    public long Activity => Volatile.Read(ref _activity);

    private long Now => _pool.Time.GetElapsedTime(_began).Ticks * 100;

    private long Gather => _pool.Options.Gather.Ticks * 100;

    /// <inheritdoc/>
    public ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> input) => _wishes.WriteAsync(input);

    /// <inheritdoc/>
    public void CompleteInput() => _wishes.CompleteInput();

    /// <inheritdoc/>
    public ValueTask<int> ReadAsync(Memory<byte> buffer) => _wishes.ReadAsync(buffer);

    /// <inheritdoc/>
    public ValueTask<ProgramEnd> EndAsync() => new(_end.Task);

    /// <inheritdoc/>
    public void Kill(ProgramKill why = ProgramKill.Disposed) => Kill(why, isDisposed: false);

    /// <inheritdoc/>
    public void Dispose() => Kill(ProgramKill.Disposed, isDisposed: true);

    /// <summary>Kills it and all that it has started, while this process ends.</summary>
    [SupportedOSPlatform("linux")]
    public void KillAtExit() => _process.KillAtExit();

    /// <summary>Serves it until it has ended and its output was read, or it is disposed of.</summary>
    [SupportedOSPlatform("linux")]
    public void Work()
    {
        try
        {
            while (!IsOver())
            {
                ChildReady wanted = Look(out long nanos);
                ChildReady ready = _process.Wait(wanted, nanos, _wake);
                Serve(ready);
            }
        }
        finally
        {
            Tell();
            EndWrite(false);
            EndRead(0, isOver: true);
            _process.Dispose();
            _ = _wishes.Look(sleeps: false);
            _wake.Dispose();
        }
    }

    private void Kill(ProgramKill why, bool isDisposed)
    {
        _wishes.Kill(why, isDisposed);
        if (OperatingSystem.IsLinux())
        {
            _process.Kill();
        }
    }

    private bool IsOver()
    {
        WishList list = _wishes.Look(sleeps: false);
        return _isTold && (list.IsOutputOver || list.IsDisposed);
    }

    /// <summary>What to wait for, and how long.</summary>
    private ChildReady Look(out long nanos)
    {
        long now = Now;
        long until = _hasEnded && !_isTold ? _graceEnds : Forever;
        ChildReady wanted = _hasEnded ? ChildReady.None : ChildReady.Ended;
        WishList list = _wishes.Look(sleeps: true);
        bool isRead = !list.Output.IsEmpty;
        bool isToEnd = list.IsDisposed
            ? _isTold || isRead || !list.Input.IsEmpty
            : list.IsInputCompleted && !_isInputClosed;
        if (isToEnd || (_isTold && isRead) || (_hasEnded && !_isTold && list.Killed != ProgramKill.None))
        {
            // There is something to do. Of one that is over there is what is there, whoever holds its pipe.
            until = now;
        }

        if (!list.Input.IsEmpty)
        {
            wanted |= WaitFor(ChildReady.Input, _writeFrom, now, ref until);
        }

        if (isRead && !_isTold)
        {
            wanted |= WaitFor(ChildReady.Output, _readFrom, now, ref until);
        }
        else if (_hasEnded && !_isTold && !_isOutputClosed)
        {
            wanted |= ChildReady.OutputClosed;
        }

        if (!_areErrorsOver && !_isTold)
        {
            wanted |= WaitFor(ChildReady.Errors, _errorsFrom, now, ref until);
        }

        nanos = until == Forever ? Forever : Math.Max(until - now, 0);
        return wanted;
    }

    /// <summary>A pipe that had little is looked at again when its time has come.</summary>
    private static ChildReady WaitFor(ChildReady pipe, long from, long now, ref long until)
    {
        if (from <= now)
        {
            return pipe;
        }

        until = Math.Min(until, from);
        return ChildReady.None;
    }

    [SupportedOSPlatform("linux")]
    private void Serve(ChildReady ready)
    {
        if ((ready & ChildReady.Woken) != 0)
        {
            _wake.Reset();
        }

        WishList list = _wishes.Look(sleeps: false);
        if ((ready & ChildReady.Errors) != 0)
        {
            ReadErrors(ErrorPieces);
        }

        if (list.IsDisposed)
        {
            EndRead(0, isOver: true);
            EndWrite(false);
        }
        else
        {
            ServeOutput(ready, list.Output);
            ServeInput(ready, list.Input, list.IsInputCompleted);
        }

        if ((ready & ChildReady.Ended) != 0 && !_hasEnded)
        {
            _hasEnded = true;
            _graceEnds = Now + (_pool.Options.OutputGrace.Ticks * 100);
        }

        _isOutputClosed |= (ready & ChildReady.OutputClosed) != 0;
        if (_hasEnded && ((_isOutputClosed && _areErrorsOver) || list.Killed != ProgramKill.None || Now >= _graceEnds))
        {
            Tell();
        }
    }

    [SupportedOSPlatform("linux")]
    private void ServeOutput(ChildReady ready, Memory<byte> output)
    {
        bool isDue = _gathered > 0 && Now >= _readFrom;
        if (output.IsEmpty || ((ready & ChildReady.Output) == 0 && !isDue && !_isTold))
        {
            return;
        }

        // After its end no more than its pipe held then: somebody who got away may write for ever.
        output = output[_gathered..];
        int read = _leftToRead == 0 ? 0 : _process.Read(output.Span[..Math.Min(output.Length, _leftToRead)]);
        if (read > 0)
        {
            _gathered += read;
            _leftToRead -= _isTold ? read : 0;
            _activity++;
        }

        bool isOver = read < 0 || (read == 0 && _isTold);
        _isOutputClosed |= read < 0;
        if (isOver || (_gathered > 0 && (_gathered >= Small || read == output.Length || Now >= _readFrom)))
        {
            // The end is told by itself: 0 bytes.
            _readFrom = _gathered < Small ? Now + Gather : 0;
            EndRead(_gathered, isOver && _gathered == 0);
        }
    }

    [SupportedOSPlatform("linux")]
    private void ServeInput(ChildReady ready, ReadOnlyMemory<byte> input, bool isCompleted)
    {
        if (isCompleted)
        {
            CloseInput();
        }

        if (input.IsEmpty || (ready & ChildReady.Input) == 0)
        {
            return;
        }

        int written = _process.Write(input.Span[_written..]);
        if (written < 0)
        {
            CloseInput();
            EndWrite(false);
            return;
        }

        _written += written;
        _activity += written > 0 ? 1 : 0;
        if (_written == input.Length)
        {
            EndWrite(true);
        }
        else if (written < Small)
        {
            _writeFrom = Now + Gather;
        }
    }

    [SupportedOSPlatform("linux")]
    private void CloseInput()
    {
        if (!_isInputClosed)
        {
            _isInputClosed = true;
            _process.CloseInput();
        }
    }

    [SupportedOSPlatform("linux")]
    private void ReadErrors(int pieces)
    {
        // Not more in one turn: who writes as fast as this reads must not keep the others away, nor have a processor.
        Span<byte> piece = stackalloc byte[ErrorPiece];
        for (int i = 0; i < pieces && !_areErrorsOver; i++)
        {
            int read = _process.ReadErrors(piece);
            if (read == 0)
            {
                break;
            }

            _areErrorsOver = read < 0;
            _errors.Add(piece[..Math.Max(read, 0)]);
            _activity++;
        }

        _errorsFrom = Now + Gather;
    }

    /// <summary>It has ended: what is left of its group goes, too, and all who wait for its end hear it.</summary>
    [SupportedOSPlatform("linux")]
    private void Tell()
    {
        if (_isTold)
        {
            return;
        }

        ChildEnd end = _process.End();
        ReadErrors(ErrorPieces + 1);
        _errors.Flush();
        _isTold = true;
        EndWrite(false);
        ProgramKill killed = _wishes.Look(sleeps: false).Killed;
        ProgramEnd told = new(
            end.ExitCode,
            end.Signal,
            _process.WhyKilled(end, killed),
            end.ProcessorTime,
            _errors.Copy(),
            _errors.Bytes,
            _errors.Lines
        );
        LivePrograms.Remove(this);
        _pool.Leave(!told.IsSuccess);
        _end.TrySetResult(told);
    }

    private void EndRead(int count, bool isOver)
    {
        _gathered = 0;
        _wishes.EndRead(count, isOver);
    }

    private void EndWrite(bool isTaken)
    {
        _written = 0;
        _wishes.EndWrite(isTaken);
    }
}
