using CamCube.Runtime.Cubes;
using CamCube.Runtime.Workers;

namespace CamCube.Simulator.Tests.Work;

/// <summary>Work off the loop in real time: threads, and those that do not come back.</summary>
[Collection(nameof(Alone))]
public sealed class LiveWorkTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly OffloadOptions Patient = new() { Deadline = TimeSpan.FromHours(1) };
    private static readonly OffloadOptions Hasty = new() { Deadline = TimeSpan.FromSeconds(50) };

    [Fact]
    public async Task Work_runs_on_another_thread_and_goes_on_on_the_loop_whatever_it_does()
    {
        await using WorkCube cube = await WorkCube.StartAsync(new WorkOptions());
        int n = 0;
        await Parallel.ForAsync(
            0,
            200,
            async (i, _) =>
            {
                string answer = await cube.Use(
                    i % 2,
                    async server =>
                    {
                        int loop = Environment.CurrentManagedThreadId;
                        OffloadResult<int> result = await server.Work.OffloadAsync(
                            static (x, _) =>
                                x % 5 == 0
                                    ? throw new InvalidDataException("planned")
                                    : Environment.CurrentManagedThreadId,
                            i,
                            Patient with
                            {
                                Class = (OffloadClass)(i / 3 % 2),
                            }
                        );
                        Assert.Equal(loop, Environment.CurrentManagedThreadId);
                        Assert.NotEqual(loop, result.Value);
                        return result.Status + result.Error?.Message;
                    }
                );
                Assert.Equal(i % 5 == 0 ? "Failedplanned" : "Done", answer);
                Interlocked.Increment(ref n);
            }
        );
        Assert.Equal(200, n);
        WorkStatus status = cube.Live.GetStatus().Servers[0].Work[0];
        Assert.Equal(("short", 0, 1_024, 0L), (status.Class, status.Waiting, status.Limit, status.Refused));
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public async Task Work_that_does_not_end_times_out_is_named_and_others_get_another_thread()
    {
        await using WorkCube cube = await WorkCube.StartAsync(new WorkOptions { Threads = 1, LostLimit = 2 });
        using var gate = new ManualResetEventSlim();
        using var result = new Result();
        Task<OffloadStatus> hanging = cube.Use(
            0,
            async server =>
                (
                    await server.Work.OffloadAsync(
                        static (s, token) => Hang(s.gate, s.result, token),
                        (gate, result),
                        Hasty
                    )
                ).Status
        );
        await result.Begun.WaitAsync(Generous);
        cube.Jump();
        Assert.Equal(OffloadStatus.TimedOut, await hanging);
        Assert.True(result.Told.IsCancellationRequested);
        Assert.True(await cube.Overran.Task.WaitAsync(Generous) is ("worker", _, 1));
        string lost = Assert.Single(cube.Live.GetStatus().Servers[0].Work[0].Lost);
        Assert.Contains("worker: ", lost, StringComparison.Ordinal);
        Assert.Contains("Work_that_does_not_end", lost, StringComparison.Ordinal);
        Assert.Empty(cube.Live.GetStatus().Servers[1].Work);
        Assert.Equal(
            7,
            await cube.Use(1, static async s => (await s.Work.OffloadAsync(static (n, _) => n, 7, Patient)).Value)
        );
        Assert.Equal(0, result.Disposed);

        // It comes back after all: the thread is not lost any more, and nobody has the result.
        gate.Set();
        await result.Gone.Task.WaitAsync(Generous);
        Assert.Equal(
            8,
            await cube.Use(1, static async s => (await s.Work.OffloadAsync(static (n, _) => n, 8, Patient)).Value)
        );
        Assert.Empty(cube.Live.GetStatus().Servers[0].Work[0].Lost);
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public async Task More_threads_than_the_limit_are_not_replaced_and_all_goes_on_when_one_comes_back()
    {
        await using WorkCube cube = await WorkCube.StartAsync(new WorkOptions { Threads = 1, LostLimit = 1 });
        using var gate = new ManualResetEventSlim();
        using var result = new Result();
        for (int i = 0; i < 4; i++)
        {
            Task<OffloadStatus> hanging = cube.Use(
                0,
                async server =>
                    (
                        await server.Work.OffloadAsync(
                            static (s, token) => Hang(s.gate, s.result, token),
                            (gate, result),
                            Hasty
                        )
                    ).Status
            );
            await (i < 2 ? result.Begun.WaitAsync(Generous) : cube.Use(0, static _ => ValueTask.FromResult(true)));
            cube.Jump();
            Assert.Equal(OffloadStatus.TimedOut, await hanging);
        }

        WorkStatus status = cube.Live.GetStatus().Servers[0].Work[0];
        Assert.Equal((2, 0), (status.Lost.Count, status.Waiting));
        Assert.Equal(
            1,
            await cube.Use(
                1,
                static async s =>
                    (await s.Work.OffloadAsync(static (n, _) => n, 1, Patient with { Class = OffloadClass.Long })).Value
            )
        );
        gate.Set();
        Assert.Equal(
            2,
            await cube.Use(1, static async s => (await s.Work.OffloadAsync(static (n, _) => n, 2, Patient)).Value)
        );
    }

    [Fact]
    public async Task Work_that_outlives_its_service_is_told_and_its_result_disposed()
    {
        await using WorkCube cube = await WorkCube.StartAsync(new WorkOptions { Threads = 1 });
        using var gate = new ManualResetEventSlim();
        using var result = new Result();
        Task<OffloadStatus> running = cube.Use(
            0,
            async server =>
                (
                    await server.Work.OffloadAsync(
                        static (s, token) => Hang(s.gate, s.result, token),
                        (gate, result),
                        Patient
                    )
                ).Status
        );
        await result.Begun.WaitAsync(Generous);
        Task<OffloadStatus> waiting = cube.Use(
            0,
            static async server => (await server.Work.OffloadAsync(static (n, _) => n, 1, Patient)).Status
        );
        await cube.Use(0, static _ => ValueTask.FromResult(0));
        await cube.Live.StopServerAsync(0);
        Assert.Equal(OffloadStatus.Stopped, await running.WaitAsync(Generous));
        Assert.Equal(OffloadStatus.Stopped, await waiting.WaitAsync(Generous));
        Assert.True(result.Told.IsCancellationRequested);

        // Others do not wait for it.
        Assert.Equal(
            3,
            await cube.Use(1, static async s => (await s.Work.OffloadAsync(static (n, _) => n, 3, Patient)).Value)
        );
        await cube.Live.StartServerAsync(0);
        Assert.Equal(
            4,
            await cube.Use(0, static async s => (await s.Work.OffloadAsync(static (n, _) => n, 4, Patient)).Value)
        );
        Assert.Single(cube.Live.GetStatus().Servers[0].Work[0].Lost);
        gate.Set();
        await result.Gone.Task.WaitAsync(Generous);
        Assert.Equal(1, result.Disposed);
    }

    [Fact]
    public async Task Work_that_outlives_the_cube_is_disposed_too()
    {
        using var gate = new ManualResetEventSlim();
        using var result = new Result();
        await using (WorkCube cube = await WorkCube.StartAsync(new WorkOptions { Threads = 1 }))
        {
            _ = cube.Use(
                0,
                async server =>
                    (
                        await server.Work.OffloadAsync(
                            static (s, token) => Hang(s.gate, s.result, token),
                            (gate, result),
                            Patient
                        )
                    ).Status
            );
            await result.Begun.WaitAsync(Generous);
        }

        gate.Set();
        await result.Gone.Task.WaitAsync(Generous);
    }

    [Fact]
    public async Task Servers_take_turns_and_what_is_too_much_of_one_is_Busy()
    {
        await using WorkCube cube = await WorkCube.StartAsync(new WorkOptions { Threads = 1, ShortLimit = 50 });
        using var gate = new ManualResetEventSlim();
        var order = new System.Collections.Concurrent.ConcurrentQueue<int>();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<int> first = cube.Use(
            0,
            async server =>
                (
                    await server.Work.OffloadAsync(
                        (g, _) =>
                        {
                            begun.SetResult();
                            g.Wait(Generous);
                            return 0;
                        },
                        gate,
                        Patient
                    )
                ).Value
        );
        await begun.Task.WaitAsync(Generous);
        Task<int> crowd = cube.Use(
            0,
            async server =>
            {
                var all = Enumerable
                    .Range(0, 60)
                    .Select(i => server.Work.OffloadAsync(Note, (order, i), Patient).AsTask())
                    .ToList();
                return all.Count(t => t.IsCompleted && t.Result.Status == OffloadStatus.Busy)
                    + (await Task.WhenAll(all)).Count(r => r.IsDone);
            }
        );
        await cube.Use(0, static _ => ValueTask.FromResult(0));
        Task<int> few = cube.Use(
            1,
            async server =>
            {
                await server.Work.OffloadAsync(Note, (order, 1_000), Patient);
                return 0;
            }
        );
        await cube.Use(1, static _ => ValueTask.FromResult(0));
        Assert.Equal(10, cube.Live.GetStatus().Servers[0].Work[0].Refused);
        gate.Set();
        await Task.WhenAll(first, few, crowd).WaitAsync(Generous);
        Assert.Equal(60, await crowd);
        Assert.InRange(order.ToList().IndexOf(1_000), 0, 1);

        static int Note((System.Collections.Concurrent.ConcurrentQueue<int> Order, int I) s, CancellationToken token)
        {
            s.Order.Enqueue(s.I);
            return 0;
        }
    }

    [Fact]
    public async Task Work_off_the_loop_allocates_nothing_there_and_on_its_thread()
    {
        // Alone: a neighbour that is suspected, on a busy machine, is news, and news allocate.
        await using WorkCube cube = await WorkCube.StartAsync(new WorkOptions { Threads = 1 }, servers: 1);
        (long Loop, long Worker) bytes = await cube.Use(
            0,
            static async server =>
            {
                long before = 0,
                    worker = 0;
                for (int i = 0; i < 5_000; i++)
                {
                    if (i == 3_000)
                    {
                        before = GC.GetAllocatedBytesForCurrentThread();
                    }

                    OffloadResult<long> result = await server.Work.OffloadAsync(
                        static (_, _) => GC.GetAllocatedBytesForCurrentThread(),
                        i,
                        Patient
                    );
                    worker = i == 3_000 ? result.Value : worker;
                    if (i == 4_999)
                    {
                        worker = result.Value - worker;
                    }
                }

                return (GC.GetAllocatedBytesForCurrentThread() - before, worker);
            }
        );
        Assert.Equal((0L, 0L), bytes);
    }

    private static Result Hang(ManualResetEventSlim gate, Result result, CancellationToken token)
    {
        result.Told = token;
        result.Begun.Release();
        gate.Wait(Generous, CancellationToken.None);
        return result;
    }

    private sealed class Result : IDisposable
    {
        private int _disposed;

        public int Disposed => Volatile.Read(ref _disposed);

        /// <summary>Released by each work that has begun.</summary>
        public SemaphoreSlim Begun { get; } = new(0);

        public CancellationToken Told { get; set; }

        public TaskCompletionSource Gone { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Dispose()
        {
            Interlocked.Increment(ref _disposed);
            Gone.TrySetResult();
        }
    }
}
