namespace CamCube.Simulator.Checkers;

/// <summary>No service threw.</summary>
public sealed class FaultChecker() : Checker("no-exception")
{
    /// <summary>Looks at what was told of faults.</summary>
    /// <param name="history">What was told.</param>
    /// <param name="nanos">Virtual time.</param>
    /// <param name="isMeant">Whether a service was right to throw; null: none is.</param>
    internal void Check(ClaimHistory history, long nanos, Func<string, bool>? isMeant = null)
    {
        Checks++;
        foreach (string fault in history.Faults)
        {
            if (isMeant?.Invoke(fault) != true)
            {
                Fail(nanos, fault.ReplaceLineEndings(" | "));
            }
        }
    }
}
