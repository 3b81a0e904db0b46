using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// What passes through this server and waits for its next link: a queue per link, fair between the servers that sent
/// it, in which waits are kept short, so that no server's traffic is in the way of another's. Where there is no room
/// who has most loses. Loop only; allocates nothing per packet.
/// </summary>
internal sealed class Relay
{
    private readonly IServer _server;
    private readonly TunnelCounters _counters;
    private readonly FairQueue[] _links = new FairQueue[Links.Cables];
    private readonly int _most;

    /// <summary>The relay of a server.</summary>
    public Relay(IServer server, int mostPackets, CodelTerms terms, TunnelCounters counters)
    {
        (_server, _most, _counters) = (server, mostPackets, counters);
        var room = new WaitingRoom(mostPackets);
        for (int i = 0; i < _links.Length; i++)
        {
            _links[i] = new FairQueue(room, terms, server.Shape.Count, keepsFrames: false);
        }
    }

    /// <summary>Packets that wait.</summary>
    public int Waiting { get; private set; }

    /// <summary>Servers whose packets wait for a link.</summary>
    public int SendersFor(Link link) => _links[(int)link].Flows;

    /// <summary>Keeps a packet until a link takes it.</summary>
    public void Add(Packet packet, Link link)
    {
        _server.Packets.Take(packet);
        while (Waiting >= _most)
        {
            FairQueue fattest = _links[0];
            foreach (FairQueue other in _links)
            {
                fattest = other.Count > fattest.Count ? other : fattest;
            }

            int count = fattest.DropOfFattest(_server.Packets);
            Waiting -= count;
            _counters.Full.Add(count);
        }

        _links[(int)link].Add(packet, _server.Shape.RankOf(packet.Source), _server.NowNanos);
        Waiting++;
    }

    /// <summary>Takes the next packet of a link. There is one.</summary>
    public Packet Take(Link link)
    {
        FairQueue queue = _links[(int)link];
        int before = queue.Count;
        Packet packet = queue.Take(_server.NowNanos, _server.Packets, _counters, out bool isLate);
        Waiting -= before - queue.Count;
        if (isLate)
        {
            // Only said here: the IP packet itself is marked at its destination, after its checksum.
            _counters.Marked.Add();
            packet.Header<TunnelHeader>().Flags |= TunnelFlags.Congested;
        }

        return packet;
    }

    /// <summary>What waits for links that are down goes on by base routing.</summary>
    public void OnTopologyChanged()
    {
        foreach (Link link in LinkSet.AllCables - _server.Topology.LinksUp)
        {
            while (_links[(int)link].TakeAny() is { } packet)
            {
                Waiting--;
                packet.Header<TunnelHeader>().Flags |= TunnelFlags.OffPath;
                _server.Send(packet, packet.Destination);
            }
        }
    }
}
