namespace CamCube.Workers;

/// <summary>
/// Programs in virtual time: functions in the place of processes. One is called in the loop when the input is complete,
/// and its output and end come when its cost has passed, so that runs can be repeated. As many run at once as there
/// would be processes, others wait, and too many are refused, as in a pool. One for each server. Loop only.
/// </summary>
/// <param name="server">Whose loop and time it is.</param>
/// <param name="functions">By what a command line begins with. What is not in it is refused.</param>
/// <param name="options">Programs (0: one), queue, and how much of their standard error is kept.</param>
public sealed class FunctionPrograms(
    IServer server,
    IReadOnlyDictionary<string, ProgramFunction> functions,
    ProgramsOptions options
) : IPrograms
{
    private readonly LinkedList<TaskCompletionSource<ProgramStatus>> _waiting = new();

    // In the order of their starts, in which they are killed.
    private readonly LinkedList<FunctionProgram> _live = new();
    private int _running;
    private long _started;
    private long _ended;
    private long _failed;
    private long _refused;
    private bool _isClosed;

    /// <inheritdoc/>
    public ProgramsSummary Summary => new(_running, _waiting.Count, _started, _ended, _failed, _refused, true);

    /// <inheritdoc/>
    public async ValueTask<ProgramStarted> StartAsync(ProgramStart start, CancellationToken cancel = default)
    {
        if (_isClosed || cancel.IsCancellationRequested)
        {
            return Not(_isClosed ? ProgramStatus.Stopped : ProgramStatus.Cancelled);
        }

        string name = start.CommandLine.Count == 0 ? "" : start.CommandLine[0];
        if (!functions.TryGetValue(name, out ProgramFunction? function))
        {
            _refused++;
            return Not(ProgramStatus.Refused, $"There is no program '{name}'.");
        }

        if (_running < Math.Max(options.Programs, 1))
        {
            _running++;
        }
        else if (_waiting.Count >= options.QueueLimit)
        {
            _refused++;
            return Not(ProgramStatus.Busy);
        }
        else if (await WaitAsync(cancel) is not ProgramStatus.Started and var status)
        {
            return Not(status);
        }

        _started++;
        FunctionProgram program = new(server, start, function, options);
        LinkedListNode<FunctionProgram> place = _live.AddLast(program);
        program.OnEnd = hasFailed => Leave(place, hasFailed);
        return new ProgramStarted(ProgramStatus.Started, program, "");
    }

    /// <summary>Programs that run are killed, starts that wait <see cref="ProgramStatus.Stopped"/>.</summary>
    public void Dispose()
    {
        _isClosed = true;
        while (_waiting.First is { } first)
        {
            _waiting.Remove(first);
            first.Value.TrySetResult(ProgramStatus.Stopped);
        }

        while (_live.First is { } live)
        {
            live.Value.Dispose();
        }
    }

    private static ProgramStarted Not(ProgramStatus status, string text = "") => new(status, null, text);

    private async ValueTask<ProgramStatus> WaitAsync(CancellationToken cancel)
    {
        LinkedListNode<TaskCompletionSource<ProgramStatus>> place = _waiting.AddLast(
            new TaskCompletionSource<ProgramStatus>()
        );
        await using (
            cancel.UnsafeRegister(
                _ =>
                {
                    if (place.List is not null)
                    {
                        _waiting.Remove(place);
                        place.Value.TrySetResult(ProgramStatus.Cancelled);
                    }
                },
                null
            )
        )
        {
            return await place.Value.Task;
        }
    }

    private void Leave(LinkedListNode<FunctionProgram> place, bool hasFailed)
    {
        _live.Remove(place);
        _ended++;
        _failed += hasFailed ? 1 : 0;
        if (_waiting.First is { } first)
        {
            _waiting.Remove(first);
            first.Value.TrySetResult(ProgramStatus.Started);
            return;
        }

        _running--;
    }
}
