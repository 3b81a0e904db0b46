namespace CamCube.Workers;

/// <summary>
/// Where the frames of a kind's workers end. A frame is measured as it comes: the first call has no bytes. Calls may
/// come on several threads at once, so it keeps nothing.
/// </summary>
public abstract class WorkerProtocol
{
    /// <summary>Answers for bytes that are no frame of this kind.</summary>
    public const int Rubbish = -1;

    /// <summary>
    /// What a worker says first, once it is ready for jobs.
    /// </summary>
    /// <param name="received">All that came so far.</param>
    /// <returns>As <see cref="MeasureAnswer"/>. 0, the default: it says nothing.</returns>
    public virtual int MeasureHello(ReadOnlySpan<byte> received) => 0;

    /// <summary>What a worker answers to a request.</summary>
    /// <param name="received">All that came so far.</param>
    /// <returns>How many bytes the frame has, as far as is known: the frame is whole when as many are there. More than
    /// were received: come again when they are. <see cref="Rubbish"/>: it is no frame.</returns>
    public abstract int MeasureAnswer(ReadOnlySpan<byte> received);

    /// <summary>What a worker's first frame says, for the log; null, the default: nothing.</summary>
    /// <param name="hello">The whole frame.</param>
    public virtual string? TextOf(ReadOnlySpan<byte> hello) => null;
}
