using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Workers;

/// <summary>
/// Programs of one name in this process: those that run and starts that wait, in order. A place is taken from before a
/// program is started until it has ended and been reaped. Any thread.
/// </summary>
/// <param name="name">Of its threads.</param>
/// <param name="options">How many and how.</param>
/// <param name="time">The clock.</param>
internal sealed class ProgramPool(string name, ProgramsOptions options, TimeProvider time)
{
    private const int StackBytes = 256 << 10;

    // E2BIG: it will be the same next time.
    private const int ArgumentsTooLong = 7;

    private readonly Lock _gate = new();
    private readonly LinkedList<TaskCompletionSource<ProgramStatus>> _waiting = new();
    private readonly int _most = options.Programs > 0 ? options.Programs : Environment.ProcessorCount;
    private int _running;
    private long _started;
    private long _ended;
    private long _failed;
    private long _refused;
    private long _lastThread;

    /// <summary>How their pipes are served.</summary>
    public ProgramsOptions Options => options;

    /// <summary>The clock.</summary>
    public TimeProvider Time => time;

    /// <summary>What it has done.</summary>
    public ProgramsSummary Summary
    {
        get
        {
            lock (_gate)
            {
                bool killsAll = options.ControlGroups && OperatingSystem.IsLinux() && ControlGroup.IsThere;
                return new ProgramsSummary(_running, _waiting.Count, _started, _ended, _failed, _refused, killsAll);
            }
        }
    }

    /// <summary>Starts a program.</summary>
    /// <param name="start">What.</param>
    /// <param name="cancel">The caller's.</param>
    /// <param name="left">The caller's share is closed: then the program is killed, too.</param>
    public async ValueTask<ProgramStarted> StartAsync(
        ProgramStart start,
        CancellationToken cancel,
        CancellationToken left
    )
    {
        if (!OperatingSystem.IsLinux())
        {
            return new ProgramStarted(ProgramStatus.Unavailable, null, "Programs are run on Linux only.");
        }

        ProgramStatus status = await EnterAsync(cancel, left).ConfigureAwait(false);
        if (status != ProgramStatus.Started)
        {
            return new ProgramStarted(status, null, "");
        }

        TaskCompletionSource<ProgramStarted> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
        string thread = $"{name}-{Interlocked.Increment(ref _lastThread)}";
        try
        {
#pragma warning disable RS0030 // The pool is the border: what waits for processes is no server.
            new Thread(() => Run(start, left, answer), StackBytes) { Name = thread, IsBackground = true }.Start();
#pragma warning restore RS0030
        }
        catch (OutOfMemoryException)
        {
            CouldNotBegin(answer, ProgramStatus.Unavailable, "No thread is left for one more program.");
        }

        ProgramStarted started = await answer.Task.ConfigureAwait(false);
        if (started.Program is { } program && (cancel.IsCancellationRequested || left.IsCancellationRequested))
        {
            program.Dispose();
            status = left.IsCancellationRequested ? ProgramStatus.Stopped : ProgramStatus.Cancelled;
            return new ProgramStarted(status, null, "");
        }

        return started;
    }

    /// <summary>For a program: it has ended, and its place is free.</summary>
    public void Leave(bool hasFailed)
    {
        lock (_gate)
        {
            _ended++;
            _failed += hasFailed ? 1 : 0;
            Next();
        }
    }

    private async ValueTask<ProgramStatus> EnterAsync(CancellationToken cancel, CancellationToken left)
    {
        LinkedListNode<TaskCompletionSource<ProgramStatus>> place;
        lock (_gate)
        {
            if (left.IsCancellationRequested || cancel.IsCancellationRequested)
            {
                return left.IsCancellationRequested ? ProgramStatus.Stopped : ProgramStatus.Cancelled;
            }

            if (_running < _most)
            {
                _running++;
                return ProgramStatus.Started;
            }

            if (_waiting.Count >= options.QueueLimit)
            {
                _refused++;
                return ProgramStatus.Busy;
            }

            place = _waiting.AddLast(
                new TaskCompletionSource<ProgramStatus>(TaskCreationOptions.RunContinuationsAsynchronously)
            );
        }

        await using (cancel.UnsafeRegister(_ => TakeBack(place, ProgramStatus.Cancelled), null).ConfigureAwait(false))
        {
            await using (left.UnsafeRegister(_ => TakeBack(place, ProgramStatus.Stopped), null).ConfigureAwait(false))
            {
                return await place.Value.Task.ConfigureAwait(false);
            }
        }
    }

    private void TakeBack(LinkedListNode<TaskCompletionSource<ProgramStatus>> place, ProgramStatus status)
    {
        lock (_gate)
        {
            if (place.List is null)
            {
                return;
            }

            _waiting.Remove(place);
        }

        place.Value.TrySetResult(status);
    }

    /// <summary>A place is free: it is the next one's. Under the lock.</summary>
    private void Next()
    {
        if (_waiting.First is { } first)
        {
            _waiting.RemoveFirst();
            first.Value.TrySetResult(ProgramStatus.Started);
            return;
        }

        _running--;
    }

    /// <summary>A program's thread.</summary>
    private void Run(ProgramStart start, CancellationToken left, TaskCompletionSource<ProgramStarted> answer)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        if (Begin(start, out string text, out bool isRefused) is not { } program)
        {
            CouldNotBegin(answer, isRefused ? ProgramStatus.Refused : ProgramStatus.Unavailable, text);
            return;
        }

        lock (_gate)
        {
            _started++;
        }

        using (left.UnsafeRegister(static state => ((RunningProgram)state!).Dispose(), program))
        {
            answer.TrySetResult(new ProgramStarted(ProgramStatus.Started, program, ""));
            program.Work();
        }
    }

    private void CouldNotBegin(TaskCompletionSource<ProgramStarted> answer, ProgramStatus status, string text)
    {
        lock (_gate)
        {
            _refused++;
            Next();
        }

        answer.TrySetResult(new ProgramStarted(status, null, text));
    }

    [SupportedOSPlatform("linux")]
    private RunningProgram? Begin(ProgramStart start, out string text, out bool isRefused)
    {
        isRefused = true;
        try
        {
            string[] options = [];
            string? wrong =
                ProgramFinder.Find(start, out string path)
                ?? (start.User is { } user ? ProgramUser.Find(user, out options) : null);
            text = wrong ?? "";
            return wrong is null ? new RunningProgram(this, start, [.. Setpriv.Before(options), path]) : null;
        }
        catch (IOException e)
        {
            // The shell that waits before every program can be run, or nothing can.
            isRefused = e.HResult is ArgumentsTooLong or SystemError.AccessDenied;
            text = e.HResult switch
            {
                ArgumentsTooLong => "The command line and the environment are too long for this machine.",
                SystemError.AccessDenied => $"The working folder {start.Folder} may not be entered.",
                _ => e.Message,
            };
            return null;
        }
        catch (Exception e) when (e is UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            text = e.Message;
            return null;
        }
    }
}
