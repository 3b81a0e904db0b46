namespace CamCube.Workers;

/// <summary>The end of a job.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Answer">The worker's frame, the receiver's own; empty unless
/// <see cref="WorkerStatus.Answered"/>.</param>
/// <param name="Text">What happened, in words for a log; empty if there is nothing to say.</param>
public readonly record struct WorkerResult(WorkerStatus Status, ReadOnlyMemory<byte> Answer, string Text)
{
    /// <summary>Whether there is an answer.</summary>
    public bool IsAnswered => Status == WorkerStatus.Answered;

    /// <summary>Whether the job cost a worker its life.</summary>
    public bool HasKilled => Status is WorkerStatus.TimedOut or WorkerStatus.Died or WorkerStatus.Rubbish;
}
