using CamCube.Runtime.Loop;

namespace CamCube.Simulator.Live;

/// <summary>Something an operator wants done to the cube, on its thread.</summary>
internal sealed class LiveAct(Action act) : LoopWork
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Done => _done.Task;

    public override void Execute()
    {
        try
        {
            act();
            _done.SetResult();
        }
        catch (Exception e)
        {
            // Whoever asked for the act gets its failure; the cube goes on.
            _done.SetException(e);
        }
    }
}
