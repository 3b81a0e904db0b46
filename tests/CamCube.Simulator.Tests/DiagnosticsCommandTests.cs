using CamCube.Runtime.Cubes;
using CamCube.Services.Diagnostics;
using CamCube.Services.Workloads.Load;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>Commands of diagnostics and its loads: what they cost has bounds, and ends when nobody waits for
/// it.</summary>
public sealed class DiagnosticsCommandTests
{
    private static readonly Coordinate Far = new(2, 0, 0);

    [Theory]
    [InlineData("ping", "to=2,0,0;3,0,0", "to=3,0,0 is outside of 3x1x1.")]
    [InlineData("ping", "to=2,0,0;1,0,0 count=5001", "count=5001 to each of 2 servers is more than 10000 pings.")]
    [InlineData("ping", "to=2,0,0 count=10001", "count=10001: allowed is 1 to 10000.")]
    [InlineData("ping", "to=2,0,0 size=1490", "size=1490 is more than the 1")]
    [InlineData("ping", "to=2,0,0 timeout=61s", "timeout=61s: allowed is 1 ms to 60 s.")]
    [InlineData("load", "size=1490", "size=1490 is more than the 1")]
    [InlineData("load", "for=3601s", "for=3601s: allowed is 0 ms to 60 min.")]
    [InlineData("load", "links=+y", "links={+y} must be some of this server's links {+x,-x}.")]
    public void What_is_too_much_is_refused(string command, string arguments, string says)
    {
        using TestCube cube = Start(maxFrameLength: 1_514);
        CommandResult result = Run(cube, "diagnostics", command, [.. arguments.Split(' ')]);
        Assert.Equal(CommandStatus.Refused, result.Status);
        Assert.StartsWith(says, result.Text, StringComparison.Ordinal);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData("diagnostics")]
    [InlineData("second-load")]
    public void A_load_without_a_size_fits_where_frames_are_small(string service)
    {
        using TestCube cube = Start(maxFrameLength: 1_514);
        Assert.True(Run(cube, service, "load", "for=1ms").IsOk);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        ServiceStatus status = cube.Cube.StatusOf(0).Services.Single(s => s.Name == service);
        Assert.Equal(0, status.Faults);
        Assert.True(cube.Cube.StatusOf(1).Services.Single(s => s.Name == service).Arrived > 10, "Nothing arrived.");
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData("diagnostics")]
    [InlineData("second-load")]
    public void A_load_needs_control(string service)
    {
        using TestCube cube = Start();
        CommandCall call = CommandCall.Of(service, "load") with { MayChange = false };
        Assert.Equal(CommandStatus.NeedsControl, cube.Await(cube[0].Gate.RunCommandAsync(call)).Status);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, cube.Cube.StatusOf(1).Services.Single(s => s.Name == service).Arrived);
        cube.AssertQuiet();
    }

    [Fact]
    public void Pings_end_when_their_client_has_gone()
    {
        using TestCube cube = Start();
        using CancellationTokenSource gone = new();
        ValueTask<CommandResult> many = cube[0]
            .Gate.RunCommandAsync(
                CommandCall.Of("diagnostics", "ping", ("to", "1,0,0;2,0,0"), ("count", "5000")),
                gone.Token
            );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(Arrived(cube) > 10);
        gone.Cancel();
        Assert.Equal(CommandStatus.Cancelled, cube.Await(many).Status);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        long then = Arrived(cube);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(then, Arrived(cube));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData("ping", "to=2,0,0 timeout=60s count=10")]
    [InlineData("servers", "timeout=60s")]
    public void Who_waits_for_one_that_does_not_answer_ends_at_once_when_the_client_has_gone(
        string command,
        string arguments
    )
    {
        using TestCube cube = Start();
        cube.Lose = (_, _, packet) => packet.Service == new ServiceId(0x0101);
        using CancellationTokenSource gone = new();
        ValueTask<CommandResult> asked = cube[0]
            .Gate.RunCommandAsync(Call("diagnostics", command, arguments.Split(' ')), gone.Token);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.False(asked.IsCompleted);
        gone.Cancel();
        long before = cube.NowNanos;
        Assert.Equal(CommandStatus.Cancelled, cube.Await(asked).Status);
        Assert.InRange(cube.NowNanos - before, 0, 1_000_000);
        Assert.Equal(0, cube.Cube.StatusOf(0).Services.Single(s => s.Name == "diagnostics").CommandFaults);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_crowd_of_pings_of_which_half_the_clients_go_leaves_the_others_right()
    {
        using TestCube cube = Start();
        CancellationTokenSource[] clients = [.. Enumerable.Range(0, 200).Select(_ => new CancellationTokenSource())];
        ValueTask<CommandResult>[] asked =
        [
            .. clients.Select(client =>
                cube[0]
                    .Gate.RunCommandAsync(
                        CommandCall.Of("diagnostics", "ping", ("to", "2,0,0"), ("count", "20")),
                        client.Token
                    )
            ),
        ];
        for (int i = 0; i < clients.Length; i += 2)
        {
            cube.Advance(TimeSpan.FromMicroseconds(1));
            clients[i].Cancel();
        }

        for (int i = 0; i < clients.Length; i++)
        {
            CommandResult result = cube.Await(asked[i]);
            if (i % 2 == 1)
            {
                Assert.Equal(20, result.Text.Split("\"answered\":true").Length - 1);
            }
        }

        cube.AssertQuiet();
    }

    private static long Arrived(TestCube cube) =>
        cube.Cube.StatusOf(0).Services.Single(s => s.Name == "diagnostics").Arrived;

    private static CommandResult Run(TestCube cube, string service, string command, params string[] arguments) =>
        cube.Await(cube[0].Gate.RunCommandAsync(Call(service, command, arguments)));

    private static CommandCall Call(string service, string command, string[] arguments) =>
        CommandCall.Of(
            service,
            command,
            [.. arguments.Select(argument => (argument.Split('=')[0], argument.Split('=')[1]))]
        );

    private static TestCube Start(int maxFrameLength = 9_014)
    {
        var cube = new TestCube(Far.X + 1, 1, 1, new SimulatorOptions { MaxFrameLength = maxFrameLength });
        cube.Add(server => new DiagnosticsService(server, new DiagnosticsOptions()))
            .Add(server => new SecondLoadService(server));
        cube.AwaitConverged();
        return cube;
    }
}
