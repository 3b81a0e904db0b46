using System.Runtime.CompilerServices;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>0 bytes per operation in steady state, measured on the thread that drives the cube.</summary>
[Collection(nameof(Alone))]
public sealed class AllocationTests
{
    [Fact]
    public void Arming_and_firing_timers_allocates_nothing()
    {
        using TestCube cube = One(out IServer server);
        long fired = 0;
        ServerTimer timer = null!,
            other = server.CreateTimer(static () => { });
        timer = server.CreateTimer(() =>
        {
            fired++;
            other.Cancel();
            other.Arm(TimeSpan.FromMilliseconds(1));
            timer.Arm(TimeSpan.FromMicroseconds(1));
        });
        timer.Arm(TimeSpan.Zero);
        AssertNothing(cube, () => fired);
    }

    [Fact]
    public void Delays_allocate_nothing()
    {
        using TestCube cube = One(out IServer server);
        long n = 0;
        server.Loop.Run(async () =>
        {
            while (await server.DelayAsync(TimeSpan.FromMicroseconds(1)))
            {
                n++;
            }
        });
        AssertNothing(cube, () => n);
    }

    [Fact]
    public void Methods_with_a_pooled_builder_that_wait_allocate_nothing()
    {
        using TestCube cube = One(out IServer server);
        long n = 0;
        server.Loop.Run(async () =>
        {
            // A pooled method's continuation would be posted to the captured context by the library, which allocates;
            // the wait inside comes back to the loop anyway.
            while (await Wait(server).ConfigureAwait(false))
            {
                n++;
            }
        });
#if DEBUG
        // State machines are classes in Debug builds.
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(n > 0);
#else
        AssertNothing(cube, () => n);
#endif
    }

    [Fact]
    public void Posted_work_allocates_nothing()
    {
        using TestCube cube = One(out IServer server);
        long n = 0;
        Action<object?> again = null!;
        again = state =>
        {
            n++;
            server.Loop.Post(again, state);
        };
        server.Loop.Post(again, null);
        AssertNothing(cube, () => n);
    }

    [Fact]
    public void Local_delivery_allocates_nothing()
    {
        Script script = new();
        script.Packet = static (Scripted self, in HopContext hop, Packet packet) =>
        {
            packet.HopLimit = 9;
            self.Server.Send(packet, self.Server.Coordinate);
            return Verdict.Taken;
        };
        using TestCube cube = Make(script);
        script[0].Launch(default(Coordinate), 100);
        AssertNothing(cube, () => script[0].Arrived);
    }

    [Fact]
    public void Sending_forwarding_and_queueing_with_bodies_copies_and_several_services_allocates_nothing()
    {
        Script[] scripts = [new(), new(), new()];
        using var cube = new TestCube(4, 4, 1);
        for (int i = 0; i < scripts.Length; i++)
        {
            scripts[i].Packet = static (Scripted self, in HopContext hop, Packet packet) =>
            {
                if (!hop.IsDestination)
                {
                    packet.WritableBody()[0]++;
                    return Verdict.Forward;
                }

                if (
                    self.Server.Packets.TryRent(500, out Packet? next)
                    && self.Server.Packets.TryShare(next, out Packet? copy)
                )
                {
                    copy.WritableBody()[1]++;
                    self.Server.Packets.Release(copy);
                    self.Server.Send(next, new Coordinate((ushort)((self.Server.Coordinate.X + 2) % 4), 3, 0));
                }

                return Verdict.Consume;
            };
            cube.Add(
                scripts[i].Define((ushort)(0x0300 + i), new QueueOptions { Weight = i + 1, Priority = 1 + (i & 1) })
            );
        }

        _ = cube.Cube;
        for (int i = 0; i < 900; i++)
        {
            scripts[i % 3][i % 16].Launch(cube.Shape.At((i * 7) % 16), 500);
        }

        AssertNothing(cube, () => cube.Cube.PacketHops);
        Assert.True(Enumerable.Range(0, 16).Sum(r => cube[r].Status.Services.Sum(s => s.Queued)) > 0, "nothing waits");
    }

    [Fact]
    public void Sources_allocate_nothing()
    {
        Script script = new();
        using TestCube cube = Make(script, 2);
        Scripted self = script[0];
        self.Poll = link =>
        {
            if (!self.Server.Packets.TryRent(100, out Packet? packet))
            {
                return null;
            }

            packet.Destination = new Coordinate(1, 0, 0);
            return packet;
        };
        for (int weight = 1; weight <= 4; weight++)
        {
            self.Server.AddSource(self, weight).Ready = (LinkSet)Link.XPlus | Link.XMinus;
        }

        self.Server.Loop.Run(async () =>
        {
            while (await self.Server.Queue.RoomAsync(1))
            {
                self.Launch(new Coordinate(1, 0, 0));
            }
        });
        AssertNothing(cube, () => script[1].Ended);
    }

    [Fact]
    public void Waits_for_room_and_for_packets_allocate_nothing()
    {
        Script script = new();
        using TestCube cube = new TestCube(new TorusShape(2, 1, 1), server: BudgetTests.Tight()).Add(
            script.Define(queue: new QueueOptions { LimitPackets = 64 })
        );
        _ = cube.Cube;
        Scripted self = script[0];
        BudgetTests.Exhaust(self);
        self.Held[..10].ForEach(self.Server.Packets.Release);
        self.Held.RemoveRange(0, 10);
        long rooms = 0,
            rents = 0;
        for (int i = 0; i < 4; i++)
        {
            self.Server.Loop.Run(async () =>
            {
                while (await self.Server.Packets.RentAsync(0) is { } packet)
                {
                    rents++;
                    packet.VirtualLength = 400;
                    self.Server.SendVia(packet, (LinkSet)Link.XPlus | Link.XMinus);
                }
            });
            self.Server.Loop.Run(async () =>
            {
                // One packet more than there is room for: it waits until one has left.
                while (await self.Server.Queue.RoomAsync(55))
                {
                    rooms++;
                    await self.Server.DelayAsync(TimeSpan.FromMicroseconds(5));
                }
            });
        }

        AssertNothing(cube, () => Math.Min(rooms, rents));
    }

    [Fact]
    public void Answers_to_oneself_and_questions_about_what_waits_allocate_nothing()
    {
        Script script = new();
        using TestCube cube = Make(script, 2);
        script.Packet = static (Scripted self, in HopContext hop, Packet packet) =>
        {
            Assert.True(self.Server.BacklogOf(Link.XPlus).OwnPackets >= 0);
            packet.TurnRound(self.Server.Coordinate, 9);
            return Verdict.Forward;
        };
        script[0].Launch(default(Coordinate), 100);
        for (int i = 0; i < 100; i++)
        {
            script[0].Launch(new Coordinate(1, 0, 0), 100);
        }

        AssertNothing(cube, () => script[0].Arrived);
    }

    [Fact]
    public void A_question_and_its_answer_allocate_nothing()
    {
        Script script = new();
        using TestCube cube = Make(script, 2);
        IServer server = script[0].Server;
        var table = new ReplyTable<long>(server);
        long n = 0;
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            if (self == script[0])
            {
                table.TryAdd((ulong)packet.Header<long>(), 1);
                return Verdict.Consume;
            }

            packet.TurnRound(self.Server.Coordinate, 5);
            return Verdict.Forward;
        };
        server.Loop.Run(async () =>
        {
            for (; ; )
            {
                using Replies<long> question = table.Ask();
                script[0].Launch(new Coordinate(1, 0, 0), number: (long)question.Id);
                if (await question.WaitAsync(1, TimeSpan.FromSeconds(1)) == WaitResult.Stopped)
                {
                    return;
                }

                n++;
            }
        });
        AssertNothing(cube, () => n);
    }

    [Fact]
    public void A_random_stream_and_the_views_questions_allocate_nothing()
    {
        Script script = new();
        using TestCube cube = Make(script, 3, 3, 3);
        IServer server = script[0].Server;
        Random random = server.Random.Create("test");
        long n = 0;
        byte[] buffer = new byte[33];
        var roots = new Coordinate[3];
        ServerTimer timer = null!;
        timer = server.CreateTimer(() =>
        {
            n += random.Next(1, 2) + (random.NextDouble() < 2 ? 1 : 0);
            random.NextBytes(buffer);
            var key = Key.OfBytes(buffer);
            ITopologyView view = server.Topology;
            n +=
                view.GetServersForKey(key, roots)
                + (view.RootOf(key) == roots[0] ? 1 : 0)
                + view.HopsTo(key)
                + view.NextHops(key).Count;
            timer.Arm(TimeSpan.FromMicroseconds(10));
        });
        timer.Arm(TimeSpan.Zero);
        AssertNothing(cube, () => n);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<bool> Wait(IServer server) => await server.DelayAsync(TimeSpan.FromMicroseconds(1));

    private static TestCube One(out IServer server)
    {
        Script script = new();
        TestCube cube = Make(script);
        server = script[0].Server;
        return cube;
    }

    private static TestCube Make(Script script, int x = 1, int y = 1, int z = 1)
    {
        TestCube cube = new TestCube(x, y, z).Add(script.Define());
        _ = cube.Cube;
        return cube;
    }

    private static void AssertNothing(TestCube cube, Func<long> count)
    {
        cube.Advance(TimeSpan.FromMilliseconds(300));
        long begin = count(),
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(count() - begin > 1_000, $"{count() - begin} operations");
        Assert.True(allocated == 0, $"{allocated} bytes for {count() - begin} operations");
    }
}
