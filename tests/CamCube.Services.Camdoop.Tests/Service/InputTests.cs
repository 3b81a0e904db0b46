using System.IO.Compression;
using System.Text;
using CamCube.Services.Camdoop.Tests.Assemblies;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>What a record of the input is: its end, its place, how many a map task has, and files that are
/// packed.</summary>
public sealed class InputTests
{
    private static readonly JobFunction Cat = JobFunction.Program("cat");

    [Theory]
    [InlineData(true, 3)]
    [InlineData(true, 0)]
    [InlineData(false, 3)]
    [InlineData(false, 0)]
    public void A_map_function_gets_where_its_lines_begin(bool isProgram, int reduces)
    {
        using var cube = new CamdoopCube(3, 1, 1, chunkBytes: 64 << 10);
        var random = new Random(1);
        List<string> expected = [];
        foreach (string name in (string[])["/in/a", "/in/b"])
        {
            var text = new StringBuilder();
            while (text.Length < 100_000)
            {
                string line = $"{name} {random.Next(1_000_000)}";
                expected.Add($"{text.Length}\t{line}");
                text.Append(line).Append(((string[])["\n", "\r\n", "\r"])[random.Next(3)]);
            }

            cube.Put(name, text.ToString());
        }

        JobDescription job = new(["/in"], "/out")
        {
            Map = isProgram ? Cat : JobFunction.Identity,
            Reduces = reduces,
            SplitBytes = 20_000,
            Text = new JobText { MapInputHasKey = true },
        };
        JobState state = Done(cube, job);
        Assert.Equal(expected.Count, JobTests.CounterOf(state, "Map input records"));
        Assert.Equal(expected.Order(StringComparer.Ordinal), LinesOf(cube, "/out").Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("|", 1)]
    [InlineData("<end>", 2)]
    [InlineData("\n\n", 3)]
    [InlineData("\r\n.\r\n", 4)]
    public void Records_end_as_the_job_says(string end, int seed)
    {
        using CamdoopCube cube = FunctionJobTests.CubeOf(3, 1, 1);
        var random = new Random(seed);
        List<string> records = [];
        for (int i = 0; i < 5_000; i++)
        {
            // Ends of lines are bytes as any, unless they make an end.
            records.Add($"r{random.Next(300)}{(i % 3 == 0 ? "\n" : "")}x\tv{i}{(i % 5 == 0 ? "\ry" : "")}");
        }

        cube.Put("/in", string.Join(end, records));
        JobDescription job = new(["/in"], "/program")
        {
            Map = Cat,
            Reduces = 0,
            SplitBytes = 10_000,
            Text = new JobText { RecordDelimiter = end },
        };

        // A program gets lines.
        JobState state = Done(cube, job);
        string all = string.Concat(cube.Output("/program", state.Maps.All));
        Assert.Equal(string.Concat(records.Select(static r => r + "\n")), all);
        Assert.Equal(records.Count, JobTests.CounterOf(state, "Map input records"));

        // Functions that are no programs get records.
        foreach (JobFunction map in (JobFunction[])[JobFunction.Identity, FunctionJobTests.Type<TestFunctions.Same>()])
        {
            state = Done(
                cube,
                job with
                {
                    Output = $"/{map.Kind}",
                    Map = map,
                    Reduces = 2,
                    Assembly = FunctionJobTests.Assembly,
                }
            );
            all = string.Concat(cube.Output($"/{map.Kind}", 2));
            Assert.Equal(records.Count, JobTests.CounterOf(state, "Map output records"));
            Assert.All(records.Take(200), record => Assert.Contains(record + "\n", all, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Map_tasks_have_numbers_of_lines()
    {
        using var cube = new CamdoopCube(3, 1, 1, chunkBytes: 64 << 10);
        string[] lines = [.. Enumerable.Range(0, 9_001).Select(static i => $"line {i} {new string('x', i % 50)}")];
        cube.Put("/in/a", CamdoopCube.Lines(lines));
        cube.Put("/in/b", "one\r\ntwo\rthree");
        cube.Put("/in/empty", "");
        cube.Programs["count"] = static (_, input) =>
            new FunctionEnd(CamdoopCube.Lines([$"{CamdoopCube.Text(input).Count(static c => c == '\n')}"]));
        JobDescription job = new(["/in"], "/out")
        {
            Map = JobFunction.Program("count"),
            Reduces = 0,
            Text = new JobText { Input = JobInput.LinesByNumber, LinesPerMap = 500 },
        };
        JobState state = Done(cube, job);
        string[] expected = [.. Enumerable.Repeat("500", 18), "1", "3"];
        Assert.Equal(expected.Length, state.Maps.All);
        Assert.Equal(expected, LinesOf(cube, "/out"));

        cube.Put("/packed/a.gz", Packed("a\n"));
        state = cube.Await(cube.Submit(job with { Inputs = ["/packed"], Output = "/no" }));
        Assert.Equal(
            (JobPhase.Failed, "/packed/a.gz is packed: it cannot be cut by numbers of lines"),
            (state.Phase, state.Words)
        );

        // Each line a task: more than a job may have.
        cube.Put("/many", new string('\n', 100_001));
        job = job with { Inputs = ["/many"], Output = "/no", Text = job.Text with { LinesPerMap = 1 } };
        state = cube.Await(cube.Submit(job));
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.Contains("100,001 map tasks, more than 100,000", state.Words, StringComparison.Ordinal);
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void Packed_files_are_read_whole_however_large_they_become()
    {
        using var cube = new CamdoopCube(3, 1, 1, chunkBytes: 64 << 10);
        string text = CamdoopCube.TextOf(1, 60_000);
        string more = CamdoopCube.TextOf(2, 10);
        cube.Put("/in/a.gz", [.. Packed(text), .. Packed(more)]);
        // What gzip makes of nothing.
        cube.Put("/in/b.gz", [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        cube.Put("/in/c.gz", "");
        string zeros = new('0', 9_999);
        byte[] bomb = Packed(string.Concat(Enumerable.Repeat(zeros + "\n", 2_000)));
        Assert.True(bomb.Length < 50_000);
        cube.Put("/in/d.gz", bomb);
        JobDescription job = new(["/in"], "/out")
        {
            Map = Cat,
            Reduces = 0,
            SplitBytes = 1_000,
        };
        JobState state = Done(cube, job);
        Assert.Equal(3, state.Maps.All);
        string[] given = cube.Output("/out", 3);
        Assert.Equal(text + more, given[0]);
        Assert.Equal("", given[1]);
        Assert.Equal(20_000_000, given[2].Length);
    }

    [Fact]
    public void What_is_no_packed_file_fails_its_job_in_words_and_no_other()
    {
        using var cube = new CamdoopCube(3, 1, 1);
        byte[] whole = Packed(CamdoopCube.TextOf(1, 20_000));
        byte[] spoilt = [.. whole];
        spoilt[whole.Length / 2] ^= 0x40;
        (string Name, byte[] Bytes)[] files =
        [
            ("plain", Encoding.UTF8.GetBytes("no gzip\n")),
            ("spoilt", spoilt),
            ("short", whole[..^100]),
            ("sum", [.. whole[..^6], 1, 2, 3, 4, 5, 6]),
        ];
        cube.Put("/in/good.gz", whole);
        string good = cube.Submit(new JobDescription(["/in"], "/out") { Map = Cat, Reduce = Cat });
        foreach ((string name, byte[] bytes) in files)
        {
            cube.Put($"/{name}.gz", bytes);
            JobState state = cube.Await(
                cube.Submit(new JobDescription([$"/{name}.gz"], $"/{name}") { Map = Cat, Reduces = 0 })
            );
            Assert.Equal(JobPhase.Failed, state.Phase);
            Assert.EndsWith(
                $"its input /{name}.gz is not packed by gzip as its name says, or broken",
                state.Words,
                StringComparison.Ordinal
            );
        }

        Assert.Equal(JobPhase.Done, cube.Await(good).Phase);
        Assert.Empty(cube.Cube.Faults);
    }

    private static JobState Done(CamdoopCube cube, JobDescription job)
    {
        JobState state = cube.Await(cube.Submit(job));
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Empty(cube.Cube.Faults);
        return state;
    }

    private static string[] LinesOf(CamdoopCube cube, string directory) =>
        [
            .. cube.List(directory)
                .Where(static path => path.Contains("part-", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal)
                .SelectMany(path =>
                    Encoding.UTF8.GetString(cube.Get(path)!).Split('\n', StringSplitOptions.RemoveEmptyEntries)
                ),
        ];

    private static byte[] Packed(string text)
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Optimal))
        {
            gzip.Write(Encoding.UTF8.GetBytes(text));
        }

        return packed.ToArray();
    }
}
