using CamCube.Histories;

namespace CamCube.Testing;

/// <summary>What a client was told (<see cref="SwarmClient.AskAsync{TService,TResult}"/>).</summary>
/// <typeparam name="T">What a service answers.</typeparam>
/// <param name="Outcome">Done: it was answered. Unavailable: nobody was asked, so it was not done. Unknown: nobody
/// knows; it may be done yet.</param>
/// <param name="Result">The answer; the default value where there is none.</param>
/// <param name="Why">Why there is no answer; empty where there is one.</param>
public readonly record struct SwarmAnswer<T>(HistoryAnswer Outcome, T? Result, string Why)
{
    /// <summary>Whether it was answered.</summary>
    public bool IsAnswered => Outcome == HistoryAnswer.Done;

    /// <summary>The answer.</summary>
    /// <exception cref="InvalidOperationException">There is none; the message says why.</exception>
    public T Value => IsAnswered ? Result! : throw new InvalidOperationException($"There is no answer: {Why}");

    /// <summary>The outcome for a history, of a service that says in its answer whether something was done.</summary>
    /// <param name="isDone">Told the answer: true, it was done; false, nobody knows.</param>
    /// <returns>As <see cref="Outcome"/>, but Unknown where the answer says so.</returns>
    public HistoryAnswer OutcomeIf(Func<T, bool> isDone)
    {
        ArgumentNullException.ThrowIfNull(isDone);
        return IsAnswered && !isDone(Result!) ? HistoryAnswer.Unknown : Outcome;
    }
}
