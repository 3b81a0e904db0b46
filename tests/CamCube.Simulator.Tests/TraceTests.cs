using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>Equal runs have equal hashes; whatever differs, however little, gives another.</summary>
public sealed class TraceTests
{
    [Theory]
    [InlineData(3, 3, 3)]
    [InlineData(2, 2, 1)]
    [InlineData(5, 4, 1)]
    public void A_seed_gives_one_hash_and_another_seed_another(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        ulong[] hashes = [Run(shape, 1), Run(shape, 1), Run(shape, 2), Run(shape, 2), Run(shape, 3)];
        Assert.Equal(hashes[0], hashes[1]);
        Assert.Equal(hashes[2], hashes[3]);
        Assert.Equal(3, hashes.Distinct().Count());
    }

    [Fact]
    public void The_hash_does_not_depend_on_how_time_is_cut_into_pieces()
    {
        var shape = new TorusShape(3, 3, 1);
        ulong whole = Run(shape, 5);
        Assert.Equal(
            whole,
            Run(
                shape,
                5,
                (cube, end) =>
                {
                    var random = new Random(3);
                    while (cube.NowNanos < end)
                    {
                        cube.AdvanceTo(Math.Min(end, cube.NowNanos + random.Next(1, 5_000)));
                    }
                }
            )
        );
    }

    [Fact]
    public void Another_run_in_the_same_process_and_cubes_side_by_side_do_not_change_a_hash()
    {
        var shape = new TorusShape(3, 2, 2);
        ulong alone = Run(shape, 9);
        using SimulatedCube a = Make(shape, 9),
            b = Make(shape, 8);
        for (int i = 0; i < 100; i++)
        {
            a.Advance(TimeSpan.FromMicroseconds(30));
            b.Advance(TimeSpan.FromMicroseconds(50));
        }

        Assert.Equal(alone, a.TraceHash);
        Assert.NotEqual(alone, b.TraceHash);
    }

    public static TheoryData<string> Differences =>
        [
            "header byte",
            "body byte",
            "last body byte",
            "body byte written on the way",
            "header byte written on the way",
            "local header byte",
            "local body byte",
            "virtual length",
            "destination",
            "hop limit",
            "one more draw",
            "one nanosecond",
            "one more timer",
            "body length",
        ];

    [Theory]
    [MemberData(nameof(Differences))]
    public void One_small_difference_gives_another_hash(string difference)
    {
        ulong[] hashes = [One(null), One(null), One(difference)];
        Assert.Equal(hashes[0], hashes[1]);
        Assert.NotEqual(hashes[0], hashes[2]);
    }

    [Fact]
    public void Without_tracing_the_same_things_happen()
    {
        var shape = new TorusShape(3, 3, 1);
        using SimulatedCube a = Make(shape, 4);
        using var b = new SimulatedCube(
            shape,
            [Traffic.Define(made: static (_, t) => t.Server.Loop.Post(static s => ((Traffic)s!).Begin(), t))],
            new SimulatorOptions { Seed = 4, IsTracing = false }
        );
        a.Advance(TimeSpan.FromMilliseconds(3));
        b.Advance(TimeSpan.FromMilliseconds(3));
        Assert.Equal((a.Events, a.PacketHops), (b.Events, b.PacketHops));
        Assert.NotEqual(a.TraceHash, b.TraceHash);
    }

    private static ulong One(string? difference)
    {
        Changer? first = null;
        using var cube = new TestCube(3, 1, 1).Add(s => first = new Changer(s, difference));
        Changer at0 = cube[0].Service<Changer>();
        IServer server = cube[0].ServerOf<Changer>();
        Random random = server.Random.Create("trace");
        byte[] body = new byte[100];
        body[50] = (byte)(difference == "body byte" ? 1 : 0);
        body[99] = (byte)(difference == "last body byte" ? 1 : 0);
        at0.Send(
            new Coordinate((ushort)(difference == "destination" ? 2 : 1), 0, 0),
            body,
            difference == "header byte" ? 1 : 0
        );
        at0.Send(
            new Coordinate(0, 0, 0),
            [(byte)(difference == "local body byte" ? 1 : 0)],
            difference == "local header byte" ? 1 : 0
        );
        random.Next();
        if (difference == "one more draw")
        {
            random.Next();
        }

        server.CreateTimer(static () => { }).ArmAt(difference == "one nanosecond" ? 500_001 : 500_000);
        if (difference == "one more timer")
        {
            server.CreateTimer(static () => { }).ArmAt(600_000);
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, Enumerable.Range(0, 3).Sum(r => cube[r].Service<Changer>().Ended) - 1);
        Assert.NotNull(first);
        return cube.Cube.TraceHash;
    }

    private static ulong Run(TorusShape shape, ulong seed, Action<SimulatedCube, long>? drive = null)
    {
        using SimulatedCube cube = Make(shape, seed);
        if (drive is null)
        {
            cube.AdvanceTo(3_000_000);
        }
        else
        {
            drive(cube, 3_000_000);
        }

        Assert.True(cube.PacketHops > 500, $"{cube.PacketHops} hops");
        return cube.TraceHash;
    }

    private static SimulatedCube Make(TorusShape shape, ulong seed) =>
        new(
            shape,
            [Traffic.Define(made: static (_, t) => t.Server.Loop.Post(static s => ((Traffic)s!).Begin(), t))],
            new SimulatorOptions { Seed = seed }
        );

    /// <summary>Sends over an intermediate hop, where a difference may be made too.</summary>
    [CamCubeService(0x0710, "changer", Header = typeof(long))]
    private sealed class Changer(IServer server, string? difference) : CamCubeService
    {
        public int Ended { get; private set; }

        public void Send(Coordinate to, byte[] body, long header)
        {
            Assert.True(server.Packets.TryRent(body.Length, out Packet? packet));
            packet.Header<long>() = header;
            body.CopyTo(packet.WritableBody());
            if (to == server.Coordinate)
            {
                server.Send(packet, to);
                return;
            }

            packet.VirtualLength = difference == "virtual length" ? 1 : 0;
            packet.HopLimit = (ushort)(difference == "hop limit" ? 9 : 8);
            if (difference == "body length")
            {
                packet.SetBodyLength(99);
            }

            // The long way round, so that there is a hop in between.
            packet.Destination = to;
            server.SendVia(packet, to.X == 1 ? Link.XMinus : Link.XPlus);
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            if (hop.IsDestination)
            {
                Ended++;
                return Verdict.Consume;
            }

            if (difference == "body byte written on the way")
            {
                packet.WritableBody()[3] = 1;
            }

            if (difference == "header byte written on the way")
            {
                packet.HeaderSpan[3] = 1;
            }

            return Verdict.Forward;
        }
    }
}
