using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.Streams;

/// <summary>One promise of streams (docs/streams.md).</summary>
/// <param name="name">What is checked.</param>
public sealed class StreamChecker(string name) : Checker(name)
{
    /// <summary>Has looked at one thing, and it is as it must be.</summary>
    public void NoteRight() => Checks++;

    /// <summary>Looks at one thing.</summary>
    /// <param name="isRight">Whether it is as it must be.</param>
    /// <param name="nanos">Virtual time.</param>
    /// <param name="what">What is wrong.</param>
    public bool Check(bool isRight, long nanos, Func<string> what)
    {
        Checks++;
        if (!isRight)
        {
            Fail(nanos, what());
        }

        return isRight;
    }
}
