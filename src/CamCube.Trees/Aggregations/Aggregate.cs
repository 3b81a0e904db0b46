namespace CamCube.Trees;

/// <summary>What became of a question to all servers
/// (<see cref="AggregationService{TQuestion, TValue}.AggregateAsync"/>).</summary>
/// <param name="Result">Enough: it was answered. TimedOut: not in time, or more questions are open than can be.
/// Stopped: the service stops, or the asker has cancelled.</param>
/// <param name="Value">The values of <paramref name="Servers"/> servers in one; if there are none, the default.</param>
/// <param name="Servers">How many servers' values are in it, each once. Less than all that can be reached: some were
/// lost meanwhile.</param>
/// <typeparam name="TValue">A value.</typeparam>
public readonly record struct Aggregate<TValue>(WaitResult Result, TValue Value, int Servers)
    where TValue : unmanaged
{
    /// <summary>Whether there is an answer; the rest means something only then.</summary>
    public bool IsAnswered => Result == WaitResult.Enough;
}
