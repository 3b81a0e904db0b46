using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Receiving;
using CamCube.Services.Tunnel.Wire;
using CamCube.Testing;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>The order of a lane, packet by packet.</summary>
public sealed class LaneOrderTests : ILaneEnd, IDisposable
{
    private readonly TunnelCube _cube = new(3, 1, 1);
    private readonly IServer _server;
    private readonly TunnelCounters _counters;
    private readonly LaneOrder _lane;
    private readonly List<uint> _delivered = [];

    public LaneOrderTests()
    {
        _server = _cube.Cube[0].ServerOf<TunnelService>();
        _counters = _cube[0].Counters;
        _lane = new LaneOrder(this, new PathSkew(200_000_000), _counters);
    }

    [Fact]
    public void What_comes_in_order_is_handed_on_at_once()
    {
        Come((0, 0, 1), (1, 0, 1), (2, 0, 1));
        Assert.Equal([0u, 1, 2], _delivered);
    }

    [Fact]
    public void A_lane_begins_at_0_in_whatever_order_its_first_packets_come()
    {
        Come((1, 1, 3));
        Assert.Empty(_delivered);
        Come((0, 0, 3));
        Assert.Equal([0u, 1], _delivered);
    }

    [Fact]
    public void A_gap_is_lost_when_all_paths_in_use_have_passed_it_and_not_before()
    {
        Come((0, 0, 3), (1, 1, 3), (3, 0, 3));
        Assert.Equal([0u, 1], _delivered);
        Come((4, 1, 3));
        Assert.Equal([0u, 1, 3, 4], _delivered);
        Assert.Equal(1, _counters.Lost.Value);
    }

    [Fact]
    public void A_path_that_was_just_taken_into_use_is_waited_for()
    {
        // 10 went by path 2, which nothing has come by yet: 11 on path 0 says nothing of it.
        Come([.. Enumerable.Range(0, 10).Select(i => ((uint)i, (byte)0, (byte)1))]);
        Come((11, 0, 5));
        Assert.Equal(10, _delivered.Count);
        Come((10, 2, 5));
        Assert.Equal(12, _delivered.Count);
        Assert.Equal(0, _counters.Lost.Value + _counters.Late.Value);
    }

    [Fact]
    public void What_left_its_path_says_nothing_of_it()
    {
        Come((0, 0, 3), (1, 1, 3), (3, 0, 3));
        Come(4, 1, 3, TunnelFlags.OffPath);
        Assert.Equal([0u, 1], _delivered);
        _lane.GiveUpGap();
        Assert.Equal([0u, 1, 3, 4], _delivered);
        Assert.Equal(1, _counters.GivenUp.Value);
    }

    [Fact]
    public void What_was_given_up_is_handed_on_once_when_it_comes_after_all()
    {
        Come((0, 0, 1), (2, 0, 1), (1, 0, 1), (1, 0, 1), (2, 0, 1), (0, 0, 1));
        Assert.Equal([0u, 2, 1], _delivered);
        Assert.Equal((1, 3), (_counters.Late.Value, _counters.Repeated.Value));
    }

    [Fact]
    public void Numbers_begin_again_after_the_last_one()
    {
        Come((uint.MaxValue - 1, 0, 3), (0, 0, 3), (uint.MaxValue, 1, 3), (1, 1, 3));
        Assert.Equal([uint.MaxValue - 1, uint.MaxValue, 0u, 1], _delivered);
    }

    [Fact]
    public void Far_ahead_is_not_waited_for()
    {
        Come((0, 0, 3), (2, 0, 3), (5_000_000, 0, 3));
        Assert.Equal([0u, 2], _delivered);
        _lane.Flush();
        Assert.Equal([0u, 2, 5_000_000], _delivered);
        Assert.Equal(0, _lane.Waiting);
    }

    [Theory]
    [InlineData(1, 0, 60)]
    [InlineData(2, 0, 900)]
    [InlineData(3, 50, 60)]
    [InlineData(4, 50, 900)]
    public void Over_any_paths_nothing_is_lost_or_doubled_and_order_holds(int seed, int lossPerMille, int most)
    {
        // Naive model: packets of each path in order, paths in any; some are lost, some come twice.
        const int Packets = 3_000;
        var random = new Random(seed);
        var paths = Enumerable.Range(0, 3).Select(_ => new Queue<uint>()).ToArray();
        HashSet<uint> lost = [];
        uint sent = 0;
        while (sent < Packets || paths.Any(path => path.Count > 0))
        {
            if (sent < Packets && random.Next(2) == 0 && sent - Oldest() < most)
            {
                paths[random.Next(3)].Enqueue(sent++);
            }

            // One path is much slower than the others for most of the time.
            int from = random.Next(3);
            from = from == 2 && sent % 1_000 < 700 && random.Next(50) > 0 ? random.Next(2) : from;
            if (paths[from].TryDequeue(out uint next))
            {
                if (random.Next(1_000) < lossPerMille)
                {
                    lost.Add(next);
                    continue;
                }

                Come((next, (byte)from, 7));
                if (random.Next(20) == 0)
                {
                    Come((next, (byte)from, 7));
                }
            }
        }

        _lane.Flush();
        Assert.Equal(Enumerable.Range(0, Packets).Select(i => (uint)i).Except(lost), _delivered);
        Assert.Equal(0, _counters.Late.Value);

        uint Oldest() => paths.Where(path => path.Count > 0).Select(path => path.Peek()).DefaultIfEmpty(sent).Min();
    }

    public void Dispose()
    {
        _lane.Flush();
        _cube.AssertNothingLeft();
        _cube.Dispose();
    }

    void ILaneEnd.Deliver(Packet packet) => _delivered.Add(packet.Header<TunnelHeader>().Sequence);

    void ILaneEnd.Keep(Packet packet) { }

    void ILaneEnd.Release(Packet packet) => _server.Packets.Release(packet);

    private void Come(params (uint Sequence, byte Path, byte Paths)[] packets)
    {
        foreach ((uint sequence, byte path, byte paths) in packets)
        {
            Come(sequence, path, paths, TunnelFlags.None);
        }
    }

    private void Come(uint sequence, byte path, byte paths, TunnelFlags flags)
    {
        Assert.True(_server.Packets.TryRent(0, out Packet? packet));
        packet.Header<TunnelHeader>() = new TunnelHeader
        {
            Sequence = sequence,
            Path = path,
            Paths = paths,
            Flags = flags,
        };
        if (_lane.Take(packet, nowNanos: 0) != Arrival.Waits)
        {
            _server.Packets.Release(packet);
        }
    }
}
