using System.Buffers;
using System.Text;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Output as pairs of the key-value store.</summary>
public sealed class PairsTests
{
    private static readonly JobDescription Count = new(["/in"], "/out")
    {
        Map = JobFunction.Program("words"),
        Reduce = JobFunction.Program("sum"),
        Reduces = 3,
        Pairs = new JobPairs("count:"),
    };

    [Fact]
    public void Pairs_of_the_output_are_in_the_store_once_the_job_is_done()
    {
        using var cube = new CamdoopCube(3, 2, 1, tables: "2=3");
        string text = CamdoopCube.TextOf(1, 8_000);
        cube.Put("/in/a", text);
        cube.Put("/in/b", text);
        Assert.Equal(
            JobPhase.Done,
            cube.Await(cube.Submit(Count with { Pairs = new JobPairs("count:", Table: 2) })).Phase
        );

        Dictionary<string, string> counts = CamdoopCube
            .WordsOf(text)
            .GroupBy(static w => w)
            .ToDictionary(static g => $"count:{g.Key}", static g => $"{2 * g.Count()}");
        Assert.Equal(counts, Stored(cube, "count:", 2));
        Assert.Empty(Stored(cube, "count:"));
        Assert.Equal(
            ["_SUCCESS", "_stored-00000", "_stored-00001", "_stored-00002", "part-00000", "part-00001", "part-00002"],
            cube.List("/out").Select(static path => path["/out/".Length..])
        );

        // A job without reduces, whose lines are cut elsewhere, over what is there: the last of a file stays.
        cube.Put("/rows/a", "x;1;2\ny;3\nz\nx;1;4\n");
        JobDescription rows = new(["/rows"], "/copied")
        {
            Map = JobFunction.Program("cat"),
            Reduces = 0,
            Text = new JobText { MapOutputSeparator = ";", MapOutputKeyFields = 2 },
            Pairs = new JobPairs("row-"),
        };
        Assert.Equal(JobPhase.Done, cube.Await(cube.Submit(rows)).Phase);
        Assert.Equal("x;1;2\ny;3\nz\nx;1;4\n", Encoding.UTF8.GetString(cube.Get("/copied/part-00000")!));
        Assert.Equal(
            new Dictionary<string, string>
            {
                ["row-x;1"] = "4",
                ["row-y;3"] = "",
                ["row-z"] = "",
            },
            Stored(cube, "row-", 0)
        );
        Assert.Empty(cube.Cube.Faults);
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(2, true)]
    [InlineData(3, false)]
    public void Whoever_fails_while_they_are_put_all_are_there_at_the_end(int seed, bool isTracker)
    {
        using var cube = new CamdoopCube(3, 3, 1, new CamdoopOptions { PutsAtOnce = 1 });
        var random = new Random(seed);
        string text = CamdoopCube.TextOf(seed, 3_000);
        cube.Put("/in/a", text);
        string name = cube.Submit(Count with { Reduces = 9 });
        for (int i = 0; i < 60_000 && Put(cube) < 20 * seed; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        }

        Assert.Equal(JobPhase.Committing, cube.Find(name)!.Phase);
        int tracker = Enumerable.Range(0, 9).Single(rank => cube[rank].Tracked > 0);
        int dead = isTracker ? tracker : (tracker + random.Next(1, 9)) % 9;
        int still = (dead + random.Next(1, 8)) % 9;
        cube.Cube.Kill(cube.Cube.Shape.At(dead));
        cube.Cube.Pause(cube.Cube.Shape.At(still), TimeSpan.FromSeconds(3));
        int asked = Enumerable.Range(0, 9).First(rank => rank != dead && rank != still);
        Assert.Equal(JobPhase.Done, cube.Await(name, asked).Phase);
        Dictionary<string, string> counts = CamdoopCube
            .WordsOf(text)
            .GroupBy(static w => w)
            .ToDictionary(static g => $"count:{g.Key}", static g => $"{g.Count()}");
        Assert.Equal(counts, Stored(cube, "count:", rank: asked));
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void Jobs_of_a_crowd_put_their_own_pairs_beside_one_that_means_harm_while_a_server_dies()
    {
        using var cube = new CamdoopCube(3, 3, 1, new CamdoopOptions { PutsAtOnce = 1 });
        string text = CamdoopCube.TextOf(6, 2_000);
        cube.Put("/in/a", text);
        cube.Put("/bad/a", "{/out0}part-00000\tmine\n" + text);
        JobDescription harm = new(["/bad"], "/harm") { Pairs = new JobPairs("file") };
        string[] sound =
        [
            .. Enumerable
                .Range(0, 4)
                .Select(i =>
                    cube.Submit(Count with { Output = $"/out{i}", Reduces = 3, Pairs = new JobPairs($"{i}:") }, rank: i)
                ),
        ];
        string bad = cube.Submit(harm, rank: 5);
        for (int i = 0; i < 60_000 && Put(cube) < 200; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        }

        cube.Cube.Kill(cube.Cube.Shape.At(4));
        Assert.All(sound, job => Assert.Equal(JobPhase.Done, cube.Await(job, rank: 8).Phase));
        JobState failed = cube.Await(bad, rank: 8);
        Assert.Equal(JobPhase.Failed, failed.Phase);
        Assert.Contains(
            "under which services keep their own (file{/out0}part-)",
            failed.Words,
            StringComparison.Ordinal
        );
        for (int i = 0; i < sound.Length; i++)
        {
            string prefix = $"{i}:";
            Dictionary<string, string> counts = CamdoopCube
                .WordsOf(text)
                .GroupBy(static w => w)
                .ToDictionary(g => prefix + g.Key, static g => $"{g.Count()}");
            Assert.Equal(counts, Stored(cube, prefix, rank: 8));
            Assert.NotNull(cube.Get($"/out{i}/part-00000", rank: 8));
        }

        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void A_server_that_stood_still_changes_nothing_after_the_end()
    {
        using var cube = new CamdoopCube(3, 3, 1, new CamdoopOptions { PutsAtOnce = 1 });
        cube.Put("/in/a", CamdoopCube.TextOf(5, 3_000));
        string name = cube.Submit(Count with { Reduces = 9 });
        for (int i = 0; i < 60_000 && Put(cube) < 20; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(2));
        }

        Assert.Equal(JobPhase.Committing, cube.Find(name)!.Phase);
        const int Still = 4;
        cube.Cube.Pause(cube.Cube.Shape.At(Still), TimeSpan.FromSeconds(120));
        Assert.Equal(JobPhase.Done, cube.Await(name).Phase);
        Dictionary<string, string> stored = Stored(cube, "count:");
        foreach (string key in stored.Keys)
        {
            Assert.Equal(
                KeyValueStatus.Done,
                cube.Run<KeyValueService, KeyValueAnswer>(
                    0,
                    s => s.PutAsync(KeyValueKey.Of(key), Encoding.UTF8.GetBytes("mine"), default)
                ).Status
            );
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(150));
        Assert.All(Stored(cube, "count:"), static pair => Assert.Equal("mine", pair.Value));
        Assert.Empty(cube.Cube.Faults);
    }

    [Theory]
    [InlineData("\tvalue\n", "", "a pair of the output has an empty key, and no prefix")]
    [InlineData(
        "{/in}a\tvalue\n",
        "file",
        "a key of the output is one of those under which services keep their own (file{/in}a)"
    )]
    [InlineData("used\tvalue\n", "", "a key of the output is one of those under which services keep their own (used)")]
    [InlineData("LONG\tvalue\n", "p:", "a key of the output has 65,534 bytes; with its prefix 65,535 are allowed")]
    public void What_cannot_be_a_pair_ends_the_job_before_any_was_put(string line, string prefix, string words)
    {
        using var cube = new CamdoopCube(2, 1, 1);
        string text = line.Replace("LONG", new string('k', 65_534), StringComparison.Ordinal);
        cube.Put("/in/a", "sound\t1\n" + text);
        JobState state = cube.Await(
            cube.Submit(
                Count with
                {
                    Map = JobFunction.Identity,
                    Reduce = JobFunction.Identity,
                    Pairs = new JobPairs(prefix),
                }
            )
        );
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.EndsWith(words, state.Words, StringComparison.Ordinal);
        Assert.Empty(Stored(cube, "sound"));
        Assert.Empty(cube.List("/out"));
        Assert.Empty(cube.Cube.Faults);
    }

    [Theory]
    [InlineData(16, "", false, "pairs go into a table of 0 to 15, not 16")]
    [InlineData(-1, "", false, "pairs go into a table of 0 to 15, not -1")]
    [InlineData(15, "", false, "there is no table 15 in the key-value store (CamCube:Services:kv:Tables)")]
    [InlineData(0, "LONG", false, "what keys begin with has at most 4,096 bytes")]
    [InlineData(0, "", true, "compressed output whose pairs go into the key-value store: this cube cannot do that yet")]
    public void What_is_asked_wrongly_is_refused(int table, string prefix, bool compresses, string words)
    {
        using var cube = new CamdoopCube(2, 1, 1);
        cube.Put("/in/a", "x\n");
        JobAnswer answer = cube.Run<CamdoopService, JobAnswer>(
            0,
            s =>
                s.SubmitAsync(
                    Count with
                    {
                        CompressesOutput = compresses,
                        Pairs = new JobPairs(prefix == "LONG" ? new string('p', 4_097) : prefix, table),
                    }
                )
        );
        Assert.Equal((JobStatus.BadJob, words), (answer.Status, answer.Words));
    }

    private static long Put(CamdoopCube cube) => Enumerable.Range(0, 9).Sum(rank => cube[rank].Counters.Put.Value);

    private static Dictionary<string, string> Stored(CamdoopCube cube, string prefix, int table = 0, int rank = 0) =>
        cube.Run<KeyValueService, Dictionary<string, string>>(
            rank,
            async store =>
            {
                Dictionary<string, string> pairs = [];
                string? cursor = null;
                do
                {
                    KeyValuePage page = await store.ListAsync(KeyValueKey.Of(prefix, table), cursor, 1_000);
                    Assert.Equal(KeyValueStatus.Done, page.Status);
                    foreach (KeyValueListing listing in page.Keys)
                    {
                        var value = new ArrayBufferWriter<byte>();
                        await store.GetAsync(new KeyValueKey(listing.Key, table), KeyValueReads.Latest, value, null);
                        pairs[Encoding.UTF8.GetString(listing.Key.Span)] = Encoding.UTF8.GetString(value.WrittenSpan);
                    }

                    cursor = page.Next;
                } while (cursor is not null);
                return pairs;
            }
        );
}
