namespace CamCube;

/// <summary>Work that would stop the loop: sorting, compressing, hashing of much, foreign libraries. Loop
/// only.</summary>
public interface IServerWork
{
    /// <summary>
    /// Runs work on one of the process's worker threads and goes on here when it has ended. In virtual time it runs at
    /// once, on the loop, and its result comes after <see cref="OffloadOptions.Cost"/>, so runs can be repeated. When
    /// the deadline passes, or the instance ends, its token is cancelled and the answer comes at once, whether it heeds
    /// the token or not; a result that nobody takes then is disposed if it can be (on the loop). A thread whose work
    /// does not heed it is replaced, within a bound, and named in the status. 0 bytes allocated per call in steady
    /// state.
    /// </summary>
    /// <param name="work">The work; best a static method or lambda. It touches nothing of the server and no packets,
    /// and chunks only if they are pinned (<see cref="Chunk"/>). What it registers at the token runs on the loop: it
    /// must be short.</param>
    /// <param name="state">What it is given: its own until the answer comes, and for good unless the answer is Done,
    /// Failed or Busy.</param>
    /// <param name="options">Class, deadline and cost.</param>
    /// <returns>To be awaited once. What the work throws is an answer; it is a fault of the service only if the service
    /// rethrows it.</returns>
    ValueTask<OffloadResult<TResult>> OffloadAsync<TState, TResult>(
        [OffLoop] Func<TState, CancellationToken, TResult> work,
        TState state,
        OffloadOptions options
    );
}
