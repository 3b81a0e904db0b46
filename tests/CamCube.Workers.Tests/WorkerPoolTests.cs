using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;

namespace CamCube.Workers.Tests;

public sealed class WorkerPoolTests
{
    [Fact]
    public async Task One_worker_answers_one_job_after_the_other()
    {
        using IWorkers workers = WorkerPools.Open(Shell.Kind());
        string first = (await workers.RunAsync(Shell.Job("pid"))).Text();
        Assert.Equal("a b", (await workers.RunAsync(Shell.Job("say a b"))).Text());
        Assert.Equal(first, (await workers.RunAsync(Shell.Job("pid"))).Text());
        Assert.Equal(3, workers.Summary.Answered);
        Assert.Equal("ready\n"u8, workers.Summary.Hello.Span);
    }

    [Theory]
    [InlineData("exit", WorkerStatus.Died)]
    [InlineData("abort", WorkerStatus.Died)]
    [InlineData("half", WorkerStatus.Died)]
    [InlineData("rubbish", WorkerStatus.Rubbish)]
    [InlineData("twice", WorkerStatus.Rubbish)]
    [InlineData("long", WorkerStatus.Rubbish)]
    public async Task A_worker_that_breaks_the_rules_is_replaced(string mischief, WorkerStatus status)
    {
        using IWorkers workers = WorkerPools.Open(Shell.Kind(Shell.Options with { AnswerLimit = 50_000 }));
        string first = (await workers.RunAsync(Shell.Job("pid"))).Text();
        WorkerResult result = await workers.RunAsync(Shell.Job(mischief));
        Assert.Equal(status, result.Status);
        Assert.NotEqual("", result.Text);
        Assert.NotEqual(first, (await workers.RunAsync(Shell.Job("pid"))).Text());
        Assert.False(IsAlive(int.Parse(first)));
        Assert.Equal(1, workers.Summary.Killed);
    }

    [Fact]
    public async Task A_worker_that_hangs_is_killed_at_its_deadline()
    {
        using IWorkers workers = WorkerPools.Open(
            Shell.Kind(Shell.Options with { Deadline = TimeSpan.FromSeconds(2) })
        );
        Assert.Equal(WorkerStatus.TimedOut, (await workers.RunAsync(Shell.Job("hang"))).Status);
        Assert.Equal(WorkerStatus.KilledBefore, (await workers.RunAsync(Shell.Job("hang"))).Status);
    }

    [Fact]
    public async Task What_killed_a_worker_is_remembered_and_the_oldest_forgotten()
    {
        using IWorkers workers = WorkerPools.Open(Shell.Kind(Shell.Options with { RememberedKillers = 2 }));
        foreach (string mischief in new[] { "exit 1", "exit 2" })
        {
            Assert.Equal(WorkerStatus.Died, (await workers.RunAsync(Shell.Job(mischief))).Status);
            Assert.Equal(WorkerStatus.KilledBefore, (await workers.RunAsync(Shell.Job(mischief))).Status);
        }

        Assert.True((await workers.RunAsync(Shell.Job("say it"))).IsAnswered);
        Assert.Equal(WorkerStatus.Died, (await workers.RunAsync(Shell.Job("exit 3"))).Status);
        Assert.Equal(2, workers.Summary.Remembered);
        Assert.Equal(WorkerStatus.Died, (await workers.RunAsync(Shell.Job("exit 1"))).Status);
    }

    [Fact]
    public async Task More_than_may_wait_are_refused_and_one_that_waits_can_be_taken_back()
    {
        IWorkers workers = WorkerPools.Open(Shell.Kind(Shell.Options with { QueueLimit = 1 }));
        int pid = int.Parse((await workers.RunAsync(Shell.Job("pid"))).Text());
        Task<WorkerResult> running = workers.RunAsync(Shell.Job("hang")).AsTask();
        using CancellationTokenSource cancel = new();
        Task<WorkerResult> waiting = workers.RunAsync(Shell.Job("say late"), cancel.Token).AsTask();
        Task<WorkerResult> other = workers.RunAsync(Shell.Job("say later")).AsTask();

        // Whether the first was begun when the others came is the scheduler's: of two that wait one is refused, of one
        // none.
        cancel.Cancel();
        WorkerStatus last = (await waiting).Status;
        Assert.True(last is WorkerStatus.Cancelled or WorkerStatus.Busy);
        workers.Dispose();
        Assert.Equal(WorkerStatus.Stopped, (await running).Status);
        Assert.True((await other).Status is WorkerStatus.Stopped or WorkerStatus.Busy);
        Assert.True(last == WorkerStatus.Busy || (await other).Status != WorkerStatus.Answered);
        Assert.Equal(WorkerStatus.Stopped, (await workers.RunAsync(Shell.Job("say no"))).Status);
        await EndOf(pid);
    }

    [Fact]
    public async Task A_crowd_taken_back_behind_one_that_hangs_gives_its_places_back_and_is_not_blamed()
    {
        const int Crowd = 40;
        using IWorkers workers = WorkerPools.Open(Shell.Kind(Shell.Options with { QueueLimit = Crowd }));
        int victim = int.Parse((await workers.RunAsync(Shell.Job("pid"))).Text());
        Task<WorkerResult> hanging = workers.RunAsync(Shell.Job("stop")).AsTask();
        await StopOf(victim);
        string[] lines = [.. Enumerable.Range(0, Crowd).Select(i => i % 4 == 0 ? $"hang {i}" : $"say {i}")];
        for (int round = 0; round < 3; round++)
        {
            // As many as there are places for: of the next round all are refused if one has kept its own.
            using CancellationTokenSource cancel = new();
            Task<WorkerResult>[] crowd =
            [
                .. lines.Select(line => workers.RunAsync(Shell.Job(line), cancel.Token).AsTask()),
            ];
            Assert.DoesNotContain(crowd, job => job.IsCompleted);
            cancel.Cancel();
            Assert.All(await Task.WhenAll(crowd), end => Assert.Equal(WorkerStatus.Cancelled, end.Status));
        }

        Assert.False(hanging.IsCompleted);
        Task<WorkerResult>[] behind =
        [
            .. lines.Where(IsSound).Select(line => workers.RunAsync(Shell.Job(line)).AsTask()),
        ];
        Process.Start("kill", $"-9 {victim}").Dispose();
        Assert.Equal(WorkerStatus.Died, (await hanging).Status);
        Assert.All(await Task.WhenAll(behind), end => Assert.True(end.IsAnswered));
        WorkersSummary summary = workers.Summary;
        Assert.Equal((0, 1L, 1, 0L), (summary.Waiting, summary.Killed, summary.Remembered, summary.Refused));

        static bool IsSound(string line) => line.StartsWith("say");
    }

    [Fact]
    public async Task One_that_is_taken_back_while_its_worker_does_it_is_finished_and_the_next_has_the_same_worker()
    {
        using IWorkers workers = WorkerPools.Open(Shell.Kind());
        string pid = (await workers.RunAsync(Shell.Job("pid"))).Text();
        using CancellationTokenSource cancel = new();
        Task<WorkerResult> running = workers.RunAsync(Shell.Job("stop"), cancel.Token).AsTask();

        // It has begun when its worker has stopped itself.
        await StopOf(int.Parse(pid));
        cancel.Cancel();
        Task<WorkerResult> next = workers.RunAsync(Shell.Job("pid")).AsTask();
        Assert.False(running.IsCompleted || next.IsCompleted);
        Process.Start("kill", $"-CONT {pid}").Dispose();
        Assert.Equal("went on", (await running).Text());
        Assert.Equal(pid, (await next).Text());
        Assert.Equal((3L, 0L, 0), (workers.Summary.Answered, workers.Summary.Killed, workers.Summary.Remembered));
    }

    [Fact]
    public async Task A_crowd_with_hostile_ones_in_it_gets_its_own_answers_while_workers_are_killed()
    {
        using IWorkers workers = WorkerPools.Open(
            Shell.Kind(Shell.Options with { Processes = 3, QueueLimit = 1_000, RememberedKillers = 0 })
        );
        int victim = int.Parse((await workers.RunAsync(Shell.Job("pid"))).Text());
        Task<(string, WorkerResult)>[] jobs =
        [
            .. Enumerable
                .Range(0, 120)
                .Select(i => i % 10 == 3 ? (i % 20 == 3 ? $"exit {i}" : $"rubbish {i}") : $"say {i}")
                .Select(async line => (line, await workers.RunAsync(Shell.Job(line)))),
        ];
        if (IsAlive(victim))
        {
            Process.Start("kill", $"-9 {victim}").Dispose();
        }

        (string Line, WorkerResult Result)[] ends = await Task.WhenAll(jobs);
        Assert.All(ends.Where(end => end.Result.IsAnswered), end => Assert.Equal(end.Line, "say " + end.Result.Text()));
        Assert.All(ends.Where(end => !end.Line.StartsWith("say")), end => Assert.True(end.Result.HasKilled));

        // The one that was killed from outside may have had a job; no other sound one was lost.
        Assert.InRange(ends.Count(end => end.Line.StartsWith("say") && !end.Result.IsAnswered), 0, 1);
    }

    [Fact]
    public async Task Long_jobs_never_have_all_workers_and_a_crowd_of_others_goes_past_them()
    {
        WorkerOptions options = Shell.Options with { LongFrom = TimeSpan.FromSeconds(1), QueueLimit = 200 };
        IWorkers workers = WorkerPools.Open(Shell.Kind(options));
        WorkerJob LongOne(string line) => Shell.Job(line) with { Cost = TimeSpan.FromSeconds(1) };
        Task<WorkerResult> hanging = workers.RunAsync(LongOne("hang")).AsTask();
        using CancellationTokenSource cancel = new();
        Task<WorkerResult> waiting = workers.RunAsync(LongOne("say late"), cancel.Token).AsTask();
        WorkerResult[] others = await Task.WhenAll(
            Enumerable.Range(0, 50).Select(i => workers.RunAsync(Shell.Job($"say {i}")).AsTask())
        );
        Assert.Equal(Enumerable.Range(0, 50).Select(i => $"{i}"), others.Select(Shell.Text));
        Assert.False(hanging.IsCompleted || waiting.IsCompleted);

        // One that kills its worker is in nobody's way either; and the place for others is no place for long ones.
        Assert.Equal(WorkerStatus.Died, (await workers.RunAsync(Shell.Job("exit"))).Status);
        Assert.Equal("after", (await workers.RunAsync(Shell.Job("say after"))).Text());
        Assert.Equal((2, 1), (workers.Summary.Processes, workers.Summary.Waiting));
        cancel.Cancel();
        Assert.Equal(WorkerStatus.Cancelled, (await waiting).Status);
        workers.Dispose();
        Assert.Equal(WorkerStatus.Stopped, (await hanging).Status);
    }

    [Fact]
    public async Task A_long_job_that_waited_is_begun_when_one_before_it_has_ended()
    {
        using IWorkers workers = WorkerPools.Open(
            Shell.Kind(Shell.Options with { LongFrom = TimeSpan.FromSeconds(1), QueueLimit = 200 })
        );
        Task<WorkerResult>[] jobs =
        [
            .. Enumerable
                .Range(0, 100)
                .Select(i =>
                    workers
                        .RunAsync(Shell.Job($"say {i}") with { Cost = TimeSpan.FromSeconds(i % 3 == 0 ? 2 : 0) })
                        .AsTask()
                ),
        ];
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), (await Task.WhenAll(jobs)).Select(Shell.Text));
    }

    [Fact]
    public async Task Two_users_share_workers_and_one_that_leaves_takes_nothing_along()
    {
        WorkerKind kind = Shell.Kind();
        IWorkers one = WorkerPools.Open(kind);
        using IWorkers two = WorkerPools.Open(kind);
        string pid = (await one.RunAsync(Shell.Job("pid"))).Text();
        one.Dispose();
        one.Dispose();
        Assert.Equal(pid, (await two.RunAsync(Shell.Job("pid"))).Text());
    }

    [Fact]
    public async Task A_worker_has_its_limits_its_environment_and_its_pipes_and_nothing_else()
    {
        using IWorkers workers = WorkerPools.Open(
            Shell.Kind(
                Shell.Options with
                {
                    MemoryLimit = 64 << 20,
                    DescriptorLimit = 20,
                    ProcessorLimit = TimeSpan.FromSeconds(500),
                }
            )
        );
        Assert.Equal("65536 20 0 500", (await workers.RunAsync(Shell.Job("limits"))).Text());
        string[] environment = (await workers.RunAsync(Shell.Job("environment"))).Text().Split(' ');
        Assert.Contains("GIVEN=yes", environment);
        Assert.DoesNotContain(environment, entry => entry.StartsWith("HOME=") || entry.StartsWith("DOTNET"));
        string descriptors = (await workers.RunAsync(Shell.Job("descriptors"))).Text();

        // The shell has its own folder and a pipe of its own open while it looks.
        Assert.Empty(descriptors.Split(' ').Except(["0", "1", "2", "3", "4"]));
    }

    [Fact]
    public async Task A_worker_is_nicer_in_a_group_of_its_own_and_in_our_session_where_that_counts()
    {
        using IWorkers workers = WorkerPools.Open(Shell.Kind(Shell.Options with { Nicer = 3 }));
        string[] place = (await workers.RunAsync(Shell.Job("place"))).Text().Split(' ');
        string[] own = (await File.ReadAllTextAsync("/proc/self/stat")).Split(") ")[^1].Split(' ');
        Assert.Equal(place[0], place[1]);
        Assert.Equal(own[3], place[2]);
        Assert.Equal(Math.Min(19, int.Parse(own[16]) + 3), int.Parse(place[3]));
    }

    [Fact]
    public async Task What_a_worker_started_goes_with_it()
    {
        IWorkers workers = WorkerPools.Open(Shell.Kind());
        int child = int.Parse((await workers.RunAsync(Shell.Job("child"))).Text());
        Assert.True(IsAlive(child));
        Assert.Equal(WorkerStatus.Died, (await workers.RunAsync(Shell.Job("exit"))).Status);
        await EndOf(child);
        workers.Dispose();
    }

    [Fact]
    public async Task A_workers_errors_are_lines_of_the_log_without_control_characters()
    {
        List<string> log = [];
        using IWorkers workers = WorkerPools.Open(Shell.Kind(log: log.Add));
        await workers.RunAsync(Shell.Job("errors"));
        await workers.RunAsync(Shell.Job("exit"));
        Assert.Contains(log, line => line.EndsWith(": one?[2J"));
        Assert.Contains(log, line => line.EndsWith(": two"));
    }

    [Fact]
    public async Task Where_there_is_no_program_or_it_does_not_begin_jobs_are_unavailable()
    {
        WorkerKind missing = Shell.Kind() with { Program = "/nowhere/worker" };
        using IWorkers none = WorkerPools.Open(missing);
        WorkerResult result = await none.RunAsync(Shell.Job("say it"));
        Assert.Equal(WorkerStatus.Unavailable, result.Status);
        Assert.Contains("/nowhere/worker", result.Text);
        using IWorkers broken = WorkerPools.Open(Shell.Kind(script: "exit 7"));
        result = await broken.RunAsync(Shell.Job("say it"));
        Assert.Equal(WorkerStatus.Unavailable, result.Status);
        Assert.Contains("7", result.Text);
        Assert.Equal(WorkerStatus.Unavailable, (await broken.RunAsync(Shell.Job("say it"))).Status);
        Assert.Equal(0, broken.Summary.Processes);
    }

    [Fact]
    public async Task Where_workers_do_not_begin_in_time_jobs_may_come_again()
    {
        // On a machine that is busy: nobody is to take that for one where there are no workers.
        using IWorkers late = WorkerPools.Open(
            Shell.Kind(Shell.Options with { StartDeadline = TimeSpan.FromMilliseconds(50) }, script: "exec sleep 1000")
        );

        // The second one while none is tried.
        for (int i = 0; i < 2; i++)
        {
            WorkerResult result = await late.RunAsync(Shell.Job("say it"));
            Assert.Equal(WorkerStatus.Busy, result.Status);
            Assert.Contains("within", result.Text);
        }

        Assert.Contains("within", late.Summary.Unavailable);
    }

    [Fact]
    public async Task A_worker_without_work_ends()
    {
        using IWorkers workers = WorkerPools.Open(
            Shell.Kind(Shell.Options with { IdleTime = TimeSpan.FromMilliseconds(1) })
        );
        int pid = int.Parse((await workers.RunAsync(Shell.Job("pid"))).Text());
        await EndOf(pid);
        Assert.True((await workers.RunAsync(Shell.Job("say on"))).IsAnswered);
    }

    [Fact]
    public async Task Megabytes_go_both_ways_at_once()
    {
        using IWorkers workers = WorkerPools.Open(
            new WorkerKind("cat", "/bin/cat", new EchoProtocol()) { Options = Shell.Options }
        );
        byte[] request = new byte[5_000_004];
        new Random(1).NextBytes(request);
        BinaryPrimitives.WriteInt32LittleEndian(request, 5_000_000);
        WorkerResult result = await workers.RunAsync(new WorkerJob(new ReadOnlySequence<byte>(request)));
        Assert.True(result.IsAnswered);
        Assert.True(result.Answer.Span.SequenceEqual(request));
    }

    /// <summary>Waits until a process is gone.</summary>
    private static async Task EndOf(int id)
    {
        try
        {
            using Process process = Process.GetProcessById(id);
            await process
                .WaitForExitAsync(TestContext.Current.CancellationToken)
                .WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        }
        catch (ArgumentException)
        {
            // It is gone already.
        }
    }

    private static bool IsAlive(int id) => StateOf(id) is not ('Z' or 'X' or ' ');

    /// <summary>Waits until a process stands still.</summary>
    private static async Task StopOf(int id)
    {
        long began = Stopwatch.GetTimestamp();
        while (StateOf(id) != 'T')
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromMinutes(1), $"{id} is {StateOf(id)}");
            await Task.Yield();
        }
    }

    /// <summary>As ps says it; a space: there is none.</summary>
    private static char StateOf(int id)
    {
        try
        {
            string text = File.ReadAllText($"/proc/{id}/stat");
            return text[(text.LastIndexOf(')') + 2)..][0];
        }
        catch (IOException)
        {
            return ' ';
        }
    }
}
