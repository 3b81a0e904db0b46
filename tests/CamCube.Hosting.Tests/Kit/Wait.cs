namespace CamCube.Hosting.Tests.Kit;

/// <summary>Bounds every wait of a test, and says what was waited for.</summary>
internal static class Wait
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static async Task SoonAsync(this Task task, Func<string>? state = null)
    {
        try
        {
            await task.WaitAsync(Limit);
        }
        catch (TimeoutException) when (!task.IsCompleted)
        {
            throw new TimeoutException($"Nothing within {Limit.TotalSeconds} s. {state?.Invoke()}");
        }
    }

    public static async Task<T> SoonAsync<T>(this Task<T> task, Func<string>? state = null)
    {
        await ((Task)task).SoonAsync(state);
        return await task;
    }
}
