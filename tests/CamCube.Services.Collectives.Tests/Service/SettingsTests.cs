using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>Members whose settings are not those of the others: where these say along which trees operations go, they
/// would wait for each other for ever.</summary>
public sealed class SettingsTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Theory]
    [InlineData(0, "Groups")]
    [InlineData(13, "Groups")]
    [InlineData(26, "SendMemory")]
    [InlineData(5, "ReceiveMemory")]
    [InlineData(13, "LeastCredit")]
    [InlineData(1, "ShortBytes")]
    public void One_with_other_settings_ends_its_groups_in_words_that_name_a_member_and_no_other_group(
        int odd,
        string setting
    )
    {
        using var cube = new CollectivesCube(Shape, optionsOf: rank => rank == odd ? Other(setting) : new());
        int[] without = [.. Enumerable.Range(0, 27).Where(rank => rank != odd)];
        (int, IGroup)[] all = [.. Enumerable.Range(0, 27).Select(rank => (rank, cube[rank]))];
        int[][] vectors = Ones(27);
        Task<CollectiveResult>[] tasks = cube.BeginAll(vectors, Scatter);

        // A crowd of those that are of one mind, while a cable is lost.
        for (int group = 0; group < 3; group++)
        {
            cube.Open($"group {group}", without);
            int[][] ones = Ones(26);
            Task<CollectiveResult>[] others = cube.BeginAll(ones, Scatter);
            cube.Cube.Cut(Shape.At(9 * group), Link.XPlus);
            cube.AwaitDone(others);
            Assert.All(ones, static (v, at) => Assert.All(v[(at * 500)..((at + 1) * 500)], x => Assert.Equal(26, x)));
            Array.ForEach(without, server => cube.Do(server, cube[Array.IndexOf(without, server)].Close));
        }

        CollectiveResult[] results = cube.AwaitAll(tasks);
        List<Coordinate> near = [Shape.At(odd)];
        foreach (Link link in Shape.CabledLinks(Shape.At(odd)))
        {
            near.Add(Shape.Step(Shape.At(odd), link));
        }

        Assert.All(
            results,
            result =>
            {
                Assert.Equal(CollectiveStatus.OtherSettings, result.Status);
                Assert.Contains(result.Member, near);
                Assert.Equal(
                    $"the settings of {result.Member}, or of a server next to it, are others "
                        + "(CamCube:Services:collectives: ShortBytes, Groups, LeastCredit, SendMemory, ReceiveMemory)",
                    result.Words
                );
            }
        );
        foreach ((int server, IGroup group) in all)
        {
            Assert.Equal(CollectiveStatus.OtherSettings, group.End?.Status);
            cube.Do(server, group.Close);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Settings_that_differ_and_say_the_same_are_no_hindrance()
    {
        using var cube = new CollectivesCube(
            Shape,
            optionsOf: rank =>
                new()
                {
                    Groups = 32 + (rank % 2 * 8),
                    Window = (128 << 10) * (1 + (rank % 2)),
                    Ended = 10 + rank,
                }
        );
        int[][] ones = Ones(27);
        cube.RunAll(ones, Scatter);
        Assert.All(ones, static (v, at) => Assert.All(v[(at * 500)..((at + 1) * 500)], x => Assert.Equal(27, x)));
        cube.AssertQuiet();
    }

    [Fact]
    public void Requests_are_read_as_they_were_written_and_what_is_none_is_none()
    {
        var request = new EdgeRequest(1L << 40, 7, 9, 8_193);
        byte[] bytes = new byte[EdgeRequest.MostBytes];
        Assert.Equal(bytes.Length, request.Write(bytes));
        Assert.True(EdgeRequest.TryRead(bytes, out EdgeRequest read));
        Assert.Equal(request, read);
        Assert.All(
            Enumerable.Range(0, bytes.Length),
            length => Assert.False(EdgeRequest.TryRead(bytes.AsSpan(0, length), out _))
        );
        Assert.False(EdgeRequest.TryRead([.. bytes, 0], out _));
    }

    private static int[][] Ones(int members) =>
        [.. Enumerable.Range(0, members).Select(_ => Enumerable.Repeat(1, members * 500).ToArray())];

    private static ValueTask<CollectiveResult> Scatter(IGroup group, Memory<byte> elements) =>
        group.ReduceScatterAsync(elements, ElementType.Int32, ReduceOperator.Sum);

    // With any of these 27 members have no trees of their own, or what is short is long.
    private static CollectivesOptions Other(string setting) =>
        setting switch
        {
            "Groups" => new() { Groups = 4_096 },
            "SendMemory" => new() { SendMemory = 1 << 20 },
            "ReceiveMemory" => new() { ReceiveMemory = 1 << 20 },
            "LeastCredit" => new() { LeastCredit = 1_020 << 10 },
            _ => new() { ShortBytes = 1 << 20 },
        };
}
