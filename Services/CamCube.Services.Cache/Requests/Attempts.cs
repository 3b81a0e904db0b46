namespace CamCube.Services.Cache.Requests;

/// <summary>
/// What an asking server knows of one operation between its attempts: where the next one goes, and whether an earlier one may have been
/// done. Attempts follow one another: the next begins when the deadline of the one before is over on its root's clock, so at most one can
/// be done at a time.
/// </summary>
internal struct Attempts
{
    /// <summary>Whether it may be done at another root after one did not answer: reads, plain sets, touches.</summary>
    public bool IsRepeatable;

    /// <summary>Number of the request in all its attempts.</summary>
    public ulong Request;

    /// <summary>When the operation began.</summary>
    public long BegunNanos;

    /// <summary>An attempt was meant for <see cref="Root"/> in its run <see cref="Run"/> and nobody said what became of it.</summary>
    public bool IsUncertain;

    /// <summary>Whether a refusal named the server to ask next.</summary>
    public bool HasHint;

    /// <summary>Where the last attempt went, or the next should go.</summary>
    public Coordinate Root;

    /// <summary>The run it was meant for; 0: not known.</summary>
    public ulong Run;
}
