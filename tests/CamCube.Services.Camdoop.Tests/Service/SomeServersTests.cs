using CamCube.Services.Camdoop.Plans;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Jobs that run on some servers only: tasks nowhere else, the same pairs, and words for servers that cannot
/// be.</summary>
public sealed class SomeServersTests
{
    private static JobDescription Words(string output, params int[] servers) =>
        new(["/in"], output)
        {
            Map = JobFunction.Program("words"),
            Reduce = JobFunction.Program("sum"),
            Reduces = 5,
            Servers = servers,
        };

    [Theory]
    [InlineData(JobTrees.Six)]
    [InlineData(JobTrees.One)]
    [InlineData(JobTrees.None)]
    public void Tasks_run_on_the_named_servers_only_whatever_else_does(JobTrees trees)
    {
        using var cube = new CamdoopCube(3, 3, 2);
        string[] all = Put(cube, files: 14);
        JobDescription job = Words("/some", 1, 4, 17) with { Trees = trees };

        // One that is on all of them, one that is refused, and one that fails, meanwhile.
        string everywhere = cube.Submit(job with { Output = "/all", Servers = null });
        (long[] mapped, long[] reduced) = TasksOf(cube);
        Assert.Equal(JobPhase.Done, cube.Await(everywhere).Phase);
        Assert.Equal(14, TasksOf(cube).Mapped.Sum() - mapped.Sum());
        (mapped, reduced) = TasksOf(cube);
        string name = cube.Submit(job, rank: 9);
        string bad = cube.Submit(job with { Output = "/bad", Map = JobFunction.Program("none"), MapAttempts = 1 });
        JobAnswer refused = cube.Run<CamdoopService, JobAnswer>(2, s => s.SubmitAsync(Words("/refused", 18)));
        Assert.Equal(JobStatus.BadJob, refused.Status);
        JobState state = cube.Await(name, rank: 6);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal(JobPhase.Failed, cube.Await(bad).Phase);
        (long[] mappedNow, long[] reducedNow) = TasksOf(cube);
        int[] members = [1, 4, 17];
        for (int rank = 0; rank < 18; rank++)
        {
            bool isOne = members.Contains(rank);
            Assert.True(isOne || mappedNow[rank] == mapped[rank], $"a map task ran on {rank}");
            Assert.True(isOne || reducedNow[rank] == reduced[rank], $"a reduce ran on {rank}");
            Assert.True(!isOne || mappedNow[rank] > mapped[rank], $"{rank} has read nothing");
        }

        string[] lines = LinesOf(cube, "/some");
        Assert.Equal(all.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}").Order(), lines);
        Assert.Equal(lines, LinesOf(cube, "/all"));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 18), rank => Assert.Equal(0, cube[rank].Served));
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void One_of_them_dies_and_the_others_do_what_it_did()
    {
        using var cube = new CamdoopCube(3, 3, 2);
        cube.Programs["slow"] = static (_, input) =>
            new FunctionEnd(CamdoopCube.Lines(CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(w => $"{w}\t1")))
            {
                Cost = TimeSpan.FromMilliseconds(300),
            };
        string[] all = Put(cube, files: 14);
        JobDescription job = Words("/some", 2, 5, 11) with { Map = JobFunction.Program("slow") };
        string name = cube.Submit(job);
        for (int i = 0; i < 4_000 && cube.Find(name) is not { Maps.Done: > 2 }; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        (long[] mapped, _) = TasksOf(cube);
        cube.Cube.Kill(cube.Cube.Shape.At(5));
        JobState state = cube.Await(name);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.True(state.Maps.Lost > 0, "nothing was lost in time");
        (long[] mappedNow, _) = TasksOf(cube);
        Assert.All(
            Enumerable.Range(0, 18).Except([2, 5, 11]),
            rank => Assert.True(mappedNow[rank] == mapped[rank], $"a map task ran on {rank}")
        );
        Assert.Equal(
            all.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}").Order(),
            LinesOf(cube, "/some")
        );
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void Nobody_of_them_is_left_and_the_job_says_so_beside_one_that_goes_on()
    {
        using var cube = new CamdoopCube(3, 3, 1, new CamdoopOptions { AwayTime = TimeSpan.FromSeconds(20) });
        cube.Programs["slow"] = static (_, input) => new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromSeconds(3));
        Put(cube, files: 6);
        JobDescription slow = Words("/lost", 4) with { Map = JobFunction.Program("slow") };
        string lost = cube.Submit(slow),
            other = cube.Submit(slow with { Output = "/other", Servers = [0, 8], Map = JobFunction.Program("words") });
        cube.Cube.Advance(TimeSpan.FromMilliseconds(800));
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        JobState state = cube.Await(lost);
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.StartsWith("none of the servers that the job runs on could be reached for 20 s", state.Words);
        Assert.Equal(JobPhase.Done, cube.Await(other).Phase);
        Assert.DoesNotContain("/lost", cube.List("/"));
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void It_waits_for_the_only_one_that_comes_back()
    {
        using var cube = new CamdoopCube(3, 3, 1);
        cube.Programs["slow"] = static (_, input) =>
            new FunctionEnd(
                CamdoopCube.Lines(CamdoopCube.WordsOf(CamdoopCube.Text(input)).Select(static w => $"{w}\t1")),
                Cost: TimeSpan.FromSeconds(1)
            );
        string[] all = Put(cube, files: 6);
        string name = cube.Submit(Words("/some", 4) with { Map = JobFunction.Program("slow") });
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1_500));
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(JobPhase.Mapping, cube.Find(name)!.Phase);
        cube.Cube.Revive(cube.Cube.Shape.At(4));
        JobState state = cube.Await(name);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal(
            all.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}").Order(),
            LinesOf(cube, "/some")
        );
    }

    [Theory]
    [InlineData("a job on some servers names one or more")]
    [InlineData("there is no server 6 in 3x2x1: the last one is 5", 0, 6)]
    [InlineData("a server's rank is 0 or more", 1, -1)]
    [InlineData("server 2 is named twice", 2, 1, 2)]
    [InlineData("server 4 (1,1,0) cannot be reached now", 1, 4)]
    [InlineData("the first reduce's server 0 is none of those that the job runs on", 1, 2, -100)]
    public void Servers_that_cannot_be_are_refused_in_words(string says, params int[] servers)
    {
        using var cube = new CamdoopCube(3, 2, 1);
        cube.Put("/in", "a b\n");
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        bool hasRoot = servers is [.., -100];
        JobDescription job = Words("/out", hasRoot ? servers[..^1] : servers) with { FirstRoot = hasRoot ? 0 : null };
        JobAnswer answer = cube.Run<CamdoopService, JobAnswer>(0, s => s.SubmitAsync(job));
        Assert.Equal((JobStatus.BadJob, says), (answer.Status, answer.Words));
        Assert.Empty(cube.Cube.Faults);
    }

    // Whoever can write into the file store can write what no server has looked at.
    [Fact]
    public void Members_of_a_job_are_servers_of_the_cube()
    {
        var shape = new TorusShape(3, 2, 1);
        Assert.Equal([1, 5], Job.MembersOf(Words("/out", 5, 9, 1, 5, -3), shape));
        Assert.Equal(6, Job.MembersOf(Words("/out", 7, 8), shape).Length);
        Assert.Equal(6, Job.MembersOf(Words("/out") with { Servers = null }, shape).Length);
    }

    private static string[] Put(CamdoopCube cube, int files)
    {
        List<string> all = [];
        for (int i = 0; i < files; i++)
        {
            string text = CamdoopCube.TextOf(i, 2_000);
            cube.Put($"/in/{i:00}", text);
            all.AddRange(CamdoopCube.WordsOf(text));
        }

        return [.. all];
    }

    private static string[] LinesOf(CamdoopCube cube, string output) =>
        [
            .. cube.Output(output, 5)
                .SelectMany(static part => part.Split('\n', StringSplitOptions.RemoveEmptyEntries))
                .Order(),
        ];

    private static (long[] Mapped, long[] Reduced) TasksOf(CamdoopCube cube)
    {
        int count = cube.Cube.Shape.Count;
        long[] mapped = new long[count],
            reduced = new long[count];
        for (int rank = 0; rank < count; rank++)
        {
            if (cube.Cube.Cube.IsRunning(rank))
            {
                mapped[rank] = cube[rank].Counters.Mapped.Value;
                reduced[rank] = cube[rank].Counters.Reduced.Value;
            }
        }

        return (mapped, reduced);
    }
}
