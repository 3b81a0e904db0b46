using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using CamCube.Services.Camdoop.Tests.Service;
using static CamCube.Services.Camdoop.Tests.Assemblies.TestFunctions;

namespace CamCube.Services.Camdoop.Tests.Assemblies;

/// <summary>Jobs whose functions are in C#.</summary>
public sealed class FunctionJobTests
{
    public const string Assembly = "/jobs/tests.dll";

    public static JobFunction Type<T>() => JobFunction.Type(NameOf<T>());

    /// <summary>A cube with this assembly in its file store.</summary>
    internal static CamdoopCube CubeOf(int x, int y, int z, CamdoopOptions? options = null, long rate = 1_000_000_000)
    {
        var cube = new CamdoopCube(x, y, z, options ?? new CamdoopOptions(), linkBitsPerSecond: rate);
        cube.Options.Assemblies = true;
        cube.Put(Assembly, File.ReadAllBytes(typeof(TestFunctions).Assembly.Location));
        return cube;
    }

    public static JobDescription CountOf(string input, string output, int reduces) =>
        new([input], output)
        {
            Assembly = Assembly,
            Map = Type<Words>(),
            Combine = Type<Sum>(),
            Reduce = Type<Sum>(),
            Reduces = reduces,
        };

    // What is combined on the way is short, but not what it is made of.
    [Fact]
    public void A_line_of_the_input_may_be_longer_than_pairs_that_are_combined()
    {
        using CamdoopCube cube = CubeOf(3, 1, 1);
        cube.Put("/in", string.Join(' ', Enumerable.Repeat("word", 100_000)) + "\nword\n");
        JobState state = cube.Await(cube.Submit(CountOf("/in", "/out", 1)));
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal("word\t100001\n", cube.Output("/out", 1)[0]);
    }

    // What is sorted by is no key that a function knows.
    [Theory]
    [InlineData("-k1r", 1)]
    [InlineData("-k1r", 4)]
    [InlineData("-k1.1,1.5", 4)]
    public void Pairs_are_combined_on_the_way_where_parts_of_keys_are_sorted_by(string options, int reduces)
    {
        using CamdoopCube cube = CubeOf(3, 3, 1);
        List<string> all = [];
        for (int i = 0; i < 9; i++)
        {
            string text = CamdoopCube.TextOf(i, 2_000) + new string((char)('a' + (i % 2)), 150) + "\n";
            cube.Put($"/in/{i}", text);
            all.AddRange(CamdoopCube.WordsOf(text));
        }

        Assert.Null(KeyFields.TryParse(options, out IReadOnlyList<KeyFields> sort));
        JobState state = cube.Await(
            cube.Submit(
                CountOf("/in", "/out", reduces) with
                {
                    Text = new JobText { SortFields = sort, PartitionFields = options == "-k1r" ? [] : sort },
                }
            )
        );
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));

        // Of words that compare equal one stays.
        int length = options == "-k1r" ? int.MaxValue : 5;
        Dictionary<string, int> expected = all.CountBy(word => word[..Math.Min(length, word.Length)]).ToDictionary();
        string[][] parts =
        [
            .. cube.Output("/out", reduces).Select(static p => p.Split('\n', StringSplitOptions.RemoveEmptyEntries)),
        ];
        Dictionary<string, int> given = parts
            .SelectMany(static p => p)
            .Select(static line => line.Split('\t'))
            .ToDictionary(f => f[0][..Math.Min(length, f[0].Length)], static f => int.Parse(f[1], null));
        Assert.Equal(expected, given);
        Assert.All(
            parts,
            part =>
            {
                IEnumerable<string> keys = part.Select(static line => line.Split('\t')[0]);
                Assert.Equal(
                    options == "-k1r"
                        ? keys.OrderDescending(StringComparer.Ordinal)
                        : keys.Order(StringComparer.Ordinal),
                    keys
                );
            }
        );
        Assert.Equal(expected.Count, JobTests.CounterOf(state, "Reduce input records"));
        Assert.Empty(cube.Cube.Faults);
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(9, true)]
    [InlineData(4, false)]
    public void Words_are_counted_at_every_server_on_the_way(int reduces, bool combines)
    {
        using CamdoopCube cube = CubeOf(3, 3, 1);
        List<string> all = [];
        for (int i = 0; i < 9; i++)
        {
            string text = CamdoopCube.TextOf(i, 4_000);
            cube.Put($"/in/{i}", text);
            all.AddRange(CamdoopCube.WordsOf(text));
        }

        JobDescription job = CountOf("/in", "/out", reduces);
        JobState state = cube.Await(cube.Submit(combines ? job : job with { Combine = null }));
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        string[] lines =
        [
            .. cube.Output("/out", reduces)
                .SelectMany(static p => p.Split('\n', StringSplitOptions.RemoveEmptyEntries)),
        ];
        string[] expected = [.. all.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}")];
        Assert.Equal(expected.Order(StringComparer.Ordinal), lines.Order(StringComparer.Ordinal));
        Assert.Equal(all.Count, JobTests.CounterOf(state, "Map output records"));

        // What functions count is beside what the service counts, and not in it.
        long records = state
            .Counters.Single(static c => c is { Group: "Map-Reduce Framework", Name: "Map input records" })
            .Value;
        Assert.Equal(records, JobTests.CounterOf(state, "lines"));
        Assert.InRange(records, 9, 36_000);
        Assert.Equal(expected.Length, JobTests.CounterOf(state, "Reduce input groups"));

        // One pair of each key arrives, whichever servers have it.
        long arrived = JobTests.CounterOf(state, "Reduce input records");
        Assert.Equal(combines ? expected.Length : all.Count, arrived);
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void A_key_may_have_more_values_than_a_window()
    {
        using CamdoopCube cube = CubeOf(3, 1, 1);
        string input = string.Concat(Enumerable.Range(0, 30_000).Select(static i => $"one\tvalue {i}\n"));
        cube.Put("/in/a", input + "two\t\nthree\tlast\n");
        JobDescription job = new(["/in"], "/out")
        {
            Assembly = Assembly,
            Map = Type<Same>(),
            Reduce = Type<Same>(),
        };
        JobState state = cube.Await(cube.Submit(job));
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        string[] lines = cube.Output("/out", 1)[0].Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(30_002, lines.Length);
        Assert.Equal(["three\tlast", "two"], lines[^2..]);
        Assert.Equal(30_000, lines.Distinct().Count(static l => l.StartsWith("one\tvalue ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Kinds_of_functions_go_together_and_a_partitioner_says_where_to()
    {
        using CamdoopCube cube = CubeOf(3, 1, 1);
        cube.Put("/in", "b a c\na z\n");
        JobDescription job = CountOf("/in", "/out", reduces: 3) with
        {
            Map = JobFunction.Program("words"),
            Reduce = JobFunction.Program("sum"),
            Partitioner = NameOf<ByLetter>(),
            Environment = ["FROM=c"],
        };
        JobState state = cube.Await(cube.Submit(job));
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal(["a\t2\nb\t1\n", "", "c\t1\nz\t1\n"], cube.Output("/out", 3));

        job = job with { Map = Type<Same>(), Combine = null, Reduces = 0, Partitioner = "", Output = "/maps" };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(job)).Phase);
        Assert.Equal("b a c\na z\n", cube.Output("/maps", 1)[0]);
    }

    [Fact]
    public void Jobs_with_functions_are_refused_where_they_are_not_allowed()
    {
        using var cube = new CamdoopCube(2, 1, 1);
        cube.Put("/in", "a\n");
        JobAnswer answer = cube.Run<CamdoopService, JobAnswer>(0, s => s.SubmitAsync(CountOf("/in", "/out", 1)));
        Assert.Equal(JobStatus.NotAllowed, answer.Status);
        Assert.Contains("CamCube:Services:camdoop:Assemblies", answer.Words, StringComparison.Ordinal);
        cube.Options.Assemblies = true;
        foreach (
            (JobDescription job, string words) in (ReadOnlySpan<(JobDescription, string)>)
                [
                    (CountOf("/in", "/out", 1) with { Assembly = "" }, "has an assembly"),
                    (CountOf("/in", "/out", 1) with { Assembly = "a.dll" }, "begins with a slash"),
                    (CountOf("/in", "/out", 1) with { Map = JobFunction.Type("") }, "the name of a type"),
                ]
        )
        {
            answer = cube.Run<CamdoopService, JobAnswer>(0, s => s.SubmitAsync(job));
            Assert.Equal(JobStatus.BadJob, answer.Status);
            Assert.Contains(words, answer.Words, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Several_jobs_with_assemblies_of_their_own_run_at_once()
    {
        using CamdoopCube cube = CubeOf(3, 3, 1);
        byte[] bytes = File.ReadAllBytes(typeof(TestFunctions).Assembly.Location);
        List<string> names = [];
        for (int i = 0; i < 6; i++)
        {
            cube.Put($"/in{i}/a", CamdoopCube.TextOf(i, 3_000));
            cube.Put($"/jobs/{i}.dll", bytes);
            names.Add(cube.Submit(CountOf($"/in{i}", $"/out{i}", i + 1) with { Assembly = $"/jobs/{i}.dll" }, rank: i));
        }

        for (int i = 0; i < 6; i++)
        {
            JobState state = cube.Await(names[i], rank: i);
            Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
            string[] words = [.. CamdoopCube.WordsOf(CamdoopCube.TextOf(i, 3_000))];
            string lines = string.Concat(cube.Output($"/out{i}", i + 1));
            Assert.Equal(words.Distinct().Count(), lines.Count(static c => c == '\n'));
        }

        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void What_was_loaded_is_gone_with_the_job()
    {
        using CamdoopCube cube = CubeOf(3, 1, 1);
        cube.Put("/in", "a b\nb c\n");
        cube.Put("/jobs/gone.dll", File.ReadAllBytes(typeof(TestFunctions).Assembly.Location));
        string name = cube.Submit(CountOf("/in", "/out", 2) with { Assembly = "/jobs/gone.dll" });
        int seen = 0;
        for (int i = 0; i < 200 && seen == 0; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
            seen = ContextsOf("gone.dll");
        }

        Assert.True(seen > 0, "it was loaded nowhere");
        Assert.Equal(JobPhase.Done, cube.Await(name).Phase);
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 3), rank => Assert.Equal(0, cube[rank].Served));
        for (int i = 0; i < 20 && ContextsOf("gone.dll") > 0; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.Equal(0, ContextsOf("gone.dll"));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int ContextsOf(string file) =>
        AssemblyLoadContext.All.Count(c => c.Name?.EndsWith(file, StringComparison.Ordinal) == true);

    [Fact]
    public void Servers_that_die_cost_time_and_no_byte()
    {
        using CamdoopCube cube = CubeOf(3, 3, 1, rate: 20_000_000);
        for (int i = 0; i < 9; i++)
        {
            cube.Put($"/in/{i}", CamdoopCube.TextOf(i, 30_000));
        }

        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(CountOf("/in", "/plain", 5))).Phase);
        string[] expected = cube.Output("/plain", 5);
        var random = new Random(3);
        string name = cube.Submit(CountOf("/in", "/faulty", 5));
        for (int i = 0; i < 9_000 && cube.Find(name) is not { Phase: JobPhase.Reducing }; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        }

        int lost = 0;
        for (int i = 0; i < 4; i++)
        {
            Coordinate at = cube.Cube.Shape.At(random.Next(9));
            cube.Cube.Kill(at);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(20, 500)));
            cube.Cube.Revive(at);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 200)));

            // Who leads next begins to count anew.
            lost = Math.Max(lost, cube.Find(name)?.Maps.Lost ?? 0);
        }

        JobState state = cube.Await(name, seconds: 300);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.Equal(expected, cube.Output("/faulty", 5));
        Assert.True(lost > 0 || state.Maps.Lost > 0, "nothing was lost in time");
        Assert.Empty(cube.Cube.Faults);
    }
}
