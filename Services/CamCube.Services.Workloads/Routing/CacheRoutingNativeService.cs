namespace CamCube.Services.Workloads.Routing;

/// <summary>Cache lookups (SIGCOMM §3.3, HPDC §5.1) as verdicts of its own: each server on the way sets the next
/// destination.</summary>
[CamCubeService(0x0126, "cache-routing-native", Header = typeof(CacheLookup))]
public sealed class CacheRoutingNativeService(IServer server, CacheRoutingOptions options)
    : CamCubeService,
        ICacheRouting
{
    private readonly HashSet<ulong> _held = [];

    /// <inheritdoc/>
    public CacheRoutingCounts Counts { get; } = new();

    /// <inheritdoc/>
    public void Lookup(int item)
    {
        if (server.Packets.TryRent(0, out Packet? packet))
        {
            packet.Header<CacheLookup>().Item = item;
            server.Send(packet, options.ClosestOf(item, server.Coordinate, server.Shape));
        }
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        ref CacheLookup lookup = ref packet.Header<CacheLookup>();
        lookup.LocalSteps += (ushort)(hop.ArrivedOn == Link.Local ? 1 : 0);
        return lookup.IsAnswer ? PassAnswer(ref lookup, packet) : PassLookup(ref lookup, packet);
    }

    private Verdict PassLookup(ref CacheLookup lookup, Packet packet)
    {
        Key root = options.RootOf(lookup.Item);
        bool isHeld = _held.Contains(packet.Destination.Route);
        if (!isHeld && !server.Topology.IsRoot(root))
        {
            lookup.Holder = packet.Destination.Route;
            packet.Destination = root;
            return Verdict.Forward;
        }

        Counts.Serve(lookup.Item, !isHeld, server.Packets.DefaultHopLimit - packet.HopLimit - lookup.LocalSteps);
        lookup.IsAnswer = true;
        packet.HopLimit = server.Packets.DefaultHopLimit;
        packet.Destination = lookup.Holder != 0 ? new Key(lookup.Holder, 0, 0) : packet.Source;
        return server.Topology.NextHops(packet.Destination).Contains(Link.Local)
            ? PassAnswer(ref lookup, packet)
            : Verdict.Forward;
    }

    private Verdict PassAnswer(ref CacheLookup lookup, Packet packet)
    {
        if (lookup.Holder != 0)
        {
            _held.Add(lookup.Holder);
            lookup.Holder = 0;
            packet.Destination = packet.Source;
            if (packet.Source != server.Coordinate)
            {
                return Verdict.Forward;
            }
        }

        Counts.Answered++;
        return Verdict.Consume;
    }
}
