using CamCube.Runtime.Workers;
using CamCube.Testing;

namespace CamCube.Runtime.Tests.Workers;

/// <summary>Work off the loop in virtual time: at once, with an answer after its cost.</summary>
[Collection(nameof(Alone))]
public sealed class OffloadTests
{
    private static readonly TimeSpan Cost = TimeSpan.FromMilliseconds(3);

    [Fact]
    public void Work_runs_at_once_and_its_answer_comes_after_its_cost_on_the_loop()
    {
        using TestCube cube = One(out Script script);
        IServer server = script[0].Server;
        bool ran = false;
        ValueTask<OffloadResult<int>> task = server.Work.OffloadAsync(
            (n, token) =>
            {
                Assert.Null(SynchronizationContext.Current);
                Assert.False(token.IsCancellationRequested);
                ran = true;
                return n + 1;
            },
            41,
            new OffloadOptions { Cost = Cost }
        );
        Assert.True(ran && !task.IsCompleted);
        cube.Cube.AdvanceTo(2_999_999);
        Assert.False(task.IsCompleted);
        cube.Cube.AdvanceTo(3_000_000);
        Assert.True(task.IsCompleted);
        Assert.Equal(new OffloadResult<int>(OffloadStatus.Done, 42, null), cube.Await(task));
        cube.AssertQuiet();
    }

    [Fact]
    public void Work_that_costs_more_than_its_deadline_times_out_then_and_its_result_is_disposed()
    {
        using TestCube cube = One(out Script script);
        var result = new Result();
        ValueTask<OffloadResult<Result>> task = script[0]
            .Server.Work.OffloadAsync(
                static (r, _) => r,
                result,
                new OffloadOptions { Cost = Cost, Deadline = TimeSpan.FromMilliseconds(2) }
            );
        cube.Cube.AdvanceTo(2_000_000);
        Assert.Equal(OffloadStatus.TimedOut, cube.Await(task).Status);
        Assert.Equal(1, result.Disposed);

        // Defaults: a second for short work, a minute for long.
        Assert.Equal(OffloadStatus.TimedOut, Status(OffloadClass.Short, 2));
        Assert.Equal(OffloadStatus.Done, Status(OffloadClass.Long, 2));
        Assert.Equal(OffloadStatus.TimedOut, Status(OffloadClass.Long, 61));

        OffloadStatus Status(OffloadClass kind, int seconds) =>
            cube.Await(
                script[0]
                    .Server.Work.OffloadAsync(
                        static (n, _) => n,
                        0,
                        new OffloadOptions { Class = kind, Cost = TimeSpan.FromSeconds(seconds) }
                    )
            ).Status;
    }

    [Fact]
    public void Work_that_throws_is_an_answer_and_a_fault_only_if_it_is_rethrown()
    {
        using TestCube cube = One(out Script script);
        IServer server = script[0].Server;
        OffloadResult<int> failed = cube.Await(Throw());
        Assert.Equal((OffloadStatus.Failed, "planned"), (failed.Status, failed.Error!.Message));
        Assert.Empty(cube.Faults);
        server.Loop.Run(async () => throw (await Throw()).Error!);
        cube.Advance(Cost * 2);
        Assert.Equal("planned", Assert.Single(cube.Faults).Exception.Message);

        ValueTask<OffloadResult<int>> Throw() =>
            server.Work.OffloadAsync<int, int>(
                static (_, _) => throw new InvalidDataException("planned"),
                0,
                new OffloadOptions { Cost = Cost }
            );
    }

    [Fact]
    public void More_than_may_wait_is_Busy_per_class_and_server()
    {
        using TestCube cube = One(out Script script, new WorkOptions { ShortLimit = 3, LongLimit = 2 }, servers: 2);
        List<ValueTask<OffloadResult<int>>> open = [];
        foreach (
            (int rank, OffloadClass kind, int most) in (List<(int, OffloadClass, int)>)
                [(0, OffloadClass.Short, 3), (0, OffloadClass.Long, 2), (1, OffloadClass.Short, 3)]
        )
        {
            for (int i = 0; i < most; i++)
            {
                open.Add(Start(rank, kind));
            }

            ValueTask<OffloadResult<int>> refused = Start(rank, kind);
            Assert.True(refused.IsCompleted);
            Assert.Equal(OffloadStatus.Busy, cube.Await(refused).Status);
        }

        Assert.All(open, task => Assert.Equal(OffloadStatus.Done, cube.Await(task).Status));
        Assert.Equal(OffloadStatus.Done, cube.Await(Start(0, OffloadClass.Short)).Status);

        ValueTask<OffloadResult<int>> Start(int rank, OffloadClass kind) =>
            script[rank]
                .Server.Work.OffloadAsync(static (n, _) => n, 0, new OffloadOptions { Class = kind, Cost = Cost });
    }

    [Fact]
    public void When_the_instance_ends_the_answer_is_Stopped_and_the_result_is_disposed()
    {
        using TestCube cube = One(out Script script);
        IServer server = script[0].Server;
        Result open = new(),
            late = new();
        ValueTask<OffloadResult<Result>> task = server.Work.OffloadAsync(
            static (r, _) => r,
            open,
            new OffloadOptions { Cost = Cost }
        );
        cube.Cube.Kill(0);
        Assert.Equal(OffloadStatus.Stopped, cube.Await(task).Status);
        Assert.Equal(1, open.Disposed);
        Assert.Equal(
            OffloadStatus.Stopped,
            cube.Await(server.Work.OffloadAsync(static (r, _) => r, late, default)).Status
        );
        Assert.Equal(0, late.Disposed);
        cube.Advance(Cost * 2);
        Assert.Equal(1, open.Disposed);
    }

    [Fact]
    public void Options_that_mean_nothing_are_refused()
    {
        using TestCube cube = One(out Script script);
        foreach (
            OffloadOptions wrong in (OffloadOptions[])
                [
                    new() { Cost = TimeSpan.FromTicks(-1) },
                    new() { Deadline = TimeSpan.FromTicks(-1) },
                    new() { Deadline = TimeSpan.FromDays(2) },
                    new() { Class = (OffloadClass)2 },
                ]
        )
        {
            Assert.Throws<ArgumentOutOfRangeException>(() =>
                script[0].Server.Work.OffloadAsync(static (n, _) => n, 0, wrong)
            );
        }
    }

    [Fact]
    public void Work_off_the_loop_allocates_nothing()
    {
        using TestCube cube = One(out Script script);
        IServer server = script[0].Server;
        long n = 0;
        server.Loop.Run(async () =>
        {
            while (
                (
                    await server.Work.OffloadAsync(
                        static (x, _) => x + 1,
                        n,
                        new OffloadOptions { Cost = TimeSpan.FromMicroseconds(2) }
                    )
                ).IsDone
            )
            {
                n++;
            }
        });
        cube.Advance(TimeSpan.FromMilliseconds(300));
        long begin = n,
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(n - begin > 1_000, $"{n - begin} operations");
        Assert.True(allocated == 0, $"{allocated} bytes for {n - begin} operations");
    }

    private static TestCube One(out Script script, WorkOptions? work = null, int servers = 1)
    {
        script = new Script();
        TestCube cube = new TestCube(servers, 1, 1, server: new ServerOptions { Work = work ?? new WorkOptions() }).Add(
            script.Define()
        );
        _ = cube.Cube;
        return cube;
    }

    private sealed class Result : IDisposable
    {
        public int Disposed { get; private set; }

        public void Dispose() => Disposed++;
    }
}
