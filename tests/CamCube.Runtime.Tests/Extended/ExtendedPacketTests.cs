using System.Runtime.InteropServices;
using CamCube.Testing;

namespace CamCube.Runtime.Tests.Extended;

/// <summary>What extended routing puts into packets, and what it does with nonsense in them; and what it
/// allocates.</summary>
[Collection(nameof(Alone))]
public sealed class ExtendedPacketTests
{
    [Fact]
    public void The_header_has_the_bytes_of_the_document()
    {
        byte[]? bytes = null;
        FunctionScript script = new()
        {
            Next = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                bytes = at.IsOrigin ? null : packet.HeaderSpan.ToArray();
                return Keys.AnyOf(at.Neighbour(Link.XPlus));
            },
        };
        using TestCube cube = new TestCube(5, 5, 5).Add(script.Define());
        _ = cube.Cube;
        script[cube.Shape.RankOf(new Coordinate(1, 2, 3))].Launch(new Key(0x0003_0002_0003_0708, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal([8, 7, 3, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3, 0, 7, 0], bytes);
    }

    [Fact]
    public void Keys_that_travel_stand_behind_the_header_for_as_long_as_they_travel()
    {
        List<int> lengths = [];
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                KeySet keys = Keys.AnyOf();
                keys.Add(at.Key.WithCoordinate(new Coordinate(3, 1, 0)));
                keys.Add(at.Key.WithCoordinate(new Coordinate(3, 2, 0)));
                keys.Add(new Coordinate(3, 3, 0));
                return at.IsOrigin ? keys : Keys.Here;
            },
            Arrived = (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                lengths.Add(packet.HeaderLength);
                Assert.Equal(0x1234_5678_9abc_def0UL, packet.Header<Numbered>().Number);
                return Verdict.Consume;
            },
        };
        using TestCube cube = new TestCube(7, 7, 1).Add(script.Define(header: Marshal.SizeOf<Numbered>()));
        cube.Lose = (_, _, packet) =>
        {
            if (packet.Service.Value == 0x0300)
            {
                lengths.Add(packet.HeaderLength);
            }

            return false;
        };
        _ = cube.Cube;
        Packet packet = script[0].Rent();
        packet.Header<Numbered>().Number = 0x1234_5678_9abc_def0;
        script[0].Launch(packet, new Coordinate(5, 5, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(24 + 33, lengths[0]);
        Assert.Equal(24, lengths[^1]);
        Assert.Single(script.Ends);
        cube.AssertQuiet();
    }

    [Fact]
    public void Headers_of_random_bytes_do_no_harm()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
                Keys.Neighbours(at, at.Topology.NextHops(at.Destination) - Link.Local),
        };
        using TestCube cube = new TestCube(3, 3, 2).Add(script.Define());
        _ = cube.Cube;
        var random = new Random(5);
        for (int i = 0; i < 5_000; i++)
        {
            Packet packet = script[0].Rent();
            packet.HeaderLength = random.Next(65);
            random.NextBytes(packet.HeaderSpan);
            if (packet.HeaderLength >= 16 && random.Next(4) > 0)
            {
                packet.HeaderSpan[8..14].Clear();
                packet.HeaderSpan[14] |= 1;
                packet.HeaderSpan[15] %= 6;
            }

            Destination to =
                random.Next(2) == 0 ? new Key((ulong)random.NextInt64(), 0, 0) : cube.Shape.At(random.Next(18));
            script[0].Here.Send(packet, to);
            if (i % 100 == 0)
            {
                cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        }

        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(script.Way.Count > 500, $"{script.Way.Count} evaluations");
        Assert.True(Enumerable.Range(0, 18).Sum(r => cube[r].DropsOf(DropReason.Malformed)) > 100);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_header_that_does_not_begin_with_the_extended_one_is_refused_in_words()
    {
        using var cube = new TestCube(1, 1, 1);
        cube.Add(static server => new Misplaced(server));
        _ = cube.Cube;
        cube.AssertOneFault<InvalidOperationException>("first field", nameof(ExtendedHeader));
    }

    [Fact]
    public void Evaluating_F_with_one_and_several_keys_copies_and_far_keys_allocates_nothing()
    {
        FunctionScript script = new()
        {
            Next = static (FunctionService self, in RoutingPoint at, Packet packet) =>
            {
                KeySet keys = (at.Vertex.X & 1) == 0 ? Keys.AnyOf() : Keys.AllOf();
                keys.Add(at.Neighbour(Link.XPlus));
                if (packet.BodyLength == 1 && (at.Vertex.X & 1) == 0)
                {
                    keys.Add(at.Key.WithCoordinate(new Coordinate(2, 2, 0)));
                    keys.Add(at.Neighbour(Link.YMinus));
                }

                self.Count +=
                    at.Distance(at.Key)
                    + at.AxisDistance(at.Key, 1)
                    + at.RootOf(at.Key).X
                    + (at.IsReachable(at.Key) ? 1 : 0);
                return keys;
            },
            Silent = true,
        };
        using TestCube cube = new TestCube(4, 4, 1).Add(script.Define());
        _ = cube.Cube;
        for (int i = 0; i < 16; i++)
        {
            ServerTimer timer = null!;
            FunctionService self = script[i];
            timer = self.Here.CreateTimer(() =>
            {
                self.LaunchSpread(default(Key).WithCoordinate(self.Here.Coordinate), i & 1);
                self.Launch(new Coordinate(3, 3, 0));
                timer.Arm(TimeSpan.FromMicroseconds(50));
            });
            timer.Arm(TimeSpan.Zero);
        }

        cube.Advance(TimeSpan.FromMilliseconds(300));
        long begin = script.Running.Values.Sum(s => s.Evaluations),
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(script.Running.Values.Sum(s => s.Evaluations) - begin > 10_000);
        Assert.Equal(0, allocated);
    }

    [StructLayout(LayoutKind.Sequential, Pack = 2)]
    private struct Numbered
    {
        public ExtendedHeader Extended;
        public ulong Number;
    }

    private readonly record struct Reversed(ulong Number, ExtendedHeader Extended);

    [CamCubeService(0x0301, "misplaced", Header = typeof(Reversed), OnFault = FaultPolicy.StopHere)]
    private sealed class Misplaced(IServer server) : ExtendedService(server)
    {
        protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys) { }
    }
}
