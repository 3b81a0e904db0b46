using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tracking;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Which server gets which task, when servers are slow to answer, as on a machine that has many and
/// little.</summary>
public sealed class AssignmentTests : IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);
    private readonly CamdoopCube _cube = new(4, 1, 1);
    private readonly Line _line = new();
    private readonly CamdoopOptions _options = new();
    private readonly Assignment _assignment;

    public AssignmentTests()
    {
        IServer server = _cube.Cube[0].ServerOf<CamdoopService>();
        TorusShape shape = server.Shape;
        Split[] splits = [.. Enumerable.Range(0, shape.Count).Select(home => new Split("/in", 0, 1, home, ""))];
        var job = new Job(
            1,
            new JobRecord(new JobDescription(["/in"], "/out"), 0, 1 << 20, 1 << 20),
            new PlanRecord(splits),
            shape
        );
        _line.Server = server;
        _assignment = new Assignment(server, _options, job, _line, static () => { });
    }

    [Fact]
    public void Who_is_slow_to_answer_at_first_gets_the_tasks_of_its_input_all_the_same()
    {
        _line.Away.UnionWith([1, 2, 3]);
        Drive(TimeSpan.FromSeconds(3));
        Assert.All(_assignment.Maps, static map => Assert.False(map.IsRunning));
        _line.Away.Clear();
        Drive(TimeSpan.FromSeconds(3));
        Assert.Equal([0, 1, 2, 3], _assignment.Maps.Select(static map => map.Server));
    }

    [Fact]
    public void Who_never_answers_is_waited_for_some_seconds_and_then_others_have_its_tasks()
    {
        _line.Away.Add(2);
        Drive(TimeSpan.FromSeconds(20));
        Assert.Equal([0, 1, 3, 3], _assignment.Maps.Select(static map => map.Server));
    }

    [Fact]
    public void Who_misses_some_answers_keeps_its_tasks_and_who_misses_all_loses_them()
    {
        Drive(TimeSpan.FromSeconds(1));
        _line.Away.Add(2);
        Drive(TimeSpan.FromSeconds(3));
        Assert.Equal((2, 0), (_assignment.Maps[2].Server, _assignment.Maps[2].Lost));
        _line.Away.Clear();
        Drive(TimeSpan.FromSeconds(3));
        _line.Away.Add(2);
        Drive(TimeSpan.FromSeconds(3));
        Assert.Equal((2, 0), (_assignment.Maps[2].Server, _assignment.Maps[2].Lost));
        Drive(TimeSpan.FromSeconds(10));
        Assert.Equal((3, 1), (_assignment.Maps[2].Server, _assignment.Maps[2].Lost));
    }

    [Fact]
    public void Who_is_on_slow_links_is_waited_for_as_long_as_answers_may_take_there()
    {
        _options.AnswerTime = TimeSpan.FromSeconds(5);
        Drive(TimeSpan.FromSeconds(1));
        _line.Away.Add(2);
        Drive(TimeSpan.FromSeconds(40));
        Assert.Equal((2, 0), (_assignment.Maps[2].Server, _assignment.Maps[2].Lost));
        Drive(TimeSpan.FromSeconds(20));
        Assert.Equal((3, 1), (_assignment.Maps[2].Server, _assignment.Maps[2].Lost));
    }

    [Fact]
    public void Reduces_that_have_all_do_not_end_a_job_before_what_its_map_tasks_counted_is_known()
    {
        // A leader that takes over: who ran the last map task is gone, and the reduce has its pairs.
        JobCounter one = new("g", "n", 1);
        for (int i = 0; i < 3; i++)
        {
            _line.Had[i] = new SyncReport { Maps = [Ready(i, [one])], Reduces = i == 0 ? [Ready(0, [])] : [] };
        }

        Drive(TimeSpan.FromSeconds(2));
        Assert.True(_assignment.Reduces[0].IsReady);
        Assert.False(_assignment.AreAllReady);
        Assert.Null(_assignment.NewMapCounters);
        Assert.Equal(3, _assignment.Maps[3].Server);
        _line.Had[3] = new SyncReport { Maps = [Ready(3, [one])] };
        Drive(TimeSpan.FromSeconds(2));
        Assert.Equal([one with { Value = 4 }], _assignment.NewMapCounters!);
        _assignment.MapCounters = _assignment.NewMapCounters;
        Assert.True(_assignment.AreAllReady);

        // From then on it does not matter who is lost.
        _line.Away.Add(3);
        Drive(TimeSpan.FromSeconds(20));
        Assert.True(_assignment.AreAllReady);
        Assert.Equal([one with { Value = 4 }], _assignment.Describe(new JobState("job", JobPhase.Reducing)).Counters);
    }

    public void Dispose() => _cube.Dispose();

    private static TaskReport Ready(int task, IReadOnlyList<JobCounter> counters) =>
        new(task, 0, TaskStage.Ready) { Counters = counters };

    private void Drive(TimeSpan time)
    {
        for (TimeSpan passed = default; passed < time; passed += Step)
        {
            _line.Server!.Loop.Run(() =>
            {
                _assignment.Drive(commits: false, mayGive: true);
                return ValueTask.CompletedTask;
            });
            _cube.Cube.Advance(Step);
        }
    }

    // Answers after a moment what it was asked for: that it runs.
    private sealed class Line : IServerLine
    {
        public IServer? Server { get; set; }

        public HashSet<int> Away { get; } = [];

        public Dictionary<int, SyncReport> Had { get; } = [];

        public async ValueTask<SyncReport?> SyncAsync(ulong job, SyncOrder order, Coordinate at)
        {
            await Server!.DelayAsync(TimeSpan.FromMilliseconds(10));
            if (Away.Contains(Server.Shape.RankOf(at)))
            {
                await Server.DelayAsync(TimeSpan.FromMilliseconds(1_400));
                return null;
            }

            if (Had.TryGetValue(Server.Shape.RankOf(at), out SyncReport? had))
            {
                return had;
            }

            return new SyncReport
            {
                Maps =
                [
                    .. order.Maps.Select(static task => new TaskReport(task.Task, task.Attempt, TaskStage.Running)),
                ],
            };
        }
    }
}
