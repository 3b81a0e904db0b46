using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>The requests of one server that wait for another version of a key. Any thread.</summary>
/// <param name="gate">The server.</param>
/// <param name="options">Settings.</param>
internal sealed class KeyValueWaits(IServerGate gate, KeyValueHttpOptions options)
{
    // The store knows nothing of clients: what it waits for one who has gone ends after so long.
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Standard = TimeSpan.FromSeconds(30);
    private int _count;

    /// <summary>Those that wait now.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Waits.</summary>
    /// <returns>Done, or why not; Conflict: the version is still the same, the client has gone, or the port is being
    /// closed. Null: too many wait.</returns>
    public async Task<KeyValueAnswer?> WaitAsync(HttpContext context, KeyValueTarget target)
    {
        TimeSpan left = target.Timeout ?? (Standard < options.LongestWait ? Standard : options.LongestWait);
        TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        var closing = context.Features.Get<IConnectionLifetimeNotificationFeature>();
        using CancellationTokenRegistration gone = EndAt(context.RequestAborted, ended),
            closed = EndAt(closing?.ConnectionClosedRequested ?? default, ended);
        while (true)
        {
            TimeSpan time = left < Longest ? left : Longest;
            if (Interlocked.Increment(ref _count) > options.WaitsAtOnce)
            {
                Interlocked.Decrement(ref _count);
                return null;
            }

            Task<KeyValueAnswer> asked = AskAsync(target, time);
            if (await Task.WhenAny(asked, ended.Task) != asked)
            {
                return new KeyValueAnswer(KeyValueStatus.Conflict, target.Wait!.Value);
            }

            KeyValueAnswer answer = await asked;
            left -= time;
            if (answer.Status != KeyValueStatus.Conflict || left <= TimeSpan.Zero)
            {
                return answer;
            }
        }
    }

    private static CancellationTokenRegistration EndAt(CancellationToken token, TaskCompletionSource ended) =>
        token.UnsafeRegister(static state => ((TaskCompletionSource)state!).TrySetResult(), ended);

    // Counted until the store has ended it, whoever is still there.
    private async Task<KeyValueAnswer> AskAsync(KeyValueTarget target, TimeSpan time)
    {
        try
        {
            return await gate.CallAsync<IKeyValueStore, (KeyValueTarget Target, TimeSpan Time), KeyValueAnswer>(
                static (s, a) => s.WaitAsync(a.Target.Key, a.Target.Wait!.Value, a.Time),
                (target, time)
            );
        }
        catch (ServiceUnavailableException)
        {
            return new KeyValueAnswer(KeyValueStatus.Unavailable);
        }
        finally
        {
            Interlocked.Decrement(ref _count);
        }
    }
}
