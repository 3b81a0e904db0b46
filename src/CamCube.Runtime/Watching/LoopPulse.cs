namespace CamCube.Runtime.Watching;

/// <summary>What a loop shows to whoever watches it: written by the loop, read from outside.</summary>
internal sealed class LoopPulse
{
    private long _turns;
    private int _phase;

    /// <summary>Grows while the loop turns. Any thread.</summary>
    public long Turns => Volatile.Read(ref _turns);

    /// <summary>Any thread.</summary>
    public LoopPhase Phase => (LoopPhase)Volatile.Read(ref _phase);

    /// <summary>The loop begins.</summary>
    public void Begin() => Volatile.Write(ref _phase, (int)LoopPhase.Runs);

    /// <summary>The loop turns once more.</summary>
    public void Turn() => _turns++;

    /// <summary>The loop has ended, or is about to.</summary>
    public void End() => Volatile.Write(ref _phase, (int)LoopPhase.Ended);
}
