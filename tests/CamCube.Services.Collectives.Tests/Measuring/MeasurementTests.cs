using System.Text.Json;
using CamCube.Services.Collectives.Tests.Service;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Collectives.Tests.Measuring;

/// <summary>Measurements of a whole cube, in virtual time.</summary>
public sealed class MeasurementTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Theory]
    [InlineData("AllReduce", "BFloat16", "Sum")]
    [InlineData("Reduce", "Int8", "Product")]
    [InlineData("Broadcast", "Float64", "Sum")]
    [InlineData("ReduceScatter", "Int64", "Xor")]
    [InlineData("AllGather", "Float16", "Min")]
    [InlineData("Barrier", "Int8", "Sum")]
    public void An_operation_is_measured_and_right_and_nothing_is_left(string operation, string type, string with)
    {
        using var cube = new CollectivesCube(Shape);
        JsonElement bench = Ended(
            cube,
            4,
            Begin(cube, 4, ("operation", operation), ("type", type), ("operator", with), ("most", "300000"))
        );
        Assert.Equal("done", bench.GetProperty("state").GetString());
        JsonElement[] sizes = [.. bench.GetProperty("sizes").EnumerateArray()];
        Assert.Equal(operation == "Barrier" ? 1 : 7, sizes.Length);
        Assert.All(sizes, static size => Assert.Equal(0, size.GetProperty("wrong").GetInt64()));
        Assert.All(sizes, static size => Assert.InRange(size.GetProperty("seconds").GetDouble(), 1e-6, 1e-2));
        AssertNothingLeft(cube);
        cube.AssertQuiet();
    }

    // As NCCL's tests have it: the factor of an operation, and bytes of the whole vector, all parts of it.
    [Theory]
    [InlineData("AllReduce", 2.0 * 26 / 27, 4_194_304)]
    [InlineData("ReduceScatter", 26.0 / 27, 4_194_288)]
    [InlineData("AllGather", 26.0 / 27, 4_194_288)]
    [InlineData("Reduce", 1, 4_194_304)]
    [InlineData("Broadcast", 1, 4_194_304)]
    public void The_bus_bandwidth_is_what_links_carry(string operation, double factor, int bytes)
    {
        var simulator = new SimulatorOptions { IsTracing = false };
        using var cube = new CollectivesCube(Shape, simulator: simulator);
        JsonElement size = Ended(
                cube,
                0,
                Begin(cube, 0, ("operation", operation), ("least", "4194304"), ("most", "4194304"))
            )
            .GetProperty("sizes")[0];
        (double rate, double bus) = (
            size.GetProperty("algorithmBytesPerSecond").GetDouble(),
            size.GetProperty("busBytesPerSecond").GetDouble()
        );
        Assert.Equal(factor, bus / rate, 6);
        Assert.Equal(rate, size.GetProperty("bytes").GetInt32() / size.GetProperty("seconds").GetDouble(), 0.01 * rate);
        Assert.Equal((bytes, bytes / 4), (size.GetProperty("bytes").GetInt32(), size.GetProperty("count").GetInt32()));

        // Whatever the operation, it says how full a server's links are, and none is more than full.
        Assert.InRange(bus / (6 * simulator.LinkBitsPerSecond / 8.0), 0.75, 1);
    }

    [Fact]
    public void Every_server_measures_at_once_with_others()
    {
        using var cube = new CollectivesCube(Shape, options: new CollectivesOptions { Groups = 28 });
        string[] ids =
        [
            .. Enumerable
                .Range(0, 27)
                .Select(server =>
                    Begin(
                        cube,
                        server,
                        ("most", "65536"),
                        ("members", string.Join(';', Enumerable.Range(0, 27).Select(i => Shape.At((server + i) % 27))))
                    )
                ),
        ];
        for (int server = 0; server < 27; server++)
        {
            JsonElement bench = Ended(cube, server, ids[server]);
            Assert.Equal(
                ("done", 5),
                (bench.GetProperty("state").GetString(), bench.GetProperty("sizes").GetArrayLength())
            );
            Assert.All(
                bench.GetProperty("sizes").EnumerateArray(),
                static size => Assert.Equal(0, size.GetProperty("wrong").GetInt64())
            );
        }

        AssertNothingLeft(cube);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_member_that_dies_in_the_middle_is_named_and_nothing_is_left()
    {
        using var cube = new CollectivesCube(Shape);
        string id = Begin(cube, 4, ("most", "16777216"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal("running", Status(cube, 4, id).GetProperty("state").GetString());
        cube.Cube.Kill(Shape.At(22));
        JsonElement bench = Ended(cube, 4, id);
        Assert.Equal("failed", bench.GetProperty("state").GetString());
        Assert.Equal($"{Shape.At(22)} is lost", bench.GetProperty("words").GetString());
        Assert.NotEqual(0, bench.GetProperty("sizes").GetArrayLength());
        AssertNothingLeft(cube, 22);
    }

    [Fact]
    public void The_server_where_it_was_begun_dies_and_nothing_is_left()
    {
        using var cube = new CollectivesCube(Shape);
        Begin(cube, 4, ("most", "16777216"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.Cube.Kill(Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        AssertNothingLeft(cube, 4);
    }

    [Fact]
    public void One_that_is_cancelled_or_of_which_nobody_asks_ends_at_all()
    {
        var options = new CollectivesOptions { UnaskedTime = TimeSpan.FromSeconds(1) };
        using var cube = new CollectivesCube(Shape, options: options);
        string id = Begin(cube, 4, ("most", "16777216"), ("rounds", "10000"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(cube.Command(4, "bench-cancel", ("bench", id)).IsOk);
        Assert.Equal("cancelled", Status(cube, 4, id).GetProperty("words").GetString());
        AssertNothingLeft(cube);
        CommandResult again = cube.Command(4, "bench-cancel", ("bench", id));
        Assert.Equal((false, $"no measurement {id} runs here."), (again.IsOk, again.Text));

        string other = Begin(cube, 5, ("most", "1048576"), ("rounds", "10000"), ("members", "2,1,0;0,0,1"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(900));
        Assert.Equal("running", Status(cube, 5, other).GetProperty("state").GetString());
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.StartsWith("nobody asked", Status(cube, 5, other).GetProperty("words").GetString());
        AssertNothingLeft(cube);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_member_that_cannot_is_named_with_its_reason()
    {
        using var cube = new CollectivesCube(Shape, options: new CollectivesOptions { Groups = 2 });
        cube.Do(9, () => cube.Service(9).Open(new GroupRequest("other") { Members = [Shape.At(9)] }));
        JsonElement bench = Ended(cube, 4, Begin(cube, 4));
        Assert.Equal("failed", bench.GetProperty("state").GetString());
        Assert.StartsWith("0,0,1: 2 groups are open at 0,0,1", bench.GetProperty("words").GetString());
        AssertNothingLeft(cube, alsoOpen: 1);
    }

    [Fact]
    public void A_member_that_is_gone_does_not_answer()
    {
        using var cube = new CollectivesCube(Shape);
        cube.Cube.Kill(Shape.At(13));
        JsonElement bench = Ended(cube, 4, Begin(cube, 4));
        string words = bench.GetProperty("words").GetString()!;
        Assert.Contains("1,1,1", words, StringComparison.Ordinal);
        AssertNothingLeft(cube, 13);
    }

    [Theory]
    [InlineData("least", "0", "are no sizes")]
    [InlineData("most", "1", "are no sizes")]
    [InlineData("most", "268435460", "MostMeasured")]
    [InlineData("rounds", "0", "rounds are 1 to 10,000")]
    [InlineData("operator", "Xor", "there is no Xor of Float32")]
    [InlineData("members", "0,0,0", "is no member")]
    [InlineData("members", "1,1,0;1,1,0", "is named twice")]
    [InlineData("members", "1,1,0;3,0,0", "is none of 3x3x3")]
    public void What_cannot_be_measured_is_said(string name, string text, string words)
    {
        using var cube = new CollectivesCube(Shape);
        CommandResult refused = cube.Command(4, "bench", (name, text));
        Assert.False(refused.IsOk);
        Assert.Contains(words, refused.Text, StringComparison.Ordinal);
        Assert.Contains("there is no measurement 12", cube.Command(4, "bench-status", ("bench", "12")).Text);
        AssertNothingLeft(cube);
    }

    private static string Begin(CollectivesCube cube, int server, params (string, string)[] arguments)
    {
        CommandResult begun = cube.Command(server, "bench", arguments);
        Assert.True(begun.IsOk, begun.Text);
        return JsonDocument.Parse(begun.Text).RootElement.GetProperty("id").GetString()!;
    }

    private static JsonElement Status(CollectivesCube cube, int server, string id) =>
        JsonDocument.Parse(cube.Command(server, "bench-status", ("bench", id)).Text).RootElement;

    private static JsonElement Ended(CollectivesCube cube, int server, string id)
    {
        JsonElement status = Status(cube, server, id);
        for (int i = 0; i < 1_000 && status.GetProperty("state").GetString() == "running"; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
            status = Status(cube, server, id);
        }

        return status;
    }

    // But for the group of the test itself.
    private static void AssertNothingLeft(CollectivesCube cube, int gone = -1, int alsoOpen = 0)
    {
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        int open = 0;
        for (int server = 0; server < 27; server++)
        {
            if (server != gone)
            {
                string groups = cube.Command(server, "groups").Text;
                Assert.DoesNotContain("bench/", groups, StringComparison.Ordinal);
                open += JsonDocument.Parse(groups).RootElement.GetArrayLength();
                Assert.InRange(ClaimedAt(cube, server), 0, 64L << 20);
            }
        }

        Assert.Equal((gone < 0 ? 27 : 26) + alsoOpen, open);
    }

    private static long ClaimedAt(CollectivesCube cube, int server) =>
        cube.Cube[server].ServerOf<CollectivesService>().Memory.Claimed;
}
