namespace CamCube.Testbed.Tests;

/// <summary>Waiting for a crowd of servers that answer at the same time.</summary>
public sealed class ReadyWaitTests
{
    private const int Crowd = 512;
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Answers_that_come_on_many_threads_at_once_are_all_heard()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "testbeds need Linux");
        for (int run = 0; run < 20; run++)
        {
            int[] asked = new int[Crowd];
            using var together = new Barrier(2);
            await new ReadyWait(
                State(),
                async (rank, _) =>
                {
                    await Task.Yield();
                    if (rank < 2)
                    {
                        together.SignalAndWait(TimeSpan.FromSeconds(20), Cancel);
                    }

                    return ++asked[rank] == 1 && rank % 100 == 99 ? "not yet" : null;
                }
            ).RunAsync([.. Enumerable.Range(0, Crowd)], TimeSpan.FromSeconds(60), () => { }, Cancel);
            Assert.All(asked, (times, rank) => Assert.Equal(rank % 100 == 99 ? 2 : 1, times));
        }
    }

    [Fact]
    public async Task Those_that_are_late_are_named_with_their_reasons_and_nobody_else()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "testbeds need Linux");
        bool late = false;
        TestbedException e = await Assert.ThrowsAsync<TestbedException>(() =>
            new ReadyWait(State(), (rank, _) => Task.FromResult(rank is 3 or 5 ? $"because of {rank}" : null)).RunAsync(
                [.. Enumerable.Range(0, Crowd)],
                TimeSpan.Zero,
                () => late = true,
                Cancel
            )
        );
        Assert.True(late);
        Assert.StartsWith(
            "2 servers of 512 not ready after 0 s: 0,0,3 (because of 3), 0,0,5 (because of 5). Logs:",
            e.Message,
            StringComparison.Ordinal
        );
    }

    private static TestbedState State()
    {
        ProcessMark mine = ProcessMark.Of(Environment.ProcessId)!;
        return new TestbedState
        {
            Plan = new TestbedPlan
            {
                Name = "crowd",
                Shape = "1x1x512",
                ParallelCables = true,
                Mtu = 1500,
                RateBitsPerSecond = 0,
                Shim = "ethernet",
                FixedPlaces = false,
                Detection = "1s",
                Program = "none",
                Settings = [],
            },
            Servers =
            [
                .. Enumerable
                    .Range(0, Crowd)
                    .Select(rank => new TestbedServer($"0,0,{rank}", $"crowd-{rank}", "", mine)),
            ],
        };
    }
}
