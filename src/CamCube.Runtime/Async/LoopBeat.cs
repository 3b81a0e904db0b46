namespace CamCube.Runtime.Async;

/// <summary>Work that only shows that a loop turns.</summary>
internal sealed class LoopBeat : LoopWork
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the loop has come by.</summary>
    public Task Done => _done.Task;

    public override void Execute() => _done.SetResult();
}
