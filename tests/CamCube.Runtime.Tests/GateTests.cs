using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class GateTests
{
    [Fact]
    public void A_call_reaches_the_service_that_implements_the_interface_on_its_loop_at_its_time()
    {
        using TestCube cube = Make(out _);
        cube.Advance(TimeSpan.FromMilliseconds(3));
        IServerGate gate = cube[1].Gate;
        Assert.Equal((new Coordinate(1, 0, 0), cube.Shape), (gate.Coordinate, gate.Shape));
        Assert.Equal(3_000_000, cube.Await(gate.CallAsync<IClock, int, long>(static (c, _) => c.ReadAsync(), 0)));
        Assert.Throws<ServiceUnavailableException>(
            () => cube.Await(gate.CallAsync<IDisposable, int, int>(static (_, n) => ValueTask.FromResult(n), 0)));
        Assert.Throws<ArgumentNullException>(() => { _ = gate.CallAsync<IClock, int, int>(null!, 0); });
    }

    [Fact]
    public void A_gate_outlives_its_server_and_leads_to_the_next_run()
    {
        using TestCube cube = Make(out _);
        IServerGate gate = cube[1].Gate;
        ValueTask<long> open = gate.CallAsync<IClock, int, long>(static (c, _) => c.WaitAsync(), 0);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Kill(new Coordinate(1, 0, 0));
        Assert.Equal(-1, cube.Await(open));
        Assert.Throws<ServiceUnavailableException>(() => cube.Await(gate.CallAsync<IClock, int, long>(static (c, _) => c.ReadAsync(), 0)));
        cube.Revive(new Coordinate(1, 0, 0));
        Assert.InRange(cube.Await(gate.CallAsync<IClock, int, long>(static (c, _) => c.ReadAsync(), 0)), 1_000_000, 2_000_000);
    }

    [Fact]
    public void Commands_go_to_the_service_of_that_name()
    {
        using TestCube cube = Make(out Script other);
        IServerGate gate = cube[0].Gate;
        var none = new Dictionary<string, string>();
        Assert.Equal(new CommandResult(true, "\"say hello\""), cube.Await(gate.RunCommandAsync(
            "clock", "say", new Dictionary<string, string> { ["what"] = "hello" })));
        Assert.False(cube.Await(gate.RunCommandAsync("clock", "nonsense", none)).IsOk);
        foreach (string name in (string[])["scripted-0300", "nobody", "", "CLOCK"])
        {
            ServiceUnavailableException e = Assert.Throws<ServiceUnavailableException>(
                () => cube.Await(gate.RunCommandAsync(name, "say", none)));
            Assert.Contains($" {name} ", e.Message, StringComparison.Ordinal);
        }

        Assert.Throws<ServiceUnavailableException>(() => cube.Await(gate.RunCommandAsync("clock", "break", none)));
        cube.AssertOneFault<FormatException>();
        Assert.Equal("clock", cube.Faults[0].Service);
        Assert.Equal(2, other.Made);
    }

    [Fact]
    public void Calls_run_in_the_order_in_which_they_were_made()
    {
        using TestCube cube = Make(out Script script);
        ValueTask<int>[] calls = [.. Enumerable.Range(0, 100).Select(i => cube[0].Gate.CallAsync<Scripted, (Script Script, int Number), int>(
            static (_, a) =>
            {
                a.Script.Log.Add($"{a.Number}");
                return ValueTask.FromResult(a.Number);
            },
            (script, i)))];
        for (int i = 99; i >= 0; i--)
        {
            Assert.Equal(i, cube.Await(calls[i]));
        }

        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), script.Log);
    }

    private static TestCube Make(out Script script)
    {
        script = new Script();
        TestCube cube = new TestCube(2, 1, 1).Add(script.Define()).Add(s => new Clock(s));
        _ = cube.Cube;
        return cube;
    }

    private interface IClock
    {
        ValueTask<long> ReadAsync();

        ValueTask<long> WaitAsync();
    }

    [CamCubeService(0x0312, "clock")]
    private sealed class Clock(IServer server) : CamCubeService, IClock, IServiceCommands
    {
        public IReadOnlyList<ServiceCommand> Commands => [new("say", "says it"), new("break", "throws")];

        public ValueTask<long> ReadAsync() => ValueTask.FromResult(server.NowNanos);

        public async ValueTask<long> WaitAsync() => await server.DelayAsync(TimeSpan.FromHours(1)) ? 1 : -1;

        public async ValueTask<CommandResult> RunCommandAsync(string command, IReadOnlyDictionary<string, string> arguments)
        {
            await server.DelayAsync(TimeSpan.FromMicroseconds(1));
            return command switch
            {
                "say" => new CommandResult(true, $"\"say {arguments["what"]}\""),
                "break" => throw new FormatException(),
                _ => new CommandResult(false, $"'{command}' is not a command."),
            };
        }
    }
}
