namespace CamCube.Simulator.Swarm;

/// <summary>
/// For tests of the checkers only: key traffic with a planted bug. Where a server once stood in for another, it goes on
/// taking the other's key packets after that one has returned, whenever they come its way. A run with it must fail.
/// </summary>
internal sealed class CanaryService(IServer server, KeyTraffic traffic) : KeyTrafficService(server, traffic)
{
    private readonly HashSet<Coordinate> _stoodInFor = [];
    private readonly HashSet<Coordinate> _returned = [];

    public override void OnTopologyChanged(in TopologyChange change)
    {
        if (change.Event == TopologyEvent.ServerReturned && _stoodInFor.Contains(change.Server))
        {
            _returned.Add(change.Server);
        }
        else if (change.Event == TopologyEvent.ServerLost)
        {
            _returned.Remove(change.Server);
        }
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (packet.Destination.IsKey)
        {
            Coordinate home = packet.Destination.HomeIn(Server.Shape);
            if (hop.IsDestination && home != Server.Coordinate)
            {
                _stoodInFor.Add(home);
            }
            else if (!hop.IsDestination && _returned.Contains(home))
            {
                Deliver(packet);
                return Verdict.Consume;
            }
        }

        return base.OnPacket(hop, packet);
    }
}
