using CamCube.Administration.Answers;
using CamCube.Tool.Commands.KeyValue;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Commands;

/// <summary>Which servers <c>camcube kv</c> asks.</summary>
public sealed class GroupCommandsTests
{
    [Fact]
    public void Those_that_run_the_store_are_asked_also_without_keys_and_no_others()
    {
        StatusAnswer status = Status(
            Server("0,0,0", "running", ("kv", "running")),
            Server("1,0,0", "withoutKeys", ("cache", "running"), ("kv", "running")),
            Server("2,0,0", "stopped", ("kv", "running")),
            Server("3,0,0", "running", ("kv", "faulted")),
            Server("4,0,0", "running", ("cache", "running")),
            Server("5,0,0", "failed", ("kv", "running"))
        );
        Assert.Equal(["0,0,0", "1,0,0"], GroupCommands.ServersOf(status, null));
        Assert.Equal(["1,0,0"], GroupCommands.ServersOf(status, "1,0,0"));
    }

    [Theory]
    [InlineData(null, "no server of this host runs the key-value store")]
    [InlineData("0,0,0", "server 0,0,0 does not run the key-value store")]
    public void Where_nobody_does_it_is_said_how_a_host_has_it(string? only, string said)
    {
        StatusAnswer status = Status(Server("0,0,0", "stopped", ("kv", "running")));
        ToolException e = Assert.Throws<ToolException>(() => GroupCommands.ServersOf(status, only));
        Assert.Equal(ExitCode.Unavailable, e.ExitCode);
        Assert.StartsWith(said, e.Message, StringComparison.Ordinal);
        Assert.Contains("--Services:kv:Enabled=true --DataFolder=FOLDER", e.Message);
    }

    private static StatusAnswer Status(params ServerAnswer[] servers) =>
        new(
            "1",
            "ready",
            1,
            "Udp",
            true,
            [6, 1, 1],
            false,
            [],
            new PortsAnswer("http", "127.0.0.1", 1, 1),
            servers,
            []
        );

    private static ServerAnswer Server(string at, string state, params (string Name, string State)[] services) =>
        new(
            at[0] - '0',
            at,
            state,
            1,
            1,
            1,
            null!,
            new Dictionary<string, int>(),
            [],
            [.. services.Select(s => new ServiceAnswer("1", s.Name, s.State, 0, 0, 0, 0, 0, 0, null))],
            new Dictionary<string, long>()
        );
}
