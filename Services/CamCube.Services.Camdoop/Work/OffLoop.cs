using CamCube.Services.Camdoop.Assemblies;

namespace CamCube.Services.Camdoop.Work;

/// <summary>Work on pairs off the loop. Loop only.</summary>
internal static class OffLoop
{
    /// <summary>What is wrong where the service has stopped meanwhile.</summary>
    public const string Stopped = "the service has stopped";

    // So much a byte costs in virtual time.
    private const double NanosPerByte = 4;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    /// <summary>Does it, later if too much waits.</summary>
    /// <param name="server">The server.</param>
    /// <param name="state">What it is given.</param>
    /// <param name="work">The work.</param>
    /// <param name="bytes">How much it looks at.</param>
    /// <param name="deadline">How long it may take; null: as long as it does.</param>
    /// <param name="functions">The functions in C# that it calls, which have a deadline of their own; null: it calls
    /// none.</param>
    /// <param name="lateWords">Words for that it did not return in time, if it calls none.</param>
    /// <returns>What is wrong, in words; null: nothing.</returns>
    public static async ValueTask<string?> RunAsync<TState>(
        IServer server,
        TState state,
        [OffLoop] Func<TState, string?> work,
        long bytes,
        TimeSpan? deadline = null,
        FunctionSet? functions = null,
        string? lateWords = null
    )
    {
        long nanos = functions is { IsStuck: true } ? long.MaxValue : (long)(bytes * NanosPerByte);
        var options = new OffloadOptions
        {
            Class = OffloadClass.Long,
            Deadline = functions?.Deadline ?? deadline ?? OffloadOptions.MaxDeadline,
            Cost = TimeSpan.FromTicks(nanos / TimeSpan.NanosecondsPerTick),
        };
        while (true)
        {
            var begin = new Begin();
            OffloadResult<string?> result = await server.Work.OffloadAsync(
                static (s, _) => s.begin.TryTake() ? s.work(s.state) : null,
                (work, state, begin),
                options
            );
            switch (result.Status)
            {
                case OffloadStatus.Done:
                    return result.Value;
                case OffloadStatus.Failed when result.Error is JobFunctionException error:
                    return error.Message;
                case OffloadStatus.Failed:
                    return $"{result.Error!.GetType().Name}: {result.Error.Message}";
                case OffloadStatus.TimedOut when functions is not { IsStuck: true } && begin.TryTake():
                    // It waited for a thread that others have, and is not to blame: now it does not run any more.
                    break;
                case OffloadStatus.TimedOut:
                    functions?.IsLost = true;
                    return functions?.LateWords
                        ?? lateWords
                        ?? $"it did not return within {options.Deadline.TotalSeconds} s";
                case OffloadStatus.Busy when await server.DelayAsync(Pause):
                    break;
                default:
                    functions?.IsLost = true;
                    return Stopped;
            }
        }
    }

    // Of who would run it and who would give it up the first one has it.
    private sealed class Begin
    {
        private int _isTaken;

        public bool TryTake() => Interlocked.Exchange(ref _isTaken, 1) == 0;
    }
}
