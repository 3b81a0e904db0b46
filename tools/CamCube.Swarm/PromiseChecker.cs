using CamCube.Simulator.Checkers;

namespace CamCube.Swarm;

/// <summary>One promise of a service. Who looks at it is a workload's ledger, or a watch.</summary>
/// <param name="name">What is promised.</param>
public sealed class PromiseChecker(string name) : Checker(name)
{
    /// <summary>Looks at one thing.</summary>
    /// <param name="isRight">Whether it is as it must be.</param>
    /// <param name="nanos">Virtual time.</param>
    /// <param name="what">What is wrong.</param>
    /// <returns>Whether it is.</returns>
    public bool Check(bool isRight, long nanos, Func<string> what)
    {
        Checks++;
        if (!isRight)
        {
            Fail(nanos, what());
        }

        return isRight;
    }

    /// <summary>Has looked at some things, and they are as they must be.</summary>
    public void NoteRight(long count = 1) => Checks += count;
}
