namespace CamCube.Tool.Tests.Commands;

public sealed class HelpTests
{
    [Theory]
    [InlineData("")]
    [InlineData("run")]
    [InlineData("status")]
    [InlineData("links")]
    [InlineData("ping")]
    [InlineData("trace")]
    [InlineData("stream")]
    [InlineData("kv")]
    [InlineData("kv put")]
    [InlineData("kv get")]
    [InlineData("kv delete")]
    [InlineData("kv wait")]
    [InlineData("kv info")]
    [InlineData("kv groups")]
    [InlineData("kv status")]
    [InlineData("kv record")]
    [InlineData("kv check")]
    [InlineData("kv load")]
    [InlineData("files")]
    [InlineData("hadoop")]
    [InlineData("hadoop version")]
    [InlineData("hadoop fs")]
    [InlineData("hadoop jar")]
    [InlineData("camdoop")]
    [InlineData("images")]
    [InlineData("images put")]
    [InlineData("images get")]
    [InlineData("images info")]
    [InlineData("images rm")]
    [InlineData("images sign")]
    [InlineData("distribute")]
    [InlineData("distribute list")]
    [InlineData("distribute status")]
    [InlineData("distribute cancel")]
    [InlineData("distribute rm")]
    [InlineData("collective")]
    [InlineData("collective bench")]
    [InlineData("collective groups")]
    [InlineData("tunnel")]
    [InlineData("tunnel load")]
    [InlineData("server")]
    [InlineData("server stop")]
    [InlineData("server start")]
    [InlineData("cable")]
    [InlineData("cable cut")]
    [InlineData("cable mend")]
    [InlineData("fault")]
    [InlineData("fault add")]
    [InlineData("fault list")]
    [InlineData("fault clear")]
    [InlineData("topology")]
    [InlineData("topology trees")]
    [InlineData("topology paths")]
    [InlineData("topology replicas")]
    [InlineData("topology next-hops")]
    [InlineData("topology minicube")]
    [InlineData("sim")]
    [InlineData("sim all-to-all")]
    [InlineData("sim determinism")]
    [InlineData("sim explore")]
    [InlineData("service")]
    [InlineData("service list")]
    [InlineData("service call")]
    [InlineData("service check")]
    [InlineData("experiment")]
    [InlineData("sim swarm")]
    [InlineData("testbed")]
    [InlineData("testbed up")]
    [InlineData("testbed status")]
    [InlineData("testbed exec")]
    [InlineData("testbed kill")]
    [InlineData("testbed start")]
    [InlineData("testbed cut")]
    [InlineData("testbed mend")]
    [InlineData("testbed fault")]
    [InlineData("testbed fault add")]
    [InlineData("testbed fault list")]
    [InlineData("testbed fault clear")]
    [InlineData("testbed down")]
    public async Task Every_command_has_help_with_examples_of_itself(string command)
    {
        CommandRun run = await CommandRun.OfAsync([
            .. command.Split(' ', StringSplitOptions.RemoveEmptyEntries),
            "--help",
        ]);

        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string[] parts = run.Output.Split("Examples:");
        Assert.Equal(2, parts.Length);
        Assert.Contains($"camcube {command}".TrimEnd(), parts[1], StringComparison.Ordinal);
        Assert.All(run.Output, c => Assert.InRange(c, '\n', '~'));
        Assert.All(run.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
    }

    [Theory]
    [InlineData("topology trees", true)]
    [InlineData("distribute list", true)]
    [InlineData("topology paths", false)]
    [InlineData("sim swarm", false)]
    public async Task Who_asks_a_host_says_how_it_is_named_and_nobody_else(string command, bool asks)
    {
        CommandRun run = await CommandRun.OfAsync([.. command.Split(' '), "--help"]);
        Assert.Equal((0, asks), (run.ExitCode, run.Output.Contains("--host <URL>", StringComparison.Ordinal)));
    }
}
