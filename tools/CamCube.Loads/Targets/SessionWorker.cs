using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Settings;

namespace CamCube.Loads.Targets;

/// <summary>One operation after the other at a session. One task.</summary>
/// <param name="options">How long an answer is waited for.</param>
/// <param name="session">The session.</param>
/// <param name="course">When operations begin.</param>
/// <param name="source">What is asked.</param>
internal sealed class SessionWorker(LoadOptions options, ILoadSession session, LoadCourse course, LoadSource source)
{
    // Who is told that nobody is there does not ask again at once.
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(100);

    /// <summary>What came of operations.</summary>
    public LoadTally Tally { get; } = new();

    /// <summary>Runs until the phase is over and the last answer is there.</summary>
    public async Task RunAsync()
    {
        while (course.TryTakeAhead(LoadClock.Nanos, out long index, out long dueNanos))
        {
            // Of less than a timer's step it does not wait: it would come later than it is early.
            TimeSpan early = TimeSpan.FromTicks((dueNanos - LoadClock.Nanos) / 100);
            if (early.TotalMilliseconds >= 1)
            {
                await Task.Delay(early).ConfigureAwait(false);
            }

            LoadOperation operation = source.Next(index);
            string? error = await AskAsync(operation).ConfigureAwait(false);
            source.End(operation);
            if (error is null)
            {
                Tally.Add(operation.Kind, LoadClock.Nanos - dueNanos);
                continue;
            }

            Tally.Fail(operation.Kind, error);
            if (error == "refused")
            {
                await Task.Delay(Rest).ConfigureAwait(false);
            }
        }
    }

    private async Task<string?> AskAsync(LoadOperation operation)
    {
        using var limit = new CancellationTokenSource(options.Patience);
        try
        {
            return await session.AskAsync(operation, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return "timeout";
        }
        catch (HttpRequestException e)
        {
            return e.HttpRequestError == HttpRequestError.ConnectionError ? "refused" : "closed";
        }
        catch (IOException)
        {
            return "closed";
        }
    }
}
