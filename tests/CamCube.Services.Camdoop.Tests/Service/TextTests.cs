using System.IO.Compression;
using System.Text;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>What jobs may say of lines, keys and files: each alone, from input to output.</summary>
public sealed class TextTests
{
    private static readonly JobFunction Cat = JobFunction.Program("cat");

    [Fact]
    public void Keys_are_sorted_by_parts_and_go_to_reduces_by_others()
    {
        using var cube = new CamdoopCube(3, 1, 1);
        var random = new Random(1);
        string[] lines =
        [
            .. Enumerable.Range(0, 2_000).Select(i => $"k{random.Next(9)}\t{random.Next(-50, 900)}\tv{i}"),
        ];
        cube.Put("/in", CamdoopCube.Lines(lines));
        Assert.Null(KeyFields.TryParse("-k1,1 -k2,2nr", out IReadOnlyList<KeyFields> sort));
        Assert.Null(KeyFields.TryParse("-k1,1", out IReadOnlyList<KeyFields> partition));
        JobState state = cube.Await(
            cube.Submit(
                new JobDescription(["/in"], "/out")
                {
                    Map = Cat,
                    Reduce = Cat,
                    Reduces = 4,
                    Text = new JobText
                    {
                        MapOutputKeyFields = 2,
                        SortFields = sort,
                        PartitionFields = partition,
                    },
                }
            )
        );
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        HashSet<string> seen = [];
        List<string> all = [];
        foreach (string part in cube.Output("/out", 4))
        {
            (string Key, int Number, string Line)[] given =
            [
                .. part.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                    .Select(static l => l.Split('\t'))
                    .Select(static f => (f[0], int.Parse(f[1], null), string.Join('\t', f))),
            ];
            Assert.Equal(
                given.OrderBy(static g => g.Key, StringComparer.Ordinal).ThenByDescending(static g => g.Number),
                given
            );
            Assert.All(given.Select(static g => g.Key).Distinct(), key => Assert.True(seen.Add(key)));
            all.AddRange(given.Select(static g => g.Line));
        }

        Assert.Equal(lines.Order(StringComparer.Ordinal), all.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Keys_of_the_input_go_to_the_map_function_and_output_has_its_own_separator()
    {
        using var cube = new CamdoopCube(2, 1, 1);
        cube.Put("/in", "a=1=2\nb\n=3\n");
        var text = new JobText
        {
            Input = JobInput.KeyedLines,
            InputSeparator = "=",
            MapInputHasKey = true,
            MapInputSeparator = "::",
            MapOutputSeparator = "::",
            ReduceInputSeparator = "+",
            ReduceOutputSeparator = "+",
            OutputSeparator = ";",
        };
        JobDescription job = new(["/in"], "/out")
        {
            Map = Cat,
            Reduce = Cat,
            Text = text,
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        Assert.Equal(";3\na;1=2\nb;\n", cube.Output("/out", 1)[0]);

        // A map function that gets values only.
        job = job with
        {
            Output = "/values",
            Reduces = 0,
            Text = text with { MapInputHasKey = false, MapOutputSeparator = "=" },
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        Assert.Equal("1;2\n\n3\n", cube.Output("/values", 1)[0]);
    }

    [Fact]
    public void Output_is_compressed_and_empty_files_are_left_out()
    {
        using var cube = new CamdoopCube(3, 1, 1);
        string input = CamdoopCube.TextOf(1, 60_000);
        cube.Put("/in", input);
        JobDescription job = new(["/in"], "/out")
        {
            Map = Cat,
            Reduce = Cat,
            Reduces = 1,
            CompressesOutput = true,
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        byte[] packed = cube.Get("/out/part-00000.gz")!;
        Assert.True(packed.Length < input.Length / 2);
        using var all = new MemoryStream();
        using (var gzip = new GZipStream(new MemoryStream(packed), CompressionMode.Decompress))
        {
            gzip.CopyTo(all);
        }

        string[] given = Encoding.UTF8.GetString(all.ToArray()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        string[] expected = [.. input.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static l => l + "\t")];
        Assert.Equal(expected.Order(StringComparer.Ordinal), given);

        cube.Put("/one", "key\tvalue\n");
        job = job with
        {
            Inputs = ["/one"],
            Output = "/lazy",
            Reduces = 20,
            CompressesOutput = false,
            LazyOutput = true,
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        Assert.Equal(2, cube.List("/lazy").Length);
    }

    [Fact]
    public void Input_is_cut_as_asked_for()
    {
        using var cube = new CamdoopCube(3, 1, 1, chunkBytes: 64 << 10);
        cube.Put("/in/a", CamdoopCube.Lines(Enumerable.Range(0, 20_000).Select(static i => $"line {i}")));
        cube.Put("/in/_hidden", "no\n");
        cube.Put("/in/b", "");
        int number = 0;
        JobDescription job = new(["/in"], "/x") { Map = Cat, Reduces = 0 };
        (JobDescription Job, int Maps)[] cuts =
        [
            (job, 4),
            (job with { SplitBytes = 10_000 }, 23),
            (job with { Maps = 8 }, 8),
            (job with { SplitBytes = 10_000, LeastSplitBytes = 1 << 30 }, 4),
            (job with { Inputs = ["/in/b"] }, 0),
        ];
        foreach ((JobDescription one, int maps) in cuts)
        {
            string output = $"/cut{number++}";
            JobState state = cube.Await(cube.Submit(one with { Output = output }));
            Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
            Assert.InRange(state.Maps.All, maps, maps + (maps / 4));
            string all = string.Concat(cube.Output(output, state.Maps.All));
            Assert.Equal(maps == 0 ? 0 : 20_000, all.Count(static c => c == '\n'));
        }
    }

    [Fact]
    public void A_job_without_trees_that_has_more_map_tasks_than_a_reduce_can_read_is_refused_in_words()
    {
        using var cube = new CamdoopCube(3, 1, 1, new CamdoopOptions { Buffers = 1 << 20 });
        cube.Put("/in", CamdoopCube.Lines(Enumerable.Range(0, 2_000).Select(static i => $"line {i}")));
        JobDescription job = new(["/in"], "/out") { Trees = JobTrees.None, SplitBytes = 100 };
        JobState state = cube.Await(cube.Submit(job));
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.StartsWith(
            "a job without trees has at most 128 map tasks here, not ",
            state.Words,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("/out", cube.List("/"));

        // As many as may be.
        state = cube.Await(cube.Submit(job with { SplitBytes = 160 }));
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.InRange(state.Maps.All, 100, 128);
        Assert.Equal(2_000, cube.Output("/out", 1)[0].Count(static c => c == '\n'));
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void A_program_that_fails_or_is_not_there_or_never_ends_fails_the_job_in_words()
    {
        using var cube = new CamdoopCube(3, 1, 1);
        cube.Put("/in", "a\n");
        cube.Programs["fails"] = static (_, _) =>
            new FunctionEnd(default, ExitCode: 3, Errors: Encoding.UTF8.GetBytes("it is so\n"));
        cube.Programs["never"] = static (_, _) => FunctionEnd.Never;
        JobDescription job = new(["/in"], "/out") { TaskTimeout = TimeSpan.FromSeconds(5), MapAttempts = 2 };
        (string Program, string Says, string Errors)[] wrong =
        [
            ("fails", "ended with code 3", "it is so\n"),
            ("no-such", "no-such", ""),
            ("never", "neither read nor wrote for 5 s (mapreduce.task.timeout)", ""),
        ];
        foreach ((string program, string says, string errors) in wrong)
        {
            foreach (bool isMap in (bool[])[true, false])
            {
                JobState state = cube.Await(
                    cube.Submit(
                        job with
                        {
                            Map = isMap ? JobFunction.Program(program) : Cat,
                            Reduce = isMap ? Cat : JobFunction.Program(program),
                            ReduceAttempts = 2,
                        }
                    )
                );
                Assert.Equal(JobPhase.Failed, state.Phase);
                Assert.Contains(says, state.Words, StringComparison.Ordinal);
                Assert.Equal(2, state.Failures.Count);
                Assert.All(state.Failures, failure => Assert.Equal(errors, failure.ErrorText));
                Assert.Equal((isMap ? 2 : 0, isMap ? 0 : 2), (state.Maps.Failed, state.Reduces.Failed));
                Assert.DoesNotContain("/out", cube.List("/"));
            }
        }

        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void A_job_is_cancelled_in_every_phase_and_leaves_nothing()
    {
        using var cube = new CamdoopCube(3, 3, 1);
        cube.Put("/in", CamdoopCube.TextOf(1, 20_000));
        cube.Programs["slow"] = static (_, input) =>
            new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromMilliseconds(300));
        HashSet<JobPhase> phases = [];
        for (int i = 0; i < 14; i++)
        {
            string name = cube.Submit(
                new JobDescription(["/in"], "/out")
                {
                    Map = JobFunction.Program("slow"),
                    Reduce = JobFunction.Program("slow"),
                    Reduces = 5,
                }
            );
            cube.Cube.Advance(TimeSpan.FromMilliseconds(60 * i));
            phases.Add(cube.Find(name, rank: i % 9)!.Phase);
            JobAnswer answer = cube.Run<CamdoopService, JobAnswer>(i % 9, s => s.CancelAsync(name));
            JobState state = cube.Await(name);
            Assert.Equal(answer.Status == JobStatus.Done ? JobPhase.Cancelled : JobPhase.Done, state.Phase);
            cube.Cube.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal(state.Phase == JobPhase.Done, cube.List("/").Contains("/out"));
            Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Served));
            if (state.Phase == JobPhase.Done)
            {
                break;
            }
        }

        Assert.Superset((HashSet<JobPhase>)[JobPhase.Mapping, JobPhase.Reducing], phases);
        Assert.Empty(cube.Cube.Faults);
    }
}
