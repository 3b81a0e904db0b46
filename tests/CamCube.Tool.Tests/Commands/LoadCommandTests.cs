using System.Text.Json;
using System.Xml.Linq;
using CamCube.Loads.Tests.Kit;
using CamCube.Tool.Tests.Figures;

namespace CamCube.Tool.Tests.Commands;

/// <summary><c>kv load</c> at a server of Redis' protocol in this process.</summary>
public sealed class LoadCommandTests
{
    [Fact]
    public async Task A_load_prints_its_phases_draws_its_picture_and_leaves_nothing()
    {
        await using var server = new RedisFake(ports: 2);
        using var folder = new TemporaryFolder();
        string picture = Path.Combine(folder.Path, "times.svg");
        CommandRun run = await LoadAsync(server, "--json", "--plot", picture);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        using var json = JsonDocument.Parse(run.Output);
        JsonElement[] phases = [.. json.RootElement.GetProperty("phases").EnumerateArray()];
        Assert.Equal(["load", "run", "remove"], phases.Select(static one => one.GetProperty("phase").GetString()));
        Assert.Equal([100, 500, 100], phases.Select(static one => one.GetProperty("done").GetInt32()));
        Assert.Equal(0, server.Count);
        Assert.Equal("svg", XDocument.Load(picture).Root!.Name.LocalName);
        run = await LoadAsync(server, "--phases", "load");
        Assert.Equal((0, "", 100), (run.ExitCode, run.Error, server.Count));
        Assert.Contains("| insert    |   100 |", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(RedisFault.Foreign, 1)]
    [InlineData(RedisFault.None, 0)]
    public async Task A_read_that_brings_another_keys_value_is_a_failure(RedisFault fault, int exitCode)
    {
        await using var server = new RedisFake(fault);
        CommandRun run = await LoadAsync(server);
        Assert.Equal((exitCode, ""), (run.ExitCode, run.Error));
        Assert.Equal(exitCode == 1, run.Output.Contains("ended with wrong", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("--target redis --endpoint a:b:c", 2, "--endpoint a:b:c is no server such as 127.0.0.1:6379.")]
    [InlineData("--target redis --endpoint h:65536", 2, "--endpoint h:65536 is no server")]
    [InlineData("--endpoint http://h:1 --endpoint h:2", 2, "some are asked over HTTP, some are not")]
    [InlineData("--target etcd --endpoint h:1 --mix incr=1", 2, "etcd does not add to numbers")]
    [InlineData("--target etcd --endpoint h:1 --loops 2", 2, "only loads over Redis' protocol have loops")]
    [InlineData("--endpoint http://h:1 --pipeline 2", 2, "over HTTP a connection has one request at a time")]
    [InlineData("--target redis --endpoint 127.0.0.1:1", 3, "127.0.0.1:1 cannot be connected to")]
    [InlineData("--target etcd --endpoint 127.0.0.1:1", 3, "127.0.0.1:1 does not answer as etcd")]
    [InlineData("--endpoint http://127.0.0.1:1", 3, "127.0.0.1:1 does not answer over HTTP")]
    [InlineData("--target redis --endpoint no.such.host.invalid:1", 3, "there is no host no.such.host.invalid")]
    public async Task What_cannot_be_done_is_one_line(string arguments, int exitCode, string says)
    {
        CommandRun run = await CommandRun.OfAsync(["kv", "load", .. arguments.Split(' ')]);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_store_that_refuses_everything_ends_it_after_the_first_phase()
    {
        await using var server = new RedisFake();
        server.Answers["SET"] = "-OOM no room\r\n";
        CommandRun run = await LoadAsync(server);
        Assert.Equal((3, ""), (run.ExitCode, run.Error));
        Assert.Contains("insert: 100 ended with OOM", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("run:", run.Output, StringComparison.Ordinal);
    }

    private static Task<CommandRun> LoadAsync(RedisFake server, params string[] more) =>
        CommandRun.OfAsync([
            "kv",
            "load",
            "--target",
            "redis",
            .. server.Endpoints.SelectMany(static one => new[] { "--endpoint", $"{one}" }),
            "--records",
            "100",
            "--operations",
            "500",
            "--connections",
            "3",
            "--value-size",
            "50",
            .. more,
        ]);
}
