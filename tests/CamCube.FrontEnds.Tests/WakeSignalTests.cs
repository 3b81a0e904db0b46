using CamCube.FrontEnds.Pool;

namespace CamCube.FrontEnds.Tests;

public sealed class WakeSignalTests
{
    [Fact]
    public async Task Sets_before_a_wait_let_one_wait_pass()
    {
        var signal = new WakeSignal();
        signal.Set();
        signal.Set();
        Assert.True(signal.WaitAsync().IsCompletedSuccessfully);
        Task second = signal.WaitAsync().AsTask();
        Assert.False(second.IsCompleted);
        signal.Set();
        await second.WaitAsync(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task No_set_is_lost_between_threads()
    {
        const int Rounds = 20_000;
        var signal = new WakeSignal();
        int wanted = 0;
        int seen = 0;
        Task setting = Task.Factory.StartNew(
            () =>
            {
                for (int i = 0; i < Rounds; i++)
                {
                    Interlocked.Increment(ref wanted);
                    signal.Set();
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        while (seen < Rounds)
        {
            await signal.WaitAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
            seen = Volatile.Read(ref wanted);
        }

        await setting;
    }
}
