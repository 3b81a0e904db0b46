namespace CamCube.Workers;

/// <summary>A job in a pool. Its end comes once, on a thread of the pool or of who takes it back; whoever awaits it
/// goes on elsewhere.</summary>
/// <param name="job">The job.</param>
internal sealed class PoolJob(WorkerJob job)
{
    private readonly TaskCompletionSource<WorkerResult> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The job.</summary>
    public WorkerJob Job => job;

    /// <summary>Whether it is one of those that do not get the last process.</summary>
    public bool IsLong { get; init; }

    /// <summary>Its end.</summary>
    public Task<WorkerResult> Task => _end.Task;

    /// <summary>Its place in the queue; null once it was begun or taken back. Under the pool's lock.</summary>
    public LinkedListNode<PoolJob>? Place { get; set; }

    /// <summary>It has ended.</summary>
    public void End(WorkerResult result) => _end.TrySetResult(result);

    /// <summary>It was not begun.</summary>
    public void End(WorkerStatus status, string text = "") => End(new WorkerResult(status, default, text));
}
