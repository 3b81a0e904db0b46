namespace CamCube.Workers;

/// <summary>
/// Workers in virtual time: a function in the place of processes. It runs in the loop, and its result comes when the
/// job's cost has passed, so that runs can be repeated. As many jobs run at once as there would be processes, others
/// wait, and too many are refused, as in a pool. One for each server. Loop only.
/// </summary>
/// <param name="server">Whose loop and time it is.</param>
/// <param name="function">Answers a job. It may say that the job killed its worker: that counts, and is
/// remembered.</param>
/// <param name="options">Processes (0: one), queue, deadline, and how many killers are remembered.</param>
public sealed class FunctionWorkers(IServer server, Func<WorkerJob, WorkerResult> function, WorkerOptions options)
    : IWorkers
{
    private readonly LinkedList<TaskCompletionSource<WorkerStatus>> _waiting = new();
    private readonly KillerMemory _killers = new(options.RememberedKillers, options.RememberedTime);
    private int _running;
    private long _answered;
    private long _refused;
    private long _killed;
    private bool _isClosed;

    /// <inheritdoc/>
    public WorkersSummary Summary =>
        new(_running, _waiting.Count, _answered, _refused, _killed, _killers.Count, "", default);

    /// <inheritdoc/>
    public async ValueTask<WorkerResult> RunAsync(WorkerJob job, CancellationToken cancel = default)
    {
        if (_isClosed)
        {
            return Ended(WorkerStatus.Stopped);
        }

        if (_running < Math.Max(options.Processes, 1))
        {
            _running++;
        }
        else if (_waiting.Count >= options.QueueLimit)
        {
            _refused++;
            return Ended(WorkerStatus.Busy);
        }
        else if (await WaitAsync(cancel) is not WorkerStatus.Answered and var status)
        {
            return Ended(status);
        }

        WorkerResult result = await DoAsync(job);
        Next();
        return result;
    }

    /// <summary>Jobs that wait are <see cref="WorkerStatus.Stopped"/>.</summary>
    public void Dispose()
    {
        _isClosed = true;
        while (_waiting.First is { } first)
        {
            _waiting.Remove(first);
            first.Value.TrySetResult(WorkerStatus.Stopped);
        }
    }

    private static WorkerResult Ended(WorkerStatus status) => new(status, default, "");

    private async ValueTask<WorkerStatus> WaitAsync(CancellationToken cancel)
    {
        LinkedListNode<TaskCompletionSource<WorkerStatus>> place = _waiting.AddLast(
            new TaskCompletionSource<WorkerStatus>()
        );
        await using (
            cancel.UnsafeRegister(
                _ =>
                {
                    if (place.List is not null)
                    {
                        _waiting.Remove(place);
                        place.Value.TrySetResult(WorkerStatus.Cancelled);
                    }
                },
                null
            )
        )
        {
            return await place.Value.Task;
        }
    }

    /// <summary>The turn of a job that ends is the next one's.</summary>
    private void Next()
    {
        if (_waiting.First is { } first)
        {
            _waiting.Remove(first);
            first.Value.TrySetResult(WorkerStatus.Answered);
            return;
        }

        _running--;
    }

    private async ValueTask<WorkerResult> DoAsync(WorkerJob job)
    {
        if (_killers.Knows(job.Subject, server.NowNanos))
        {
            return Ended(WorkerStatus.KilledBefore);
        }

        WorkerResult result = job.Cost > options.Deadline ? Ended(WorkerStatus.TimedOut) : function(job);
        TimeSpan takes = result.Status == WorkerStatus.TimedOut ? options.Deadline : job.Cost;
        if (!await server.DelayAsync(takes))
        {
            return Ended(WorkerStatus.Stopped);
        }

        if (result.HasKilled)
        {
            _killed++;
            _killers.Add(job.Subject, server.NowNanos);
        }
        else if (result.IsAnswered)
        {
            _answered++;
        }

        return result;
    }
}
