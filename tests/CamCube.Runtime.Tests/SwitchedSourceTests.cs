using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Where packets of sources go at a switch, which takes packets to where they end unless a service chose their
/// link.</summary>
public sealed class SwitchedSourceTests
{
    private static readonly Coordinate There = new(2, 1, 0),
        Neighbour = new(1, 0, 0),
        Other = new(0, 1, 0);

    [Fact]
    public void What_a_source_queues_for_the_link_that_asks_goes_where_it_ends_and_what_others_send_to_the_neighbour()
    {
        var script = new Script();
        var addressees = new List<(long Number, Coordinate To)>();
        var options = new SimulatorOptions
        {
            WrapLinks = (server, inner) => server == default ? new Switch(inner, addressees) : inner,
        };
        using TestCube cube = new TestCube(5, 5, 1, options).Add(script.Define());
        _ = cube.Cube;
        Scripted from = script[0];
        int step = 0;
        from.Poll = link =>
        {
            switch (step++)
            {
                case 0:
                    return Make(from, 1);
                case 1:
                    from.Server.SendVia(Make(from, 2), link);
                    from.Server.SendVia(Make(from, 3), Link.YPlus);
                    return null;
                default:
                    throw new InvalidOperationException("A source that fails.");
            }
        };
        IOutboundTurn turn = from.Server.AddSource(from);
        turn.Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        turn.Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));

        // A source fails in its turn, and what comes after it is no source's.
        turn.Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Single(cube.Faults);
        from = script[0];
        from.Server.SendVia(Make(from, 4), Link.XPlus);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal([(1, There), (2, There), (3, Other), (4, Neighbour)], addressees.OrderBy(a => a.Number));
    }

    private static Packet Make(Scripted self, long number)
    {
        Packet packet = self.Rent(100);
        packet.Destination = There;
        packet.Header<long>() = number;
        return packet;
    }

    /// <summary>Notes where a switch would take what the first server sends.</summary>
    private sealed class Switch(LinkDriver inner, List<(long Number, Coordinate To)> addressees) : LinkDecorator(inner)
    {
        private ILinkEvents? _server;

        public override bool EndsAtNeighbours => false;

        public override void Attach(ILinkEvents server)
        {
            _server = server;
            base.Attach(server);
        }

        public override long Transmit(Link link, Packet packet, long now)
        {
            Coordinate to = _server!.AddresseeOf(link, packet);
            _server.Lend(packet);
            if (packet.Service.Value == 0x0300)
            {
                addressees.Add((packet.Header<long>(), to));
            }

            _server.TakeBack(packet);
            return base.Transmit(link, packet, now);
        }
    }
}
