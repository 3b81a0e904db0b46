namespace CamCube.Runtime.Loop;

/// <summary>Something that another thread wants done on a loop. Intrusive, so that handing it over allocates
/// nothing.</summary>
internal abstract class LoopWork
{
    public LoopWork? NextWork;

    /// <summary>Runs on the loop. Must not throw.</summary>
    public abstract void Execute();
}
