using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.KeyValues;

/// <summary>One promise of the key-value store (docs/key-value.md).</summary>
/// <param name="name">What is checked.</param>
internal sealed class KeyValueChecker(string name) : Checker(name)
{
    /// <summary>Looks at one thing.</summary>
    /// <param name="isRight">Whether it is as it must be.</param>
    /// <param name="nanos">Virtual time.</param>
    /// <param name="what">What is wrong.</param>
    public void Check(bool isRight, long nanos, Func<string> what)
    {
        Checks++;
        if (!isRight)
        {
            Fail(nanos, what());
        }
    }

    /// <summary>Has looked at many things.</summary>
    public void NoteRight(long count) => Checks += count;
}
