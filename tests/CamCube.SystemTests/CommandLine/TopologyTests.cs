using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

public sealed class TopologyTests
{
    private const string AKey = "0123456789abcdef0123456789abcdef01234567";

    [Fact]
    public async Task Trees_are_printed_as_promised_and_share_no_link()
    {
        JsonElement answer = await Json("trees", "--shape", "3x3x3", "--root", "1,2,0");
        Assert.Equal(["shape", "root", "trees"], Names(answer));
        Assert.Equal("[3,3,3]", answer.GetProperty("shape").GetRawText());
        Assert.Equal("[1,2,0]", answer.GetProperty("root").GetRawText());
        var links = new HashSet<(string, string)>();
        var trees = new List<(int, int)>();
        foreach (JsonElement tree in answer.GetProperty("trees").EnumerateArray())
        {
            Assert.Equal(["axis", "sign", "parent"], Names(tree));
            trees.Add((tree.GetProperty("axis").GetInt32(), tree.GetProperty("sign").GetInt32()));
            Dictionary<string, string> parents = tree.GetProperty("parent").Deserialize<Dictionary<string, string>>()!;
            Assert.Equal(26, parents.Count);
            foreach ((string server, string parent) in parents)
            {
                Assert.True(links.Add((server, parent)));
                string at = server;
                for (int hops = 0; at != "1,2,0"; hops++)
                {
                    Assert.InRange(hops, 0, 6);
                    at = parents[at];
                }
            }
        }

        Assert.Equal([(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)], trees);
        JsonElement pair = await Json("trees", "--shape", "1x2x1", "--parallel-cables", "false", "--root", "0,1,0");
        Assert.Equal("""[{"axis":1,"sign":1,"parent":{"0,0,0":"0,1,0"}}]""", pair.GetProperty("trees").GetRawText());
    }

    [Theory]
    [InlineData(
        "paths --from 0,0,0 --to 1,1,1",
        """{"paths":[["0,0,0","1,0,0","1,1,0","1,1,1"],["0,0,0","0,1,0","0,1,1","1,1,1"],"""
            + """["0,0,0","0,0,1","1,0,1","1,1,1"]]}"""
    )]
    [InlineData("paths --from 5 --to 5", """{"paths":[]}""")]
    [InlineData("replicas --count 3 --key " + AKey, """{"home":"2,0,0","servers":["2,0,0","1,0,0","2,0,1"]}""")]
    [InlineData(
        "replicas --count 2 --failed 2,0,0;2,0,1 --key " + AKey,
        """{"home":"2,0,0","servers":["1,0,0","2,1,0"]}"""
    )]
    [InlineData("replicas --shape 1x1x1 --key " + AKey, """{"home":"0,0,0","servers":["0,0,0"]}""")]
    [InlineData("next-hops --from 0,0,0 --to 1,2,0", """{"links":["+x","-y"],"hops":2}""")]
    [InlineData(
        "next-hops --shape 4x4x4 --from 0 --to 2 --failed 1,0,0;3,0,0",
        """{"links":["+y","-y","+z","-z"],"hops":4}"""
    )]
    [InlineData("next-hops --from 7 --to 7", """{"links":["local"],"hops":0}""")]
    [InlineData("next-hops --shape 5x1x1 --from 0 --to 2 --failed 1;4", """{"links":[],"hops":-1}""")]
    [InlineData(
        "minicube --shape 8x8x1 --from 3,2,0 --root 0,0,0",
        """{"path":["3,2,0","2,2,0","1,2,0","0,2,0","0,1,0","0,0,0"]}"""
    )]
    public async Task Answers_are_those_of_the_library(string arguments, string json) =>
        Assert.Equal(json, (await Json(arguments.Split(' '))).GetRawText());

    [Theory]
    [InlineData("trees --shape 2x3x1 --root 0", "mean depth")]
    [InlineData("paths --from 0 --to 13", "3 hops: 0,0,0 -> 1,0,0 -> 1,1,0 -> 1,1,1")]
    [InlineData("replicas --key " + AKey, "root       2,0,0 (rank 2), 0 hops from the home")]
    [InlineData("next-hops --from 0 --to 13", "3 hops, first on +x or +y or +z")]
    [InlineData("minicube --from 0 --root 1", "0,0,0 +x, 1,0,0 hops away")]
    public async Task Text_for_people_is_ASCII_of_at_most_120_columns(string arguments, string says)
    {
        ToolRun run = await ToolRun.Of(["topology", .. arguments.Split(' ')]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains(says, run.Output, StringComparison.Ordinal);
        Assert.All(run.Output, c => Assert.InRange(c, '\n', '~'));
        Assert.All(run.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
    }

    [Theory]
    [InlineData("trees", "One of --root SERVER, --job ID and --group NAME is needed.")]
    [InlineData("trees --root 0 --rank 1", "--rank is for --group.")]
    [InlineData("trees --root 0 --job 1", "One of --root SERVER, --job ID and --group NAME is needed.")]
    [InlineData("trees --job 1 --shape 3x3x3", "those of the host's own shape: leave --shape out")]
    [InlineData("trees --root 0 --host 127.0.0.1:1", "topology trees --root asks no host")]
    [InlineData("trees --shape 0x3x3 --root 0", "--shape 0x3x3: each axis size must be from 1 to 65535")]
    [InlineData("trees --root 0,0,3", "--root '0,0,3' lies outside of 3x3x3; there are 0,0,0 to 2,2,2")]
    [InlineData("trees --root 27", "--root '27' lies outside of 3x3x3")]
    [InlineData("paths --from 0 --to x", "--to 'x' is not a server")]
    [InlineData("replicas --key 12xy", "--key '12xy' is not a key; a key is 40 hex digits")]
    [InlineData("replicas --shape 2x1x1 --failed 0;1 --key " + AKey, "--failed names every server")]
    [InlineData("replicas --count 0 --key " + AKey, "--count '0' must be a whole number from 1 to 65,536")]
    [InlineData("next-hops --from 0 --to 1 --failed 5;1", "--failed names 1,0,0, which is --to")]
    [InlineData("next-hops --from 0 --to 1 --failed 0,0,0", "--failed names 0,0,0, which is --from")]
    [InlineData("next-hops --from 0 --to 1 --failed 9,9,9", "--failed '9,9,9' lies outside of 3x3x3")]
    [InlineData("next-hops --from 0 --to 1 --failed 5,6", "--failed '5,6' must be servers with semicolons")]
    [InlineData("minicube --from 0 --root 1 --host 127.0.0.1:1", "topology asks no host")]
    public async Task Bad_input_is_one_line_that_says_what_is_right(string arguments, string says)
    {
        ToolRun run = await ToolRun.Of(["topology", .. arguments.Split(' '), "--json"]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    private static async Task<JsonElement> Json(params string[] arguments)
    {
        ToolRun run = await ToolRun.Of(["topology", .. arguments, "--json"]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Single(run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        return JsonDocument.Parse(run.Output).RootElement;
    }

    private static IEnumerable<string> Names(JsonElement element) =>
        element.EnumerateObject().Select(each => each.Name);
}
