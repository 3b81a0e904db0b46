namespace CamCube.Runtime.Loop;

/// <summary>Nothing to do, but a loop that only sleeps turns for it.</summary>
internal sealed class LoopBeat : LoopWork
{
    public override void Execute() { }
}
