namespace CamCube.Runtime.Loop;

/// <summary>Something to do after a loop's end that must not meet a turn of an agent.</summary>
internal sealed class LastWork(Action work) : LoopWork
{
    public override void Execute() => work();
}
