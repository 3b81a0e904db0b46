namespace CamCube.Workers;

/// <summary>
/// Workers of one kind: processes that all servers of this process share (<see cref="WorkerPools"/>), or a function in
/// virtual time (<see cref="FunctionWorkers"/>). A job is done by one worker, which does one job at a time. Whatever a
/// worker does, the caller gets a result: nothing is thrown, and the next job has a sound worker.
/// </summary>
public interface IWorkers : IDisposable
{
    /// <summary>
    /// Does a job. Any thread, a server's loop best: there the await goes on in the loop. Never blocks; jobs wait in
    /// the order in which they came.
    /// </summary>
    /// <param name="job">The job.</param>
    /// <param name="cancel">Takes it back while it waits. One that was begun is finished, for its worker cannot do half
    /// a job.</param>
    /// <returns>To be awaited once. The request may be used again when it has ended.</returns>
    ValueTask<WorkerResult> RunAsync(WorkerJob job, CancellationToken cancel = default);

    /// <summary>Counts and words for status pages. Any thread.</summary>
    WorkersSummary Summary { get; }
}
