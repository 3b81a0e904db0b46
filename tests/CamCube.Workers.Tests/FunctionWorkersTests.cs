using CamCube.Testing;

namespace CamCube.Workers.Tests;

public sealed class FunctionWorkersTests
{
    private static readonly WorkerOptions Options = new() { Processes = 2, QueueLimit = 3 };

    [Fact]
    public void Jobs_take_their_cost_two_at_a_time_and_too_many_are_refused()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        long began = asking.Server.NowNanos;
        for (int i = 0; i < 7; i++)
        {
            asking.Ask($"job {i}", TimeSpan.FromSeconds(1));
        }

        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(7, asking.Ends.Count);
        Assert.Equal(2, asking.Ends.Count(end => end.Result.Status == WorkerStatus.Busy));
        long[] seconds =
        [
            .. asking.Ends.Where(end => end.Result.IsAnswered).Select(end => (end.Nanos - began) / 1_000_000_000),
        ];
        Assert.Equal([1, 1, 2, 2, 3], seconds);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_job_that_kills_does_it_once_and_one_that_takes_too_long_ends_at_the_deadline()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        long began = asking.Server.NowNanos;
        asking.Ask("die", TimeSpan.FromSeconds(1));
        asking.Ask("slow", TimeSpan.FromSeconds(60));
        cube.Advance(TimeSpan.FromSeconds(20));
        asking.Ask("die", TimeSpan.FromSeconds(1));
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            [WorkerStatus.Died, WorkerStatus.TimedOut, WorkerStatus.KilledBefore],
            asking.Ends.Select(end => end.Result.Status)
        );
        Assert.Equal(10, (asking.Ends[1].Nanos - began) / 1_000_000_000);
        Assert.Equal(2, asking.Workers.Summary.Killed);
    }

    [Fact]
    public void One_that_waits_can_be_taken_back()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        using CancellationTokenSource cancel = new();
        asking.Ask("a", TimeSpan.FromSeconds(5));
        asking.Ask("b", TimeSpan.FromSeconds(5));
        asking.Ask("c", TimeSpan.FromSeconds(5), cancel.Token);
        asking.Ask("d", TimeSpan.FromSeconds(5));
        cube.Advance(TimeSpan.FromSeconds(1));
        asking.CancelOnLoop(cancel);
        cube.Advance(TimeSpan.FromSeconds(11));
        Assert.Equal(
            [WorkerStatus.Cancelled, WorkerStatus.Answered, WorkerStatus.Answered, WorkerStatus.Answered],
            asking.Ends.Select(end => end.Result.Status)
        );
    }

    [Fact]
    public void A_crowd_that_is_taken_back_gives_its_places_back_and_those_that_have_begun_are_finished()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        using CancellationTokenSource cancel = new();
        for (int i = 0; i < 6; i++)
        {
            asking.Ask(i % 2 == 0 ? $"die {i}" : $"job {i}", TimeSpan.FromSeconds(5), cancel.Token);
        }

        // Two were begun, three wait, one was one too many.
        cube.Advance(TimeSpan.FromSeconds(1));
        asking.CancelOnLoop(cancel);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            [WorkerStatus.Busy, WorkerStatus.Cancelled, WorkerStatus.Cancelled, WorkerStatus.Cancelled],
            asking.Ends.Select(end => end.Result.Status)
        );
        Assert.Equal(0, asking.Workers.Summary.Waiting);
        for (int i = 0; i < 3; i++)
        {
            asking.Ask($"job {i}", TimeSpan.FromSeconds(1));
        }

        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(
            [WorkerStatus.Died, .. Enumerable.Repeat(WorkerStatus.Answered, 4)],
            asking.Ends.Skip(4).Select(end => end.Result.Status)
        );
        Assert.Equal((1L, 1), (asking.Workers.Summary.Killed, asking.Workers.Summary.Remembered));
        cube.AssertQuiet();
    }

    /// <summary>A service that has workers and notes how its jobs end.</summary>
    [CamCubeService(0x7F10, "asking")]
    private sealed class Asking(IServer server) : CamCubeService
    {
        public IServer Server => server;

        public FunctionWorkers Workers { get; } = new(server, Do, Options);

        public List<(long Nanos, WorkerResult Result)> Ends { get; } = [];

        public void Ask(string line, TimeSpan cost, CancellationToken cancel = default) =>
            server.Loop.Run(async () =>
            {
                WorkerResult result = await Workers.RunAsync(Shell.Job(line) with { Cost = cost }, cancel);
                Ends.Add((server.NowNanos, result));
            });

        public void CancelOnLoop(CancellationTokenSource cancel) =>
            server.Loop.Post(static source => ((CancellationTokenSource)source!).Cancel(), cancel);

        private static WorkerResult Do(WorkerJob job) =>
            job.Request.FirstSpan.StartsWith("die"u8)
                ? new WorkerResult(WorkerStatus.Died, default, "")
                : new WorkerResult(WorkerStatus.Answered, job.Request.First, "");
    }
}
