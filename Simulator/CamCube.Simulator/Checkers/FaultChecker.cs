namespace CamCube.Simulator.Checkers;

/// <summary>No service threw.</summary>
public sealed class FaultChecker() : Checker("no-exception")
{
    /// <summary>Looks at what was told of faults.</summary>
    internal void Check(ClaimHistory history, long nanos)
    {
        Checks++;
        foreach (string fault in history.Faults)
        {
            Fail(nanos, fault.ReplaceLineEndings(" | "));
        }
    }
}
