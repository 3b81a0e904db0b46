using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>
/// A server that has just started hears nobody yet. It must not take itself for the only one that lives, and thereby
/// for the root of every key.
/// </summary>
public sealed class StartingServerTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(3, 3, 3)]
    [InlineData(4, 2, 1)]
    [InlineData(5, 1, 1)]
    public void What_it_sends_to_keys_at_once_arrives_at_their_roots(int x, int y, int z)
    {
        var arrivals = new List<Arrival>();
        using var cube = new TestCube(x, y, z);
        cube.Add(server => new Eager(server, arrivals));
        cube.Advance(Second);
        arrivals.Clear();
        cube.Kill(cube.Shape.At(1));
        cube.Advance(Second);
        cube.Revive(cube.Shape.At(1));
        cube.Advance(Second);

        // Until it has its keys, another server stands in for it.
        Assert.Equal(cube.Shape.Count, arrivals.Count);
        Assert.All(
            arrivals,
            arrival =>
                Assert.True(
                    arrival.At == arrival.Home ? arrival.HasKeys : arrival.Home == 1 && arrival.At != 1,
                    $"{arrival}"
                )
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void Alone_it_is_the_root_once_its_neighbours_would_have_been_heard()
    {
        var arrivals = new List<Arrival>();
        using var cube = new TestCube(3, 1, 1);
        cube.Add(server => new Eager(server, arrivals));
        cube.Advance(Second);
        for (int rank = 0; rank < 3; rank++)
        {
            cube.Kill(cube.Shape.At(rank));
        }

        arrivals.Clear();
        cube.Revive(cube.Shape.At(2));
        long start = cube.NowNanos;
        cube.Advance(Second);
        Assert.Equal([2, 2, 2], arrivals.Select(arrival => arrival.At));
        Assert.All(arrivals, arrival => Assert.InRange(arrival.Nanos - start, 300_000_000, 330_000_000));
        cube.AssertQuiet();
    }

    [Fact]
    public void Started_first_it_delivers_nothing_until_the_majority_is_there()
    {
        var arrivals = new List<Arrival>();
        using var cube = new TestCube(3, 3, 1);
        cube.Add(server => new Eager(server, arrivals));
        cube.Advance(Second);
        for (int rank = 0; rank < 9; rank++)
        {
            cube.Kill(cube.Shape.At(rank));
        }

        arrivals.Clear();
        long start = cube.NowNanos;
        for (int rank = 0; rank < 9; rank++)
        {
            cube.Revive(cube.Shape.At(rank));
            cube.Advance(TimeSpan.FromMilliseconds(10));
        }

        // The fifth of nine starts after 40 ms.
        cube.Advance(Second);
        Assert.Equal(81, arrivals.Count);
        Assert.All(arrivals, arrival => Assert.InRange(arrival.Nanos - start, 40_000_001, 90_000_000));
        cube.AssertQuiet();
    }

    /// <summary>Sends to a key of every server in the moment in which it starts.</summary>
    [CamCubeService(0x0721, "eager", Header = typeof(int))]
    private sealed class Eager(IServer server, List<Arrival> arrivals) : CamCubeService
    {
        public override void OnStart()
        {
            for (int rank = 0; rank < server.Shape.Count; rank++)
            {
                Assert.True(server.Packets.TryRent(0, out Packet? packet));
                packet.Header<int>() = rank;
                server.Send(packet, default(Key).WithCoordinate(server.Shape.At(rank)));
            }
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            if (!hop.IsDestination)
            {
                return Verdict.Forward;
            }

            arrivals.Add(
                new Arrival(
                    packet.Header<int>(),
                    server.Shape.RankOf(server.Coordinate),
                    hop.NowNanos,
                    server.Topology.HasKeys
                )
            );
            return Verdict.Consume;
        }
    }

    private sealed record Arrival(int Home, int At, long Nanos, bool HasKeys);
}
