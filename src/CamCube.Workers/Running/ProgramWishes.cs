using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>
/// What callers want of a program, where its thread finds it: one piece to write and one to read at a time. Whoever
/// leaves something wakes the thread if it sleeps. Any thread.
/// </summary>
/// <param name="wake">What the thread sleeps on; its own to close.</param>
internal sealed class ProgramWishes(WakeSignal wake)
{
    private readonly Lock _gate = new();
    private readonly Turn<bool> _write = new();
    private readonly Turn<int> _read = new();
    private WishList _list;
    private bool _hasWrite;
    private bool _hasRead;
    private bool _isInputOver;
    private bool _isOutputOver;
    private bool _sleeps;

    /// <summary>As <see cref="IProgram.WriteAsync"/>.</summary>
    public ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> input)
    {
        lock (_gate)
        {
            ThrowIfWriting();
            if (_list.IsInputCompleted)
            {
                throw new InvalidOperationException("The input was completed.");
            }

            if (_isInputOver || _list.IsDisposed || input.IsEmpty)
            {
                return new ValueTask<bool>(!_isInputOver && !_list.IsDisposed);
            }

            (_list.Input, _hasWrite) = (input, true);
            ValueTask<bool> turn = _write.Begin();
            Wake();
            return turn;
        }
    }

    /// <summary>As <see cref="IProgram.CompleteInput"/>.</summary>
    public void CompleteInput()
    {
        lock (_gate)
        {
            ThrowIfWriting();
            _list.IsInputCompleted = true;
            Wake();
        }
    }

    /// <summary>As <see cref="IProgram.ReadAsync"/>.</summary>
    public ValueTask<int> ReadAsync(Memory<byte> buffer)
    {
        ArgumentOutOfRangeException.ThrowIfZero(buffer.Length);
        lock (_gate)
        {
            if (_hasRead)
            {
                throw new InvalidOperationException("Something is being read.");
            }

            if (_isOutputOver || _list.IsDisposed)
            {
                return new ValueTask<int>(0);
            }

            (_list.Output, _hasRead) = (buffer, true);
            ValueTask<int> turn = _read.Begin();
            Wake();
            return turn;
        }
    }

    /// <summary>It was killed, or is to be.</summary>
    /// <param name="why">The first counts.</param>
    /// <param name="isDisposed">Nobody wants anything of it any more.</param>
    public void Kill(ProgramKill why, bool isDisposed)
    {
        lock (_gate)
        {
            _list.IsDisposed |= isDisposed;
            _list.Killed = _list.Killed == ProgramKill.None ? why : _list.Killed;
            Wake();
        }
    }

    /// <summary>For the thread: what is wanted now.</summary>
    /// <param name="sleeps">It sleeps next, so it is to be woken for more.</param>
    public WishList Look(bool sleeps)
    {
        lock (_gate)
        {
            _sleeps = sleeps;
            return _list with { IsOutputOver = _isOutputOver };
        }
    }

    /// <summary>For the thread: it read something, or will not.</summary>
    public void EndRead(int count, bool isOver)
    {
        lock (_gate)
        {
            _isOutputOver |= isOver;
            if (_hasRead)
            {
                (_hasRead, _list.Output) = (false, default);
                _read.End(count);
            }
        }
    }

    /// <summary>For the thread: what was to be written is, or nothing is any more.</summary>
    public void EndWrite(bool isTaken)
    {
        lock (_gate)
        {
            _isInputOver |= !isTaken;
            if (_hasWrite)
            {
                (_hasWrite, _list.Input) = (false, default);
                _write.End(isTaken);
            }
        }
    }

    private void ThrowIfWriting()
    {
        if (_hasWrite)
        {
            throw new InvalidOperationException("Something is being written.");
        }
    }

    /// <summary>Under the lock.</summary>
    private void Wake()
    {
        if (_sleeps && OperatingSystem.IsLinux())
        {
            _sleeps = false;
            wake.Set();
        }
    }
}
