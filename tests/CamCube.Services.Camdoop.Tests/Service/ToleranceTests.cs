using System.Text;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Tasks that may fail, that are slow, or that answer differently each time.</summary>
public sealed class ToleranceTests
{
    private const int Files = 20;

    [Theory]
    [InlineData(10, 2, true)]
    [InlineData(9, 2, false)]
    [InlineData(100, 20, true)]
    [InlineData(0, 1, false)]
    public void A_job_goes_on_without_map_tasks_that_fail_as_far_as_it_says(int percent, int bad, bool isDone)
    {
        using CamdoopCube cube = CubeOf(bad);
        JobDescription job = Counts with { Map = JobFunction.Program("fails"), MapFailuresPercent = percent };
        JobState state = cube.Await(cube.Submit(job));
        Assert.Equal(isDone ? JobPhase.Done : JobPhase.Failed, state.Phase);
        if (isDone)
        {
            Assert.Equal((bad, Files - bad), (state.Maps.LeftOut, state.Maps.Done));
            Assert.Equal(Files - bad, Sum(cube, "/out"));
        }

        Assert.Equal(isDone, cube.List("/").Contains("/out"));
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void Output_of_a_map_only_job_lacks_files_of_tasks_that_fail()
    {
        using CamdoopCube cube = CubeOf(bad: 2);
        JobDescription job = Counts with { Map = JobFunction.Program("fails"), MapFailuresPercent = 10, Reduces = 0 };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        string[] parts = [.. cube.List("/out").Where(static path => path.Contains("part-"))];
        Assert.Equal(Files - 2, parts.Length);
        Assert.DoesNotContain("/out/part-00000", parts);
    }

    [Fact]
    public void A_job_goes_on_without_reduces_that_fail()
    {
        using CamdoopCube cube = CubeOf(bad: 0);
        cube.Programs["fails-2"] = static (start, input) =>
            start.Environment.Contains("mapreduce_task_partition=2")
                ? new FunctionEnd(default, ExitCode: 1)
                : new FunctionEnd(CamdoopCube.Lines(CamdoopCube.SumsOf(CamdoopCube.Text(input))));
        JobDescription job = Counts with
        {
            Reduce = JobFunction.Program("fails-2"),
            Reduces = 4,
            ReduceFailuresPercent = 25,
        };
        JobState state = cube.Await(cube.Submit(job));
        Assert.Equal((JobPhase.Done, 1, 3), (state.Phase, state.Reduces.LeftOut, state.Reduces.Done));
        Assert.Equal(["/out/_SUCCESS", "/out/part-00000", "/out/part-00001", "/out/part-00003"], cube.List("/out"));
    }

    // What one leader leaves out the next leaves out, too, though a task would succeed by now.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Who_leads_next_leaves_out_the_same(int seed)
    {
        using CamdoopCube cube = CubeOf(bad: 4, slow: TimeSpan.FromMilliseconds(400));
        JobDescription job = Counts with
        {
            Map = JobFunction.Program("fails"),
            MapFailuresPercent = 20,
            MapAttempts = 1,
        };
        string name = cube.Submit(job);
        int left = 0;
        for (int i = 0; i < 5_000 && left < seed; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            left = cube.Find(name, rank: i % 9)?.Maps.LeftOut ?? 0;
        }

        // From now on nothing fails.
        cube.Programs["fails"] = cube.Programs["words"];
        Coordinate leader = cube.Cube[0].Topology.RootOf(Plans.Job.KeyOf(NumberOf(name)));
        cube.Cube.Kill(leader);
        int other = cube.Cube.Shape.RankOf(leader) == 0 ? 1 : 0;
        JobState state = cube.Await(name, rank: other);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.InRange(state.Maps.LeftOut, seed, 4);
        Assert.Equal(Files - state.Maps.LeftOut, Sum(cube, "/out", other));
        Assert.Empty(cube.Cube.Faults);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_task_that_takes_much_longer_than_others_runs_a_second_time_elsewhere(bool isMap)
    {
        using CamdoopCube cube = CubeOf(bad: 0);
        cube.Programs["slow-once"] = (start, input) =>
            new FunctionEnd(
                CamdoopCube.Lines(
                    isMap
                        ? CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(static w => $"{w}\t1")
                        : CamdoopCube.SumsOf(CamdoopCube.Text(input))
                ),
                Cost: start.Environment.Any(static e =>
                    e.StartsWith("mapreduce_task_attempt_id=", StringComparison.Ordinal)
                    && e.EndsWith("_000003_0", StringComparison.Ordinal)
                )
                    ? TimeSpan.FromMinutes(1)
                    : TimeSpan.FromSeconds(2)
            );
        JobDescription job = Counts with
        {
            Map = JobFunction.Program(isMap ? "slow-once" : "words"),
            Reduce = JobFunction.Program(isMap ? "sum" : "slow-once"),
            Reduces = 6,
        };
        JobState state = cube.Await(cube.Submit(job), seconds: 40);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal((0, 0, 0, 0), (state.Maps.Failed, state.Maps.Lost, state.Reduces.Failed, state.Reduces.Lost));
        Assert.Equal(Files, Sum(cube, "/out"));
        Assert.Equal(Files, JobTests.CounterOf(state, "Map output records"));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Served));

        // Only if it may.
        string name = cube.Submit(job with { Output = "/once", RepeatsSlowMaps = false, RepeatsSlowReduces = false });
        cube.Cube.Advance(TimeSpan.FromSeconds(45));
        state = cube.Find(name)!;
        Assert.False(state.IsOver);
        Assert.Equal(1, isMap ? state.Maps.Running : state.Reduces.Running);
        Assert.Equal(JobPhase.Done, cube.Await(name).Phase);
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void Of_two_attempts_the_other_goes_on_when_the_server_of_one_dies()
    {
        foreach (bool killsFirst in (bool[])[true, false])
        {
            using CamdoopCube cube = CubeOf(bad: 0);
            Dictionary<string, int> starts = [];
            cube.Programs["slow-3"] = (start, input) =>
            {
                string attempt = start.Environment.First(static e =>
                    e.StartsWith("mapreduce_task_attempt_id=", StringComparison.Ordinal)
                );
                bool isSlow = attempt.Contains("_m_000003_", StringComparison.Ordinal);
                starts[attempt] = starts.GetValueOrDefault(attempt) + 1;
                return new FunctionEnd(
                    CamdoopCube.Lines(CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(static w => $"{w}\t1")),
                    Cost: TimeSpan.FromSeconds(isSlow ? 60 : 1)
                );
            };
            string name = cube.Submit(Counts with { Map = JobFunction.Program("slow-3") });
            string second = "";
            for (int i = 0; i < 400 && second.Length == 0; i++)
            {
                cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
                second =
                    starts.Keys.FirstOrDefault(static a => a.EndsWith("_m_000003_1", StringComparison.Ordinal)) ?? "";
            }

            Assert.NotEmpty(second);
            int[] running = [.. Enumerable.Range(0, 9).Where(rank => cube[rank].RunsMap(3, killsFirst ? 0 : 1))];
            cube.Cube.Kill(cube.Cube.Shape.At(Assert.Single(running)));
            JobState state = cube.Await(name, rank: running[0] == 0 ? 1 : 0);
            Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
            Assert.Equal(Files, Sum(cube, "/out", running[0] == 0 ? 1 : 0));

            // What was under way was not begun anew.
            Assert.InRange(state.Elapsed, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(80));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Functions_that_are_not_deterministic_never_run_twice_where_that_would_be_seen(bool inReduces)
    {
        using CamdoopCube cube = CubeOf(bad: 0);
        int calls = 0;
        cube.Programs["counts"] = (_, input) =>
            new FunctionEnd(
                CamdoopCube.Lines(CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(w => $"{w}\t{++calls * 0}1")),
                Cost: TimeSpan.FromMilliseconds(500)
            );
        cube.Programs["slow-sum"] = static (_, input) =>
            new FunctionEnd(
                CamdoopCube.Lines(CamdoopCube.SumsOf(CamdoopCube.Text(input))),
                Cost: TimeSpan.FromSeconds(3)
            );
        JobDescription job = Counts with
        {
            Map = JobFunction.Program("counts"),
            Reduce = JobFunction.Program("slow-sum"),
            Reduces = 9,
            IsDeterministic = false,
        };
        string name = cube.Submit(job);
        JobPhase phase = inReduces ? JobPhase.Reducing : JobPhase.Mapping;
        for (int i = 0; i < 5_000; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
            if (
                cube.Find(name) is { } now
                && now.Phase == phase
                && (!inReduces || now.Reduces.Running > 0)
                && now.Maps.Done > 4
            )
            {
                break;
            }
        }

        cube.Cube.Kill(cube.Cube.Shape.At(5));
        JobState state = cube.Await(name);
        if (inReduces)
        {
            Assert.Equal(JobPhase.Failed, state.Phase);
            Assert.StartsWith(
                "a server was lost with what its map tasks had given",
                state.Words,
                StringComparison.Ordinal
            );
            Assert.DoesNotContain("/out", cube.List("/"));
        }
        else
        {
            Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
            Assert.Equal(Files, Sum(cube, "/out"));
        }
    }

    [Fact]
    public void A_function_that_answers_differently_when_it_runs_again_fails_its_job_by_name()
    {
        using CamdoopCube cube = CubeOf(bad: 0);
        int calls = 0;
        cube.Programs["differs"] = (_, _) =>
            new FunctionEnd(CamdoopCube.Lines([$"call{++calls}\t1"]), Cost: TimeSpan.FromMilliseconds(500));
        cube.Programs["slow-sum"] = static (_, input) =>
            new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromSeconds(3));
        string name = cube.Submit(
            Counts with
            {
                Map = JobFunction.Program("differs"),
                Reduce = JobFunction.Program("slow-sum"),
                Reduces = 9,
            }
        );
        for (int i = 0; i < 5_000 && cube.Find(name) is not { Phase: JobPhase.Reducing, Reduces.Running: > 0 }; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        }

        cube.Cube.Kill(cube.Cube.Shape.At(5));
        JobState state = cube.Await(name);
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.Contains("its function is not deterministic", state.Words, StringComparison.Ordinal);
    }

    private static JobDescription Counts =>
        new(["/in"], "/out")
        {
            Map = JobFunction.Program("words"),
            Reduce = JobFunction.Program("sum"),
            Reduces = 3,
        };

    private static ulong NumberOf(string name)
    {
        Assert.True(Plans.JobName.TryParse(name, out ulong number));
        return number;
    }

    // A word in each file; the first ones are bad.
    private static CamdoopCube CubeOf(int bad, TimeSpan slow = default)
    {
        var cube = new CamdoopCube(3, 3, 1);
        for (int i = 0; i < Files; i++)
        {
            cube.Put($"/in/{i:00}", i < bad ? "bad\n" : $"word{i % 7}\n");
        }

        cube.Programs["fails"] = (_, input) =>
            CamdoopCube.Text(input) == "bad\n"
                ? new FunctionEnd(default, ExitCode: 1, Cost: slow)
                : new FunctionEnd(
                    CamdoopCube.Lines(CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(static w => $"{w}\t1")),
                    Cost: 3 * slow
                );
        return cube;
    }

    private static int Sum(CamdoopCube cube, string output, int rank = 0) =>
        cube.List(output, rank)
            .Where(static path => path.Contains("part-", StringComparison.Ordinal))
            .SelectMany(path =>
                Encoding.UTF8.GetString(cube.Get(path, rank)!).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            )
            .Sum(static line => int.Parse(line.Split('\t')[1], null));
}
