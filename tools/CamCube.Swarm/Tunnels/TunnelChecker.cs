using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.Tunnels;

/// <summary>One promise of the tunnel. What looks at it is the ledger.</summary>
/// <param name="name">What is promised.</param>
internal sealed class TunnelChecker(string name) : Checker(name)
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
