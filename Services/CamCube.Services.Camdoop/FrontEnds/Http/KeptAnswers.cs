namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>Answers that are given to several who ask the same at about the same time: each is asked for once, however
/// many want it. Any thread.</summary>
/// <param name="time">The clock.</param>
/// <param name="age">How old an answer may be.</param>
internal sealed class KeptAnswers(TimeProvider time, TimeSpan age)
{
    // Others are asked for each time.
    private const int Most = 64;
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Kept> _kept = [];

    /// <summary>The answer.</summary>
    /// <param name="of">To what.</param>
    /// <param name="ask">Asks for it.</param>
    public Task<FeedAnswer> GetAsync(string of, Func<string, Task<FeedAnswer>> ask)
    {
        Kept kept;
        lock (_lock)
        {
            if (_kept.TryGetValue(of, out Kept? there) && !IsOld(there))
            {
                return there.Answer.Task;
            }

            if (_kept.Count >= Most)
            {
                foreach (string old in _kept.Where(k => IsOld(k.Value)).Select(static k => k.Key).ToArray())
                {
                    _kept.Remove(old);
                }
            }

            kept = new Kept();
            if (_kept.Count < Most || there is not null)
            {
                _kept[of] = kept;
            }
        }

        return AskAsync(kept, of, ask);
    }

    private async Task<FeedAnswer> AskAsync(Kept kept, string of, Func<string, Task<FeedAnswer>> ask)
    {
        try
        {
            kept.Answer.SetResult(await ask(of).ConfigureAwait(false));
        }
        catch (Exception e)
        {
            kept.Answer.SetException(e);
        }

        lock (_lock)
        {
            kept.Since = time.GetTimestamp();
        }

        return await kept.Answer.Task.ConfigureAwait(false);
    }

    // Under the lock.
    private bool IsOld(Kept kept) => kept.Since is { } since && time.GetElapsedTime(since) > age;

    private sealed class Kept
    {
        public TaskCompletionSource<FeedAnswer> Answer { get; } =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>When the answer came; null: it has not.</summary>
        public long? Since { get; set; }
    }
}
