using CamCube.Services.Camdoop.Tests.Service;
using static CamCube.Services.Camdoop.Tests.Assemblies.TestFunctions;

namespace CamCube.Services.Camdoop.Tests.Assemblies;

/// <summary>Functions in C# that do what they may not, and assemblies that are none: the job fails by name, no server
/// is lost, and nothing is left.</summary>
public sealed class HostileFunctionTests
{
    private static readonly string ThrowsSay = $"{NameOf<Throws>()} failed: System.InvalidOperationException: it is so";

    private static JobDescription Job => FunctionJobTests.CountOf("/in", "/out", 2);

    public static TheoryData<string, JobDescription, string> Wrong =>
        new()
        {
            { "mapper throws", Job with { Map = FunctionJobTests.Type<Throws>() }, ThrowsSay },
            { "combiner throws", Job with { Combine = FunctionJobTests.Type<Throws>() }, ThrowsSay },
            { "reducer throws", Job with { Reduce = FunctionJobTests.Type<Throws>() }, ThrowsSay },
            { "partitioner throws", Job with { Partitioner = NameOf<Throws>() }, ThrowsSay },
            {
                "constructor throws",
                Job with
                {
                    Map = FunctionJobTests.Type<ThrowsWhenMade>(),
                },
                $"the constructor of {NameOf<ThrowsWhenMade>()} failed: System.InvalidOperationException: not made"
            },
            {
                "combiner throws on the way",
                Job with
                {
                    Combine = FunctionJobTests.Type<ThrowsLater>(),
                },
                "too far on the way"
            },
            {
                "combiner's length",
                Job with
                {
                    Combine = FunctionJobTests.Type<TooLong>(),
                },
                $"{NameOf<TooLong>()} gave a value of"
            },
            {
                "partition out of range",
                Job with
                {
                    Partitioner = NameOf<OutOfRange>(),
                },
                $"{NameOf<OutOfRange>()} gave reduce 2 of 2"
            },
            {
                "partition out of range, and the mapper catches it",
                Job with
                {
                    Partitioner = NameOf<OutOfRange>(),
                    Map = FunctionJobTests.Type<Catches>(),
                },
                $"{NameOf<OutOfRange>()} gave reduce 2 of 2"
            },
            { "long keys", Job with { Map = FunctionJobTests.Type<LongKeys>() }, "a pair has a key of 100,000 bytes" },
            {
                "endless",
                Job with
                {
                    Map = FunctionJobTests.Type<Endless>(),
                    Combine = null,
                },
                $"{NameOf<Endless>()} gave more than 262,144 bytes for one record"
            },
            { "no type", Job with { Map = JobFunction.Type("No.Such") }, "tests.dll has no type No.Such" },
            { "bad type", Job with { Map = JobFunction.Type("[[*,+\\") }, "tests.dll has no type [[*,+\\" },
            {
                "not a mapper",
                Job with
                {
                    Map = FunctionJobTests.Type<OutOfRange>(),
                },
                $"{NameOf<OutOfRange>()} of tests.dll is no IMapper"
            },
            {
                "hidden",
                Job with
                {
                    Map = JobFunction.Type($"{typeof(TestFunctions).FullName}+Hidden"),
                },
                "is not public"
            },
            { "no terms", Job with { Partitioner = NameOf<ByLetter>() }, "KeyNotFoundException" },
            { "not there", Job with { Assembly = "/jobs/none.dll" }, "/jobs/none.dll is not there" },
            { "text", Job with { Assembly = "/jobs/text.dll" }, "text.dll is not a .NET assembly" },
            { "empty", Job with { Assembly = "/jobs/empty.dll" }, "empty.dll is not a .NET assembly" },
            { "half", Job with { Assembly = "/jobs/half.dll" }, "half.dll" },
            { "directory", Job with { Assembly = "/jobs" }, "/jobs is not there" },
            {
                "newer",
                Job with
                {
                    Assembly = "/jobs/newer.dll",
                },
                "newer.dll is made for CamCube.Services.Camdoop.Contracts 99.0.0.0, and this cube has"
            },
        };

    [Fact]
    public void Jobs_fail_by_name_and_no_server_is_lost()
    {
        using CamdoopCube cube = FunctionJobTests.CubeOf(3, 1, 1, new CamdoopOptions { SortBytes = 64 << 10 });
        byte[] whole = File.ReadAllBytes(typeof(TestFunctions).Assembly.Location);
        cube.Put("/jobs/text.dll", "This is no assembly.\n");
        cube.Put("/jobs/empty.dll", "");
        cube.Put("/jobs/half.dll", whole[..(whole.Length / 2)]);
        cube.Put("/jobs/newer.dll", MadeAssembly.For(new Version(99, 0, 0, 0)));
        for (int i = 0; i < 3; i++)
        {
            cube.Put($"/in/{i}", "one two two three three three\nfour four four four one\n9 9 9 9 9 9 9 9 9\n");
        }

        foreach ((string what, JobDescription job, string words) in Wrong.Select(static row => row.Data))
        {
            JobState state = cube.Await(cube.Submit(job), seconds: 30);
            Assert.True(state.Phase == JobPhase.Failed, $"{what}: {state.Phase}");
            Assert.True(state.Words!.Contains(words, StringComparison.Ordinal), $"{what}: {state.Words}");
            Assert.DoesNotContain("/out", cube.List("/"));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 3), rank => Assert.Equal(0, cube[rank].Served));
        Assert.Empty(cube.Cube.Faults);

        // One that does less than it should is wrong, and ends.
        JobState lazy = cube.Await(cube.Submit(Job with { Combine = FunctionJobTests.Type<Lazy>() }));
        Assert.Equal(JobPhase.Done, lazy.Phase);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_function_that_does_not_return_fails_its_job_and_takes_no_further_server(bool isMap)
    {
        using CamdoopCube cube = FunctionJobTests.CubeOf(
            3,
            3,
            1,
            new CamdoopOptions { FunctionTime = TimeSpan.FromSeconds(5) }
        );
        for (int i = 0; i < 9; i++)
        {
            cube.Put($"/in/{i}", CamdoopCube.TextOf(i, 500));
            cube[i].Mistake = CamdoopMistake.FunctionsAreStuck;
        }

        JobDescription job = isMap ? Job : Job with { Map = JobFunction.Program("words"), Combine = null };
        string name = cube.Submit(job);
        JobState state = cube.Await(name, seconds: 60);
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.Contains("did not return within 5 s", state.Words, StringComparison.Ordinal);
        Assert.True(state.Elapsed < TimeSpan.FromSeconds(12), $"it took {state.Elapsed}");
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Served));
        Assert.Empty(cube.Cube.Faults);
    }

    // On the way a combiner is called by whoever stands in for a vertex, too.
    [Fact]
    public void A_combiner_that_never_returns_on_the_way_fails_its_job_by_name_and_no_server_or_other_job()
    {
        using CamdoopCube cube = FunctionJobTests.CubeOf(
            3,
            3,
            1,
            new CamdoopOptions { FunctionTime = TimeSpan.FromSeconds(5) }
        );
        for (int i = 0; i < 9; i++)
        {
            cube.Put($"/in/{i}", CamdoopCube.TextOf(i, 500));
            cube[i].Mistake = CamdoopMistake.CombinersAreStuck;
        }

        string[] sound =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(i =>
                    cube.Submit(
                        FunctionJobTests.CountOf("/in", $"/sound{i}", reduces: 4) with
                        {
                            Combine = null,
                        },
                        rank: i
                    )
                ),
        ];
        JobState state = cube.Await(cube.Submit(Job), seconds: 60);
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.Contains("did not return within 5 s", state.Words, StringComparison.Ordinal);
        Assert.Equal((9, 0), (state.Maps.Done, state.Maps.Failed));
        Assert.All(sound, job => Assert.Equal(JobPhase.Done, cube.Await(job, rank: 7).Phase));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(0, cube[rank].Served));
        Assert.Empty(cube.Cube.Faults);
    }
}
