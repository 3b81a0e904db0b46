namespace CamCube.Workers;

/// <summary>One user's share of a pool. Any thread.</summary>
/// <param name="pool">The pool.</param>
/// <param name="leave">Ends the share.</param>
internal sealed class PoolShare(ProcessPool pool, Action leave) : IWorkers
{
    private readonly CancellationTokenSource _closed = new();
    private int _isClosed;

    /// <inheritdoc/>
    public WorkersSummary Summary => pool.Summary;

    /// <inheritdoc/>
    public ValueTask<WorkerResult> RunAsync(WorkerJob job, CancellationToken cancel = default) =>
        _closed.IsCancellationRequested
            ? new ValueTask<WorkerResult>(new WorkerResult(WorkerStatus.Stopped, default, ""))
            : pool.RunAsync(job, cancel, _closed.Token);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) == 0)
        {
            _closed.Cancel();
            leave();
        }
    }
}
