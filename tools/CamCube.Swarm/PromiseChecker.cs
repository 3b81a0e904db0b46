using CamCube.Simulator.Checkers;

namespace CamCube.Swarm;

/// <summary>One promise. Who looks at it is a workload's ledger.</summary>
/// <param name="name">What is promised.</param>
public sealed class PromiseChecker(string name) : Checker(name)
{
    /// <summary>Looked, and says what was wrong if something was.</summary>
    public void Look(bool isRight, long nanos, Func<string> wrong)
    {
        Checks++;
        if (!isRight)
        {
            Fail(nanos, wrong());
        }
    }
}
