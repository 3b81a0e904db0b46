using System.Text.Json;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>The trees of a job, as people see them.</summary>
public sealed class TreesCommandTests
{
    [Fact]
    public void Servers_on_the_way_to_members_are_in_the_trees_and_who_is_lost_is_played_by_another()
    {
        using var cube = new DistributionCube(3, 3, 1);
        cube.Put(4, "f", DistributionCube.Bytes(1, 20_000_000));
        ulong job = cube.Begin(4, "f", 0, 8);
        cube.Cube.AwaitUntil(() => cube[8].Terms.Counters.Pulled.Value > 10);
        JsonElement[] rows = Rows(cube, job);
        Assert.Equal(4, rows.Count(static row => Text(row, "parent") == ""));
        Assert.Contains(rows, static row => !row.GetProperty("isMember").GetBoolean());
        Assert.All(rows, static row => Assert.Equal(Text(row, "server"), Text(row, "player")));
        string relay = Text(
            rows.First(static row => !row.GetProperty("isMember").GetBoolean() && Text(row, "parent") != ""),
            "server"
        );
        cube.Cube.Kill(Enumerable.Range(0, 9).Select(cube.Cube.Shape.At).Single(at => $"{at}" == relay));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.All(
            Rows(cube, job).Where(row => Text(row, "server") == relay),
            row => Assert.NotEqual(relay, Text(row, "player"))
        );
        cube.Await(4, job);
    }

    [Fact]
    public void A_job_that_is_not_here_is_said_to_be_none()
    {
        using var cube = new DistributionCube(3, 1, 1);
        Assert.Equal("there is no job 12 here, or it is still being prepared.", Ask(cube, "12").Text);
        Assert.Equal("there is no job x here, or it is still being prepared.", Ask(cube, "x").Text);
    }

    private static JsonElement[] Rows(DistributionCube cube, ulong job) =>
        [.. JsonDocument.Parse(Ask(cube, $"{job:x16}", 4).Text).RootElement.EnumerateArray()];

    private static CommandResult Ask(DistributionCube cube, string job, int rank = 0) =>
        cube.Run(
            rank,
            (service, _) =>
                service
                    .Commands.Single(static known => known.Name == "trees")
                    .RunAsync(CommandCall.Of("", "trees", ("job", job)))
        );

    private static string Text(JsonElement row, string name) =>
        row.TryGetProperty(name, out JsonElement text) ? text.GetString()! : "";
}
