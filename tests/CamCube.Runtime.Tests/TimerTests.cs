using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class TimerTests
{
    [Fact]
    public void Timers_fire_in_the_order_of_their_time_and_those_of_one_time_as_they_were_armed()
    {
        for (int seed = 0; seed < 30; seed++)
        {
            Script script = new();
            using TestCube cube = One(script);
            IServer server = script[0].Server;
            var random = new Random(seed);
            var fired = new List<int>();
            var model = new Dictionary<int, (long Due, int Sequence)>();
            ServerTimer[] timers = [.. Enumerable.Range(0, 60).Select(i => server.CreateTimer(() => fired.Add(i)))];
            for (int step = 0; step < 400; step++)
            {
                int i = random.Next(timers.Length);
                if (random.Next(4) == 0)
                {
                    timers[i].Cancel();
                    model.Remove(i);
                }
                else
                {
                    long delay = random.Next(1, 20) * 100_000;
                    if (random.Next(2) == 0)
                    {
                        timers[i].Arm(TimeSpan.FromTicks(delay / 100));
                    }
                    else
                    {
                        timers[i].ArmAt(server.NowNanos + delay);
                    }

                    model[i] = (delay, step);
                }

                Assert.Equal(model.ContainsKey(i), timers[i].IsArmed);
            }

            cube.Advance(TimeSpan.FromMilliseconds(3));
            Assert.Equal(model.OrderBy(m => m.Value).Select(m => m.Key), fired);
            Assert.DoesNotContain(timers, t => t.IsArmed);
        }
    }

    [Fact]
    public void A_service_that_stops_takes_its_timers_along_and_the_others_fire_in_order()
    {
        // With this many, taking them out one by one takes minutes.
        const int Each = 100_000;
        Script leaving = new(),
            staying = new();
        using TestCube cube = new TestCube(1, 1, 1).Add(leaving.Define(0x0301)).Add(staying.Define(0x0302));
        _ = cube.Cube;
        var random = new Random(1);
        var fired = new List<(long Due, int Number)>(Each);
        var model = new List<(long Due, int Number)>(Each);
        int wrong = 0;
        for (int i = 0; i < Each; i++)
        {
            int mine = i;
            long due = cube.Cube.NowNanos + 1_000_000 + random.Next(1_000);
            model.Add((due, mine));
            staying[0].Server.CreateTimer(() => fired.Add((due, mine))).ArmAt(due);
            leaving[0].Server.CreateTimer(() => wrong++).ArmAt(due + 2_000 - random.Next(4_000));
        }

        ServerTimer last = leaving[0].Server.CreateTimer(() => wrong++);
        last.ArmAt(cube.Cube.NowNanos + 1);
        cube.Cube.RemoveService(0, new ServiceId(0x0301));
        Assert.False(last.IsArmed);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(model.OrderBy(m => m), fired);
        Assert.Equal(0, wrong);
    }

    [Fact]
    public void Callbacks_arm_and_cancel_timers_in_any_order_and_those_fire_as_armed()
    {
        int all = 0;
        for (int seed = 0; seed < 50; seed++)
        {
            Script script = new();
            using TestCube cube = One(script);
            IServer server = script[0].Server;
            var random = new Random(seed);
            var model = new SortedSet<(long Due, int Sequence, int Timer)>();
            var armed = new Dictionary<int, (long Due, int Sequence, int Timer)>();
            int sequence = 0,
                fired = 0;
            ServerTimer[] timers = new ServerTimer[12];

            void Change(int i)
            {
                if (armed.Remove(i, out (long, int, int) old))
                {
                    model.Remove(old);
                }

                if (random.Next(4) == 0)
                {
                    timers[i].Cancel();
                }
                else
                {
                    long due = server.NowNanos + (random.Next(1, 10) * 100_000);
                    timers[i].ArmAt(due);
                    armed[i] = (due, sequence++, i);
                    model.Add(armed[i]);
                }

                Assert.Equal(armed.ContainsKey(i), timers[i].IsArmed);
            }

            void Fire(int i)
            {
                Assert.Equal((server.NowNanos, i), (model.Min.Due, model.Min.Timer));
                model.Remove(model.Min);
                armed.Remove(i);
                Assert.False(timers[i].IsArmed);
                fired++;
                for (int n = random.Next(5); n > 0 && fired < 400; n--)
                {
                    Change(random.Next(2) == 0 ? i : random.Next(timers.Length));
                }
            }

            for (int i = 0; i < timers.Length; i++)
            {
                int number = i;
                timers[i] = server.CreateTimer(() => Fire(number));
            }

            for (int i = 0; i < timers.Length; i++)
            {
                Change(i);
            }

            cube.Advance(TimeSpan.FromSeconds(1));
            Assert.Empty(cube.Faults);
            Assert.Empty(model);
            all += fired;
            Assert.DoesNotContain(timers, t => t.IsArmed);
        }

        Assert.InRange(all, 2_000, 20_000);
    }

    [Theory]
    [InlineData("throw")]
    [InlineData("arm itself, throw")]
    [InlineData("arm another, throw")]
    [InlineData("cancel another, throw")]
    [InlineData("arm itself, cancel itself, throw")]
    public void A_callback_that_throws_takes_the_timers_of_its_own_service_along_and_no_others(string does)
    {
        Script bad = new(),
            good = new();
        using TestCube cube = new TestCube(1, 1, 1).Add(bad.Define(0x0301)).Add(good.Define(0x0302));
        _ = cube.Cube;
        IServer server = bad[0].Server;
        int badFired = 0;
        List<int> goodFired = [];
        ServerTimer[] bads = new ServerTimer[6];
        for (int i = 0; i < bads.Length; i++)
        {
            int number = i;
            bads[i] = server.CreateTimer(() =>
            {
                badFired++;
                foreach (string step in number == 2 ? does.Split(", ") : [])
                {
                    switch (step)
                    {
                        case "throw":
                            throw new InvalidOperationException("on purpose");
                        case "arm itself":
                            bads[2].Arm(TimeSpan.FromMilliseconds(3));
                            break;
                        case "arm another":
                            bads[0].Arm(TimeSpan.FromMilliseconds(3));
                            break;
                        case "cancel another":
                            bads[5].Cancel();
                            break;
                        case "cancel itself":
                            bads[2].Cancel();
                            break;
                    }
                }
            });
        }

        // Those of both are due in turns, and some together.
        ServerTimer[] goods =
        [
            .. Enumerable.Range(0, 6).Select(i => good[0].Server.CreateTimer(() => goodFired.Add(i))),
        ];
        for (int i = 0; i < bads.Length; i++)
        {
            bads[i].Arm(TimeSpan.FromMilliseconds(1 + i));
            goods[i].Arm(TimeSpan.FromMilliseconds(1 + i - (i % 2 * 0.5)));
        }

        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.AssertOneFault<InvalidOperationException>("on purpose");
        Assert.Equal(3, badFired);
        Assert.Equal([0, 1, 2, 3, 4, 5], goodFired);
        Assert.DoesNotContain(bads, timer => timer.IsArmed);
    }

    [Fact]
    public void A_timer_fires_at_its_nanosecond_and_once()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        var times = new List<long>();
        ServerTimer timer = server.CreateTimer(() => times.Add(server.NowNanos));
        timer.ArmAt(1_234_567);
        cube.Advance(TimeSpan.FromSeconds(1));
        timer.Arm(TimeSpan.FromTicks(1));
        cube.Advance(TimeSpan.FromSeconds(1));
        timer.Arm(TimeSpan.MaxValue);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.True(timer.IsArmed);
        Assert.Equal([1_234_567, 1_000_000_100], times);
    }

    [Fact]
    public void A_timer_may_arm_itself_and_others_and_cancel_those_that_are_due_with_it()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        ServerTimer a = null!,
            b = null!,
            c = null!;
        int rounds = 0;
        a = server.CreateTimer(() =>
        {
            script.Log.Add($"a {server.NowNanos}");
            b.Cancel();
            c.Arm(TimeSpan.FromMilliseconds(1));
            if (++rounds < 3)
            {
                a.Arm(TimeSpan.FromMilliseconds(2));
            }
        });
        b = server.CreateTimer(() => script.Log.Add("b"));
        c = server.CreateTimer(() => script.Log.Add($"c {server.NowNanos}"));
        a.Arm(TimeSpan.FromMilliseconds(1));
        b.Arm(TimeSpan.FromMilliseconds(1));
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["a 1000000", "c 2000000", "a 3000000", "c 4000000", "a 5000000", "c 6000000"], script.Log);
    }

    [Fact]
    public void Timers_without_delay_waits_without_delay_and_endless_posting_do_not_stop_the_clock()
    {
        Script script = new(),
            good = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define(0x0301)).Add(good.Define(0x0302));
        _ = cube.Cube;
        IServer server = script[0].Server;
        ServerTimer timer = null!;
        timer = server.CreateTimer(() => timer.Arm(TimeSpan.Zero));
        timer.Arm(TimeSpan.FromTicks(-1));
        server.Loop.Run(async () =>
        {
            while (await server.DelayAsync(TimeSpan.Zero)) { }
        });
        server.Loop.Post(Again, null);
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            packet.HopLimit = 9;
            self.Server.Send(packet, self.Server.Coordinate);
            return Verdict.Taken;
        };
        script[0].Launch(new Coordinate(0, 0, 0));
        good[1].Launch(new Coordinate(0, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1_000_000, cube.NowNanos);
        Assert.Equal(1, good[0].Ended);
        Assert.Empty(cube.Faults);

        void Again(object? state) => server.Loop.Post(Again, state);
    }

    [Fact]
    public void The_time_provider_is_the_servers_clock_and_its_timers_fire_on_the_loop()
    {
        Script script = new();
        using TestCube cube = One(script);
        TimeProvider time = script[0].Server.TimeProvider;
        Assert.Equal(new DateTimeOffset(2030, 1, 1, 0, 0, 0, TimeSpan.Zero), time.GetUtcNow());
        long begin = time.GetTimestamp();
        ITimer periodic = time.CreateTimer(
            _ => script.Log.Add($"tick {time.GetElapsedTime(begin).TotalMilliseconds}"),
            null,
            TimeSpan.FromMilliseconds(10),
            TimeSpan.FromMilliseconds(20)
        );
        using ITimer never = time.CreateTimer(
            _ => script.Log.Add("never"),
            null,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan
        );
        cube.Advance(TimeSpan.FromMilliseconds(60));
        Assert.Equal(["tick 10", "tick 30", "tick 50"], script.Log);
        Assert.Equal(TimeSpan.FromMilliseconds(60), time.GetElapsedTime(begin));

        Assert.True(periodic.Change(TimeSpan.FromMilliseconds(5), Timeout.InfiniteTimeSpan));
        cube.Advance(TimeSpan.FromMilliseconds(60));
        Assert.Equal("tick 65", Assert.Single(script.Log.Skip(3)));
        periodic.Change(TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(5));
        periodic.Dispose();
        Assert.False(periodic.Change(TimeSpan.Zero, TimeSpan.Zero));
        cube.Advance(TimeSpan.FromMilliseconds(60));
        Assert.Equal(4, script.Log.Count);
    }

    [Fact]
    public void Library_code_that_waits_by_the_time_provider_works_in_virtual_time()
    {
        Script script = new();
        using TestCube cube = One(script);
        IServer server = script[0].Server;
        server.Loop.Run(async () =>
        {
            await Task.Delay(TimeSpan.FromMilliseconds(7), server.TimeProvider, server.Stopping);
            script.Log.Add($"delay {server.NowNanos}");
            using var cancel = new CancellationTokenSource(TimeSpan.FromMilliseconds(3), server.TimeProvider);
            cancel.Token.Register(() => script.Log.Add($"cancel {server.NowNanos}"));
            var never = new TaskCompletionSource();
            try
            {
                await never.Task.WaitAsync(TimeSpan.FromMilliseconds(5), server.TimeProvider);
            }
            catch (TimeoutException)
            {
                script.Log.Add($"timeout {server.NowNanos / 1_000_000}");
            }

            using var ticks = new PeriodicTimer(TimeSpan.FromMilliseconds(2), server.TimeProvider);
            await ticks.WaitForNextTickAsync();
            await ticks.WaitForNextTickAsync();
            script.Log.Add($"ticks {server.NowNanos / 1_000_000}");
        });
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(cube.Faults);
        Assert.Equal(["delay 7000000", "cancel 10000000", "timeout 12", "ticks 16"], script.Log);
    }

    private static TestCube One(Script script)
    {
        TestCube cube = new TestCube(1, 1, 1).Add(script.Define());
        _ = cube.Cube;
        return cube;
    }
}
