namespace CamCube.Trees;

/// <summary>Who pulls. Loop only.</summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public interface IPullSink<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    /// <summary>What to ask for, from now on: at the first opening, and whenever the pull broke off. What was not
    /// consumed before is void, and comes again.</summary>
    TRequest From(PullInput<TRequest> input);

    /// <summary>Bytes are here that were not, or <see cref="PullInput{TRequest}.IsWhole"/>.</summary>
    void OnReadable(PullInput<TRequest> input);

    /// <summary>Its vertex is played by somebody who does not answer.</summary>
    /// <param name="input">The pull.</param>
    /// <param name="why">What was said.</param>
    /// <returns>Whether to ask again, later.</returns>
    bool OnRefused(PullInput<TRequest> input, PullRefusal why);
}
