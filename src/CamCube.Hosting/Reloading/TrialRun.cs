using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Reloading;

/// <summary>Tries new code beside the servers, for a bounded time. One order at a time.</summary>
internal sealed class TrialRun(TorusShape shape, ServerOptions options, TimeSpan limit, TimeProvider time)
{
    /// <summary>Threads that may be lost in code that hangs; no trial begins when they are.</summary>
    private const int MostLost = 4;
    private int _lost;

    /// <summary>Null, or what is wrong with them: a line.</summary>
    public async Task<string?> TryAsync(Coordinate place, IReadOnlyList<ServiceDefinition> services)
    {
        if (Volatile.Read(ref _lost) >= MostLost)
        {
            return $"{MostLost} threads are lost in constructors that hang; start the host anew.";
        }

        var ended = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        Interlocked.Increment(ref _lost);
        new Thread(() =>
        {
            try
            {
                ended.SetResult(ServiceTrial.Run(shape, place, options, services));
            }
            catch (Exception e)
            {
                ended.SetResult($"it could not be tried: {ErrorText.Describe(e)}");
            }

            Interlocked.Decrement(ref _lost);
        })
        {
            Name = "camcube-trial",
            IsBackground = true,
        }.Start();
        try
        {
            return await ended.Task.WaitAsync(limit, time);
        }
        catch (TimeoutException)
        {
            return $"its constructor or OnStart did not end within {limit.TotalSeconds:0.###} s; that thread is lost.";
        }
    }
}
