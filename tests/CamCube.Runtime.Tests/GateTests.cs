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
        Assert.Throws<ServiceUnavailableException>(() =>
            cube.Await(gate.CallAsync<IDisposable, int, int>(static (_, n) => ValueTask.FromResult(n), 0))
        );
        Assert.Throws<ArgumentNullException>(() =>
        {
            _ = gate.CallAsync<IClock, int, int>(null!, 0);
        });
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
        Assert.Throws<ServiceUnavailableException>(() =>
            cube.Await(gate.CallAsync<IClock, int, long>(static (c, _) => c.ReadAsync(), 0))
        );
        cube.Revive(new Coordinate(1, 0, 0));
        Assert.InRange(
            cube.Await(gate.CallAsync<IClock, int, long>(static (c, _) => c.ReadAsync(), 0)),
            1_000_000,
            2_000_000
        );
    }

    [Fact]
    public void Calls_run_in_the_order_in_which_they_were_made()
    {
        using TestCube cube = Make(out Script script);
        ValueTask<int>[] calls =
        [
            .. Enumerable
                .Range(0, 100)
                .Select(i =>
                    cube[0]
                        .Gate.CallAsync<Scripted, (Script Script, int Number), int>(
                            static (_, a) =>
                            {
                                a.Script.Log.Add($"{a.Number}");
                                return ValueTask.FromResult(a.Number);
                            },
                            (script, i)
                        )
                ),
        ];
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
    private sealed class Clock(IServer server) : CamCubeService, IClock
    {
        public ValueTask<long> ReadAsync() => ValueTask.FromResult(server.NowNanos);

        public async ValueTask<long> WaitAsync() => await server.DelayAsync(TimeSpan.FromHours(1)) ? 1 : -1;
    }
}
