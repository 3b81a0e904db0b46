using System.Text.Json;
using CamCube.Runtime.Cubes;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>What a server says of its part of the store is what it does: counters, status, health.</summary>
public sealed class SeeingTests
{
    private const int Keys = 60;

    [Fact]
    public void Operations_and_syncs_are_counted_with_how_long_they_took_and_how_many_they_were()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Dictionary<string, long> before = Counters(cube, 0);
        Fill(cube, 0);
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Get(0, $"key {key}").Answer.Status);
        }

        // It waits for longer than any time that is counted, and counts for none.
        Assert.Equal(
            Conflict,
            cube.Cube.Await(
                cube[0]
                    .WaitAsync(KeyValueKey.Of("key 1"), cube.Get(0, "key 1").Answer.Version, TimeSpan.FromSeconds(11))
            ).Status
        );
        Dictionary<string, long> now = Counters(cube, 0);
        Assert.Equal(Keys, now["changes"] - before["changes"]);
        Assert.Equal(Keys, Sum(now, "changes.times") - Sum(before, "changes.times"));
        Assert.Equal(Keys + 1, Sum(now, "reads.times") - Sum(before, "reads.times"));
        Assert.Equal(0, now["reads.times:more"]);

        // A change takes two disks their time, so it is in no range below that of a sync.
        Assert.Equal(0, now["changes.times:100us"]);
        Assert.Equal(now["syncs"], Sum(now, "syncs.times"));
        Assert.Equal(now["syncs"], Sum(now, "syncs.records"));
        Assert.True(now["syncs"] >= before["syncs"] + Keys, $"{before["syncs"]} to {now["syncs"]}");
        Assert.True(now["syncs.bytes"] > 512 * now["syncs"], $"{now["syncs.bytes"]}");

        // What is told of the log is what is there.
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        now = Counters(cube, 0);
        long bytes = cube.Store(0).Host.Log!.Segments.All.Sum(static s => s.End);
        Assert.Equal((bytes, bytes - now["needed"], Keys), (now["bytes"], now["garbage"], now["keys"]));
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Missing_copies_are_told_by_those_who_lead_until_they_are_back_and_so_is_what_brings_them()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, 1);
        cube.AwaitSettled();
        Assert.All([0, 1, 2], rank => Assert.Null(cube.Store(rank).Unwell));

        Coordinate lost = cube.Cube.Shape.At(2);
        cube.Cube.Kill(lost);
        cube.Cube.AwaitConverged();
        Fill(cube, 0);
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        long[] missing = [.. new[] { 0, 1 }.Select(rank => Counters(cube, rank)["away"])];
        Assert.Equal(3 * 48, missing.Sum());
        for (int rank = 0; rank < 2; rank++)
        {
            string words = $"{missing[rank]} copies are missing of groups that it leads";
            Assert.Equal(words, cube.Store(rank).Unwell);
            Assert.Equal(words, cube.Cube[rank].Status.Services.Single(static s => s.Name == "kv").Unwell);
            JsonElement status = Status(cube, rank);
            Assert.Equal(missing[rank], status.GetProperty("copiesMissing").GetInt64());
            Assert.Equal(Keys, status.GetProperty("keys").GetInt64());
            Assert.InRange(status.GetProperty("garbageBytes").GetInt64(), 1, status.GetProperty("bytes").GetInt64());
        }

        // An empty disk gets all, over links that are named.
        cube.Cube.Revive(lost, emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Dictionary<string, long> fetched = Counters(cube, 2);
        Assert.Equal((3 * 48, 0), (fetched["fetched"], fetched["fetching"]));
        Assert.True(fetched["fetched.states.bytes"] > 10 * Keys, $"{fetched["fetched.states.bytes"]}");
        long perLink = Sum(fetched, "fetching.bytes");
        Assert.True(perLink >= fetched["fetched.states.bytes"], $"{perLink}");
        Assert.All([0, 1, 2], rank => Assert.Null(cube.Store(rank).Unwell));
        Assert.Equal(0, Status(cube, 0).GetProperty("copiesMissing").GetInt64());
        cube.Cube.Advance(TimeSpan.FromSeconds(11));
        Assert.Equal(0, Counters(cube, 2)["fetched.rate"]);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Who_has_no_majority_left_says_that_nobody_leads()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("144 of its groups have no leader with a majority", cube.Store(2).Unwell);
        Assert.Equal(144, Counters(cube, 2)["leaderless"]);
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(200));
        Assert.DoesNotContain("no leader", cube.Store(2).Unwell, StringComparison.Ordinal);
    }

    [Fact]
    public void A_first_start_that_waits_and_a_store_that_is_not_opened_are_named()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("waits for the first start of the store, for which 1,0,0 must be there", cube.Store(0).Unwell);
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        cube.AwaitSettled();
        Assert.Null(cube.Store(0).Unwell);

        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Options.Replicas = 1;
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.StartsWith("keeps no part of the store: ", cube.Store(1).Unwell, StringComparison.Ordinal);
    }

    private static void Fill(StoreCube cube, int rank)
    {
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Put(rank, $"key {key}", $"value {key}").Status);
        }
    }

    private static JsonElement Status(StoreCube cube, int rank)
    {
        CommandResult result = cube.Cube.Await(cube.Cube[rank].Gate.RunCommandAsync(CommandCall.Of("kv", "status")));
        return JsonDocument.Parse(result.Text).RootElement;
    }

    private static long Sum(Dictionary<string, long> counters, string name) =>
        counters.Where(one => one.Key.StartsWith($"{name}:", StringComparison.Ordinal)).Sum(static one => one.Value);

    // By name, and behind a colon the label or the link.
    internal static Dictionary<string, long> Counters(StoreCube cube, int rank)
    {
        ServiceStatus status = cube.Cube[rank].Status.Services.Single(static s => s.Name == "kv");
        return status.Counters.ToDictionary(
            static c =>
                c.Of is { } of ? $"{c.Name}:{of}"
                : c.Link is { } link ? $"{c.Name}:{link}"
                : c.Name,
            static c => c.Value
        );
    }
}
