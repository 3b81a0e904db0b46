using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class AsyncTests
{
    [Fact]
    public void Posted_work_runs_in_order_after_the_callback_and_never_inside_it()
    {
        Script script = new();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            for (int i = 0; i < 3; i++)
            {
                self.Server.Loop.Post(
                    n =>
                    {
                        script.Log.Add($"post {n}");
                        self.Server.Loop.Post(m => script.Log.Add($"inner {m}"), n);
                    },
                    i
                );
            }

            script.Log.Add("packet");
            return Verdict.Consume;
        };
        using TestCube cube = One(script);
        script[0].Launch(default(Coordinate));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["packet", "post 0", "post 1", "post 2", "inner 0", "inner 1", "inner 2"], script.Log);
        cube.AssertQuiet();
    }

    [Fact]
    public void Delays_end_in_order_at_their_time_on_the_loop()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        for (int i = 0; i < 6; i++)
        {
            int mine = i;
            server.Loop.Run(async () =>
            {
                Assert.True(await server.DelayAsync(TimeSpan.FromMilliseconds(mine / 2)));
                script.Log.Add($"{mine} {server.NowNanos / 1_000_000}");
                await server.DelayAsync(TimeSpan.FromMilliseconds(10));
                script.Log.Add($"{mine} {server.NowNanos / 1_000_000}");
            });
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(
            ["0 0", "1 0", "2 1", "3 1", "4 2", "5 2", "0 10", "1 10", "2 11", "3 11", "4 12", "5 12"],
            script.Log
        );
    }

    [Fact]
    public void Run_begins_at_once_and_its_continuations_see_the_present_time()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        server.Loop.Run(() =>
        {
            script.Log.Add("begins");
            return ValueTask.CompletedTask;
        });
        Assert.Equal(["begins"], script.Log);
        cube.Advance(TimeSpan.FromMilliseconds(3));
        Assert.Equal(3_000_000, server.NowNanos);
        ValueTask<bool> delay = server.DelayAsync(TimeSpan.FromMilliseconds(2));
        Assert.True(cube.Await(delay));
        Assert.InRange(server.NowNanos, 5_000_000, 5_020_000);
    }

    [Fact]
    public void A_wait_that_is_awaited_twice_is_a_fault_with_a_message()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        server.Loop.Run(async () =>
        {
            ValueTask<bool> delay = server.DelayAsync(TimeSpan.FromMicroseconds(1));
            await delay;
            await delay;
        });
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertOneFault<InvalidOperationException>("twice");
    }

    [Fact]
    public void A_task_that_another_thread_completes_is_refused_in_virtual_time_as_a_fault_of_who_awaits_it()
    {
        Script script = new(),
            good = new();
        using TestCube cube = new TestCube(1, 1, 1).Add(script.Define(0x0301)).Add(good.Define(0x0302));
        _ = cube.Cube;
        IServer server = script[0].Server;
        var foreign = new TaskCompletionSource();
        server.Loop.Run(async () =>
        {
            try
            {
                await foreign.Task;
            }
            finally
            {
                script.Log.Add($"stopped {server.Stopping.IsCancellationRequested}");
            }
        });
        ValueTask<int> call = cube[0]
            .Gate.CallAsync<Scripted, Task, int>(
                static async (_, task) =>
                {
                    await task;
                    return 3;
                },
                foreign.Task
            );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        var thread = new Thread(foreign.SetResult);
        thread.Start();
        thread.Join();
        good[0].Launch(default(Coordinate));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertOneFault<InvalidOperationException>("another thread", "server's own primitives");
        Assert.Equal(["stopped True"], script.Log);
        Assert.Equal(1, good[0].Ended);
        Assert.Equal(3, cube.Await(call));
        cube.AssertNoPackets();
    }

    [Fact]
    public void A_task_that_the_loop_itself_completes_is_an_ordinary_wait()
    {
        Script script = new();
        var arrived = new TaskCompletionSource<long>();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            arrived.SetResult(packet.Header<long>());
            script.Log.Add("packet");
            return Verdict.Consume;
        };
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        server.Loop.Run(async () => script.Log.Add($"got {await arrived.Task}"));
        script[0].Launch(default(Coordinate), number: 42);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Empty(cube.Faults);
        Assert.Equal(["packet", "got 42"], script.Log);
    }

    [Fact]
    public void The_stopping_token_is_cancelled_and_waits_end_as_results_when_the_service_stops()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        server.Stopping.Register(() => script.Log.Add("cancelled"));
        server.Stopping.Register(static () => throw new InvalidOperationException("of a foreign library"));
        server.Loop.Run(async () =>
        {
            script.Log.Add($"{await server.DelayAsync(TimeSpan.FromHours(1))}");
            script.Log.Add($"{await server.DelayAsync(TimeSpan.FromHours(1))}");
            Assert.Equal(SendResult.Closed, Closed(server));
            script.Log.Add("end");
        });
        cube.Kill(default);
        Assert.Equal(["cancelled", "False", "False", "end"], script.Log);
        Assert.Empty(cube.Faults);
        Assert.Equal(0, cube.Cube.PacketsOutstanding);
    }

    [Fact]
    public void A_held_packet_can_be_sent_back_or_released_by_whoever_waited_when_the_service_stops()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        IServer server = script[0].Server;
        foreach (bool send in (bool[])[true, false])
        {
            Packet packet = script[0].Rent(10);
            server.Loop.Run(async () =>
            {
                await server.DelayAsync(TimeSpan.FromHours(1));
                if (send)
                {
                    script.Log.Add($"{server.Send(packet, new Coordinate(1, 0, 0))}");
                }
                else
                {
                    server.Packets.Release(packet);
                    script.Log.Add("released");
                }
            });
        }

        cube.Cube.RemoveService(0, new ServiceId(0x0300));
        Assert.Equal(["Closed", "released"], script.Log);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_gate_call_takes_the_same_virtual_time_in_every_run()
    {
        long[] ends =
        [
            .. Enumerable
                .Range(0, 5)
                .Select(_ =>
                {
                    Script script = new();
                    using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
                    for (int i = 0; i < 20; i++)
                    {
                        Assert.Equal(
                            i,
                            cube.Await(
                                cube[1]
                                    .Gate.CallAsync<Scripted, int, int>(
                                        static async (s, n) =>
                                            await s.Server.DelayAsync(TimeSpan.FromMicroseconds(3)) ? n : -1,
                                        i
                                    )
                            )
                        );
                    }

                    return cube.NowNanos;
                }),
        ];
        Assert.Single(ends.Distinct());
        Assert.InRange(ends[0], 60_000, 400_000);
    }

    [Fact]
    public void A_call_that_began_before_a_restart_does_not_harm_the_next_instance()
    {
        Script script = new();
        using TestCube cube = One(script);
        _ = cube.Cube;
        var late = new TaskCompletionSource();
        ValueTask<int> call = cube[0]
            .Gate.CallAsync<Scripted, TaskCompletionSource, int>(
                static async (_, source) =>
                {
                    await source.Task;
                    throw new FormatException("late");
                },
                late
            );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        script[0].Server.Loop.Post(static _ => throw new InvalidOperationException("first"), null);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(2, script.Made);
        late.SetResult();
        Assert.Throws<ServiceUnavailableException>(() => cube.Await(call));
        cube.AssertOneFault<InvalidOperationException>("first");
    }

    private static SendResult Closed(IServer server) =>
        server.Packets.TryRent(0, out Packet? packet) ? server.Send(packet, default(Coordinate)) : SendResult.Closed;

    private static TestCube One(Script script)
    {
        TestCube cube = new TestCube(1, 1, 1).Add(script.Define());
        _ = cube.Cube;
        return cube;
    }
}
