using CamCube.Runtime.Async;

namespace CamCube.Runtime.Tests;

/// <summary>Both signals a loop may sleep on: the system's and the portable one.</summary>
public sealed class LoopSignalTests
{
    private const long Ages = 60_000_000_000;

    public static TheoryData<bool> Kinds => OperatingSystem.IsLinux() ? [true, false] : [false];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_signal_given_before_the_wait_is_kept(bool native)
    {
        using LoopSignal signal = Make(native);
        signal.Set();
        signal.Set();
        signal.Wait(Ages);

        // Two signals count as one: this wait lasts until its time is over.
        TimeProvider time = TimeProvider.System;
        long begin = time.GetTimestamp();
        signal.Wait(20_000_000);
        Assert.True(time.GetElapsedTime(begin).TotalMilliseconds >= 15);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_signal_from_another_thread_ends_the_sleep(bool native)
    {
        using LoopSignal signal = Make(native);
        Task sleep = Task.Factory.StartNew(() => signal.Wait(Ages), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await Task.Delay(20, TestContext.Current.CancellationToken);
        Assert.False(sleep.IsCompleted);
        signal.Set();
        await sleep.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Many_signals_never_block_and_a_wait_of_no_time_returns(bool native)
    {
        using LoopSignal signal = Make(native);
        for (int i = 0; i < 10_000; i++)
        {
            signal.Set();
        }

        signal.Wait(0);
        signal.Wait(0);
    }

    private static LoopSignal Make(bool native) => native ? new EventDescriptorSignal() : new PortableLoopSignal();
}
