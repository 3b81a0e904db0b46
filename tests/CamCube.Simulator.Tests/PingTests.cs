using CamCube.Faults;
using CamCube.Services.Diagnostics;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

public sealed class PingTests
{
    private readonly List<(Coordinate From, Link By)> _way = [];

    [Theory]
    [InlineData(0, 3)]
    [InlineData(1, 4)]
    [InlineData(5, 2)]
    [InlineData(0, 2)]
    public void An_answer_goes_back_the_way_the_question_came_in_a_ring(ushort from, ushort to)
    {
        using TestCube cube = Start(1, 1, 6);

        // Both ways round are shortest to the opposite server, and the first link is taken in turn.
        for (int i = 0; i < 12; i++)
        {
            PingReply reply = Ping(cube, new(0, 0, from), new(0, 0, to));

            Assert.True(reply.IsAnswered);
            Assert.Equal((_way.Count / 2, _way.Count / 2), (reply.HopsThere, reply.HopsBack));
            for (int hop = 0; hop < reply.HopsThere; hop++)
            {
                (Coordinate at, Link by) = _way[hop];
                Assert.Equal((cube.Shape.Step(at, by), by.Opposite()), _way[^(hop + 1)]);
            }
        }
    }

    [Fact]
    public void An_answer_goes_another_way_when_its_cable_is_cut_behind_the_question()
    {
        using TestCube cube = Start(1, 1, 6);
        Coordinate from = new(0, 0, 0),
            to = new(0, 0, 1);
        cube.LinkFaults.Add(new LinkCut(), LinkScope.Link(to, Link.ZMinus));
        cube.Advance(TimeSpan.FromSeconds(3));

        PingReply reply = Ping(cube, from, to);

        Assert.Equal((true, 5, 5), (reply.IsAnswered, reply.HopsThere, reply.HopsBack));
    }

    [Fact]
    public void To_itself_no_cable_is_used()
    {
        using TestCube cube = Start(3, 1, 1);

        PingReply reply = Ping(cube, default, default);

        Assert.Equal((true, 0, 0), (reply.IsAnswered, reply.HopsThere, reply.HopsBack));
        Assert.Empty(_way);
    }

    private TestCube Start(int x, int y, int z)
    {
        var cube = new TestCube(x, y, z);
        cube.Add(server => new DiagnosticsService(server, new DiagnosticsOptions()));
        cube.AwaitConverged();
        cube.Lose = (from, by, packet) =>
        {
            if (packet.Service == new ServiceId(0x0101))
            {
                _way.Add((from, by));
            }

            return false;
        };
        return cube;
    }

    private PingReply Ping(TestCube cube, Coordinate from, Coordinate to)
    {
        _way.Clear();
        return cube.Await(
            cube[from]
                .Gate.CallAsync<DiagnosticsService, Coordinate, PingReply>(
                    static (service, to) => service.PingAsync(to, 100, TimeSpan.FromSeconds(1)),
                    to
                )
        );
    }
}
