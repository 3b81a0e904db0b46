using CamCube.Runtime.Loop;

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
        // Each thread sleeps until the other, which it woke, wakes it: a lost signal would end that.
        using LoopSignal there = Make(native),
            back = Make(native);
        int asked = 0,
            answered = 0;
        Task[] loops =
        [
            Loop(round =>
            {
                Volatile.Write(ref asked, round);
                there.Set();
                while (Volatile.Read(ref answered) < round)
                {
                    back.Wait(Ages);
                }
            }),
            Loop(round =>
            {
                while (Volatile.Read(ref asked) < round)
                {
                    there.Wait(Ages);
                }

                Volatile.Write(ref answered, round);
                back.Set();
            }),
        ];
        await Task.WhenAll(loops).WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
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

    private static Task Loop(Action<int> step) =>
        Task.Factory.StartNew(
            () =>
            {
                for (int round = 1; round <= 1_000; round++)
                {
                    step(round);
                }
            },
            default,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );

    private static LoopSignal Make(bool native) =>
        native && OperatingSystem.IsLinux() ? new AgentSignal() : new PortableLoopSignal();
}
