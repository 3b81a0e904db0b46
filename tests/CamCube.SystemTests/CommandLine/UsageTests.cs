using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

public sealed class UsageTests
{
    // What is wrong with other command lines is tested in CamCube.Tool.Tests.
    [Fact]
    public async Task Wrong_usage_is_one_line_and_exit_code_2()
    {
        ToolRun run = await ToolRun.Of("server", "stop", "one");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("'one' is not a server", run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("status")]
    [InlineData("links 0 --json")]
    [InlineData("ping 0 13 --json")]
    [InlineData("stream 0 13")]
    [InlineData("server stop 1,1,1")]
    [InlineData("cable cut 0 -x")]
    [InlineData("cable mend 0 +x --json")]
    [InlineData("cable cut --json 0 MZ")]
    public async Task An_unreachable_host_is_one_line_that_says_how_to_start_one(string arguments)
    {
        string nobody = $"http://127.0.0.1:{HostProcess.FreePorts(1)}";
        ToolRun[] runs =
        [
            await ToolRun.Of([.. arguments.Split(' '), "--host", nobody]),
            await ToolRun.With(new() { ["CAMCUBE_HOST"] = nobody }, arguments.Split(' ')),
        ];
        foreach (ToolRun run in runs)
        {
            Assert.Equal(2, run.ExitCode);
            string line = run.OnlyErrorLine();
            Assert.Contains($"no host answers at {nobody} ", line, StringComparison.Ordinal);
            Assert.Contains("'camcube run'", line, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_wrong_address_in_the_environment_is_named()
    {
        ToolRun run = await ToolRun.With(new() { ["CAMCUBE_HOST"] = "not an address" }, "status");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("CAMCUBE_HOST=not an address", run.OnlyErrorLine(), StringComparison.Ordinal);
    }
}
