using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>What waits for one server, and the numbers of its lanes. Loop only.</summary>
internal sealed class DestinationQueue(Coordinate server, ushort run)
{
    // How long a path counts as used by a lane: longer than packets differ on their ways.
    private const long UsedNanos = 20_000_000;
    private readonly uint[] _next = new uint[TunnelHeader.Lanes];
    private readonly long[] _used = new long[TunnelHeader.Lanes * CamCube.Links.Count];
    private Packet[] _waiting = new Packet[16];
    private int _first;

    /// <summary>The server.</summary>
    public Coordinate Server { get; } = server;

    /// <summary>Packets that wait.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Bytes that it may still send in this round; below 0: a debt.</summary>
    public int Credit { get; set; }

    /// <summary>Links on which its packets may leave.</summary>
    public LinkSet Links { get; set; }

    /// <summary>Those of them that go the other way round.</summary>
    public LinkSet WayRound { get; set; }

    /// <summary>The view in which these links were found.</summary>
    public long ViewVersion { get; set; } = -1;

    /// <summary>Adds a packet, owned from now on.</summary>
    public void Add(Packet packet)
    {
        if (Count == _waiting.Length)
        {
            var larger = new Packet[2 * Count];
            for (int i = 0; i < Count; i++)
            {
                larger[i] = _waiting[(_first + i) & (Count - 1)];
            }

            (_waiting, _first) = (larger, 0);
        }

        _waiting[(_first + Count++) & (_waiting.Length - 1)] = packet;
        Bytes += packet.WireLength;
    }

    /// <summary>Takes the oldest packet, and numbers it: only now, so that numbers rise on each path.</summary>
    /// <param name="link">The link it leaves by.</param>
    /// <param name="nowNanos">Server time.</param>
    public Packet Take(Link link, long nowNanos)
    {
        Packet packet = _waiting[_first];
        _waiting[_first] = null!;
        _first = (_first + 1) & (_waiting.Length - 1);
        Count--;
        Bytes -= packet.WireLength;
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        Span<long> used = _used.AsSpan(header.Lane * CamCube.Links.Count, CamCube.Links.Count);
        used[(int)link] = nowNanos + UsedNanos;
        byte paths = 0;
        for (int i = 0; i < used.Length; i++)
        {
            paths |= (byte)(used[i] > nowNanos ? 1 << i : 0);
        }

        (header.Sequence, header.Paths, header.Run) = (_next[header.Lane]++, paths, run);
        header.Path = TunnelHeader.NoPath;
        header.Flags |= WayRound.Contains(link) ? TunnelFlags.WayRound : TunnelFlags.None;
        header.Sum = TunnelSum.Of(header, packet.Body);
        return packet;
    }

    /// <summary>Gives up all that waits.</summary>
    public void Clear(IServerPackets packets)
    {
        while (Count > 0)
        {
            packets.Release(_waiting[_first]);
            _waiting[_first] = null!;
            _first = (_first + 1) & (_waiting.Length - 1);
            Count--;
        }

        Bytes = 0;
    }
}
