namespace CamCube.Workers;

/// <summary>What the workers of one kind have done, in this process.</summary>
/// <param name="Processes">Processes that live.</param>
/// <param name="Waiting">Jobs that wait.</param>
/// <param name="Answered">Jobs that were answered.</param>
/// <param name="Refused">Jobs that were not begun, as the queue was full.</param>
/// <param name="Killed">Workers that were lost with a job: over a limit, dead or not making sense.</param>
/// <param name="Remembered">Requests that killed a worker and are not tried again.</param>
/// <param name="Unavailable">Why no worker can be started; empty if one can, or none was needed yet.</param>
/// <param name="Hello">What the newest worker said of itself when it began; empty if it said nothing.</param>
public readonly record struct WorkersSummary(
    int Processes,
    int Waiting,
    long Answered,
    long Refused,
    long Killed,
    int Remembered,
    string Unavailable,
    ReadOnlyMemory<byte> Hello
);
