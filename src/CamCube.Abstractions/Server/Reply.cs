using System.Diagnostics.CodeAnalysis;

namespace CamCube;

/// <summary>What became of a question (<see cref="ReplyTable{T}.AskAsync"/>).</summary>
/// <param name="Result">Enough: it was answered. TimedOut: no attempt was, or too many questions are open. Stopped: the
/// service stops, or the asker has cancelled.</param>
/// <param name="Value">The reply; only if it was answered.</param>
/// <param name="Attempts">How often it was sent; 0: too many questions are open.</param>
/// <typeparam name="T">A reply.</typeparam>
public readonly record struct Reply<T>(WaitResult Result, T? Value, int Attempts)
{
    /// <summary>Whether there is a reply.</summary>
    [MemberNotNullWhen(true, nameof(Value))]
    public bool IsAnswered => Result == WaitResult.Enough;
}
