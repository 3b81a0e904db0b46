using CamCube.Simulator.Disks;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Servers that die, stand still and come back while jobs run: every pair once, in the same order, and the
/// same bytes as without.</summary>
public sealed class FaultTests
{
    private const int Reduces = 7;

    // A reduce waits for pairs that are lost, and has the only place for a program.
    [Fact]
    public void Map_tasks_are_done_again_while_reduces_have_all_places_for_programs()
    {
        // Slow enough that much is still where it was made when a server dies.
        using var cube = new CamdoopCube(
            3,
            3,
            1,
            new CamdoopOptions { Buffers = 1 << 20 },
            programs: 1,
            linkBitsPerSecond: 40_000_000
        );
        cube.Programs["slow"] = static (_, input) =>
            new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromMilliseconds(300));
        for (int i = 0; i < 9; i++)
        {
            cube.Put($"/in/{i}", CamdoopCube.TextOf(i, 60_000));
        }

        string name = cube.Submit(
            new JobDescription(["/in"], "/out")
            {
                Map = JobFunction.Program("slow"),
                Combine = JobFunction.Program("cat"),
                Reduce = JobFunction.Program("slow"),
                Reduces = 9,
            }
        );
        for (int i = 0; i < 9_000 && cube.Find(name) is not { Phase: JobPhase.Reducing, Reduces.Running: > 0 }; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        cube.Cube.Kill(cube.Cube.Shape.At(4));
        JobState state = cube.Await(name);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.True(state.Maps.Lost > 0, "nothing was lost in time");
    }

    // Whoever reads what is lost is told to ask anew, though the task is done again where it was.
    [Theory]
    [InlineData(3, 2, JobTrees.Six)]
    [InlineData(3, 2, JobTrees.None)]
    [InlineData(1, 1, JobTrees.Six)]
    public void Output_that_cannot_be_read_back_is_made_again(int x, int y, JobTrees trees)
    {
        using var cube = new CamdoopCube(
            x,
            y,
            1,
            new CamdoopOptions { OutputMemory = 0, Buffers = 1 << 20 },
            linkBitsPerSecond: 8_000_000
        );
        for (int i = 0; i < 6; i++)
        {
            cube.Put($"/in/{i}", CamdoopCube.TextOf(i, 20_000));
        }

        JobDescription job = new(["/in"], "/right")
        {
            Map = JobFunction.Program("words"),
            Reduce = JobFunction.Program("sum"),
            Reduces = 3,
            Trees = trees,
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        string name = cube.Submit(job with { Output = "/out" });
        string[] lost = [];
        using (cube.Cube.Cube.DiskFaults.Add(new DiskReadFailures(0.3)))
        {
            for (int i = 0; i < 3_000 && lost.Length < 3; i++)
            {
                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
                lost =
                [
                    .. cube.Find(name)!.Failures.Select(static f => f.Words).Where(static w => w.Contains("read back")),
                ];
            }
        }

        JobState state = cube.Await(name);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.NotEmpty(lost);
        Assert.Equal(cube.Output("/right", 3), cube.Output("/out", 3));
        Assert.Empty(cube.Cube.Faults);
    }

    [Theory]
    [InlineData(1, JobTrees.Six)]
    [InlineData(3, JobTrees.Six)]
    [InlineData(4, JobTrees.One)]
    [InlineData(7, JobTrees.None)]
    [InlineData(8, JobTrees.None)]
    public void Jobs_give_the_same_bytes_whoever_fails(int seed, JobTrees trees)
    {
        using var cube = new CamdoopCube(3, 3, 3);
        var random = new Random(seed);
        cube.Programs["slow"] = static (_, input) =>
            new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromMilliseconds(200 + (input.Length / 60)));
        for (int i = 0; i < 12; i++)
        {
            // A key is in several files, and each value says where it is from.
            int file = i;
            cube.Put(
                $"/in/{i:00}",
                CamdoopCube.Lines(
                    Enumerable
                        .Range(0, 4_000)
                        .Select(n => $"key{((n * 7) + file) % 900}\t{file}:{n} {new string('x', n % 40)}")
                )
            );
        }

        JobDescription job = new(["/in"], "/plain")
        {
            Map = JobFunction.Program("slow"),
            Reduce = JobFunction.Program("cat"),
            Reduces = Reduces,
            Trees = trees,
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        string[] expected = cube.Output("/plain", Reduces);
        Assert.Equal(48_000, expected.Sum(static p => p.Count(static c => c == '\n')));

        string name = cube.Submit(job with { Output = "/faulty" });
        for (int i = 0; i < 12; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 150)));
            Coordinate at = cube.Cube.Shape.At(random.Next(27));
            switch (random.Next(4))
            {
                case 0:
                    cube.Cube.Pause(at, TimeSpan.FromMilliseconds(random.Next(1, 900)));
                    break;
                case 1:
                    var link = (Link)random.Next(6);
                    cube.Cube.Cut(at, link);
                    cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 600)));
                    cube.Cube.Mend(at, link);
                    break;
                default:
                    cube.Cube.Kill(at);
                    cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 900)));
                    cube.Cube.Revive(at);
                    cube.Cube.Advance(TimeSpan.FromMilliseconds(300));
                    break;
            }
        }

        JobState state = cube.Await(name, seconds: 300);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        string[] given = cube.Output("/faulty", Reduces);
        for (int r = 0; r < Reduces; r++)
        {
            Assert.Equal(expected[r], given[r]);
        }

        Assert.Equal(48_000, JobTests.CounterOf(state, "Reduce input records"));
        Assert.Equal(48_000, JobTests.CounterOf(state, "Map output records"));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(0, cube[rank].Served));
        Assert.Empty(cube.Cube.Faults);
        Assert.True(state.Maps.Lost > 0, "nothing failed in time");
    }
}
