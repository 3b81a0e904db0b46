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
        _assignment = new Assignment(server, new CamdoopOptions(), job, _line, static () => { });
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

    public void Dispose() => _cube.Dispose();

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

        public async ValueTask<SyncReport?> SyncAsync(ulong job, SyncOrder order, Coordinate at)
        {
            await Server!.DelayAsync(TimeSpan.FromMilliseconds(10));
            if (Away.Contains(Server.Shape.RankOf(at)))
            {
                await Server.DelayAsync(TimeSpan.FromMilliseconds(1_400));
                return null;
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
