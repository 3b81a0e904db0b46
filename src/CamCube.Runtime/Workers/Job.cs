using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Workers;

/// <summary>
/// Something that an instance of a service waits for and that is made elsewhere: on a worker thread, or later in
/// virtual time. Its instance's while it is open (<see cref="JobList"/>), a lane's while a worker has it or will have
/// it. Loop only, but for <see cref="Run"/> and what the lane keeps under its lock.
/// </summary>
internal abstract class Job(IWorkOwner owner) : LoopWork
{
    /// <summary>Who waits for it.</summary>
    public IWorkOwner Owner => owner;

    /// <summary>Somebody waits for it still.</summary>
    public abstract bool IsPending { get; }

    /// <summary>A lane has it: it must not be used for something else.</summary>
    public bool IsWithLane { get; set; }

    /// <summary>Neighbours in the list of what is open.</summary>
    public Job? Newer { get; set; }

    public Job? Older { get; set; }

    // ---- under the lane's lock
    // -----------------------------------------------------------------------------------------------

    public JobPhase Phase { get; set; }

    public WorkQueue? Queue { get; set; }

    public Job? Before { get; set; }

    public Job? After { get; set; }

    /// <summary>Which work it is, for people who ask why a thread is lost.</summary>
    public abstract string Describe();

    /// <summary>On a worker thread. Must not throw.</summary>
    public abstract void Run();

    /// <summary>The instance ends: who waits learns it.</summary>
    public abstract void Stop();
}
