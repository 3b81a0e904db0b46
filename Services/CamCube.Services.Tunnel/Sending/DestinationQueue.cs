using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>What waits for one server, fairly between flows, and the numbers of its lanes. Loop only; allocates nothing
/// per packet.</summary>
/// <param name="server">The server.</param>
/// <param name="run">This one's run.</param>
/// <param name="room">The places of packets.</param>
/// <param name="terms">Settings of its flows.</param>
/// <param name="usedNanos">How long a path counts as used by a lane: longer than packets differ on their ways, or one
/// that is slower than those behind it counts as lost.</param>
internal sealed class DestinationQueue(
    Coordinate server,
    ushort run,
    WaitingRoom room,
    CodelTerms terms,
    long usedNanos
)
{
    // A multiple of the lanes, so that no flow is on two of them: fewer flows share a queue than share a lane.
    private const int Flows = 4 * TunnelHeader.Lanes;
    private readonly uint[] _next = new uint[TunnelHeader.Lanes];
    private readonly long[] _used = new long[TunnelHeader.Lanes * CamCube.Links.Count];

    // Pieces of a frame leave one behind the other, so that its lane has them without a gap.
    private readonly FairQueue _flows = new(room, terms, Flows, keepsFrames: true);

    /// <summary>The server.</summary>
    public Coordinate Server { get; } = server;

    /// <summary>Packets that wait.</summary>
    public int Count => _flows.Count;

    /// <summary>Their bytes.</summary>
    public int Bytes => _flows.Bytes;

    /// <summary>Bytes that it may still send in this round; below 0: a debt.</summary>
    public int Credit { get; set; }

    /// <summary>Whether it is among those that have a turn.</summary>
    public bool IsActive { get; set; }

    /// <summary>Links on which its packets may leave.</summary>
    public LinkSet Links { get; set; }

    /// <summary>Those of them that go the other way round.</summary>
    public LinkSet WayRound { get; set; }

    /// <summary>The view in which these links were found.</summary>
    public long ViewVersion { get; set; } = -1;

    /// <summary>Adds a packet, owned from now on.</summary>
    /// <param name="packet">The packet, with its lane.</param>
    /// <param name="hash">Of its flow.</param>
    /// <param name="nowNanos">Server time.</param>
    public void Add(Packet packet, uint hash, long nowNanos) => _flows.Add(packet, (int)(hash % Flows), nowNanos);

    /// <summary>Takes the next packet, and numbers it: only now, so that numbers rise on each path. There is
    /// one.</summary>
    /// <param name="link">The link it leaves by.</param>
    /// <param name="nowNanos">Server time.</param>
    /// <param name="packets">Takes back those that waited too long.</param>
    /// <param name="counters">Is told of them.</param>
    public Packet Take(Link link, long nowNanos, IServerPackets packets, TunnelCounters counters)
    {
        Packet packet = _flows.Take(nowNanos, packets, counters, out bool isLate);
        if (isLate)
        {
            counters.Marked.Add();
            Congestion.TryMark(packet.WritableBody());
        }

        Number(packet, link, nowNanos);
        return packet;
    }

    /// <summary>Gives up the oldest frame of the flow that has most. Returns how many packets that were.</summary>
    public int DropOfFattest(IServerPackets packets) => _flows.DropOfFattest(packets);

    /// <summary>Gives up all that waits.</summary>
    public void Clear(IServerPackets packets)
    {
        while (_flows.TakeAny() is { } packet)
        {
            packets.Release(packet);
        }
    }

    private void Number(Packet packet, Link link, long nowNanos)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        Span<long> used = _used.AsSpan(header.Lane * CamCube.Links.Count, CamCube.Links.Count);
        used[(int)link] = nowNanos + usedNanos;
        byte paths = 0;
        for (int i = 0; i < used.Length; i++)
        {
            paths |= (byte)(used[i] > nowNanos ? 1 << i : 0);
        }

        (header.Sequence, header.Paths, header.Run) = (_next[header.Lane]++, paths, run);
        header.Path = TunnelHeader.NoPath;
        header.Flags |= WayRound.Contains(link) ? TunnelFlags.WayRound : TunnelFlags.None;
        header.Sum = TunnelSum.Of(header, packet.Body);
    }
}
