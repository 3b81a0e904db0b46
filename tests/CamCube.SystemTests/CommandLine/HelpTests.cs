namespace CamCube.SystemTests.CommandLine;

/// <summary>The program as a process; what each command says of itself is tested in CamCube.Tool.Tests.</summary>
public sealed class HelpTests
{
    [Fact]
    public async Task Alone_the_tool_introduces_itself()
    {
        ToolRun run = await ToolRun.Of();
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Equal((await ToolRun.Of("--help")).Output, run.Output);
    }

    [Fact]
    public async Task Version_is_one_line()
    {
        ToolRun run = await ToolRun.Of("--version");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"^\d+\.\d+\.\d+\S*\n$", run.Output);
    }
}
