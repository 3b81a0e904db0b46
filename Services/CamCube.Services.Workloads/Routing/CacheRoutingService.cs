namespace CamCube.Services.Workloads.Routing;

/// <summary>
/// Cache lookups (SIGCOMM §3.3, HPDC §5.1) as F of extended routing: to the closest of k + 1 keys, from there to the
/// item's root if it is not there; the answer goes by way of the key that did not have it, which keeps it.
/// </summary>
[CamCubeService(0x0125, "cache-routing", Header = typeof(CacheRoutingHeader))]
public sealed class CacheRoutingService(IServer server, CacheRoutingOptions options)
    : ExtendedService(server),
        ICacheRouting
{
    private readonly HashSet<ulong> _held = [];

    /// <inheritdoc/>
    public CacheRoutingCounts Counts { get; } = new();

    /// <inheritdoc/>
    public void Lookup(int item)
    {
        if (Server.Packets.TryRent(0, out Packet? packet))
        {
            packet.Header<CacheRoutingHeader>().Lookup.Item = item;
            Route(packet, options.RootOf(item));
        }
    }

    /// <inheritdoc/>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        ref CacheLookup lookup = ref packet.Header<CacheRoutingHeader>().Lookup;
        if (at.IsOrigin)
        {
            keys.Add(
                lookup.IsAnswer ? new Key(lookup.Holder, 0, 0) : options.ClosestOf(lookup.Item, at.Vertex, at.Shape)
            );
            return;
        }

        if (lookup.IsAnswer)
        {
            // The rest of its way is base routing's.
            _held.Add(lookup.Holder);
            return;
        }

        lookup.LocalSteps += (ushort)(at.ArrivedOn == Link.Local ? 1 : 0);
        if (_held.Contains(at.Key.Route))
        {
            keys.Kind = KeySetKind.Here;
            return;
        }

        lookup.Holder = at.Key.Route;
        keys.Add(at.Destination);
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        ref CacheLookup lookup = ref packet.Header<CacheRoutingHeader>().Lookup;
        if (lookup.IsAnswer)
        {
            // F is not asked at the destination, and the key that is to have the item may be the asker's own.
            _ = at.Key.Route == lookup.Holder && _held.Add(lookup.Holder);
            return End();
        }

        Key root = options.RootOf(lookup.Item);
        bool asRoot = !_held.Contains(at.Key.Route) && at.RootOf(root) == at.Server;
        int hops =
            at.ArrivedOn == Link.Local ? 0 : Server.Packets.DefaultHopLimit - packet.HopLimit - lookup.LocalSteps;
        Counts.Serve(lookup.Item, asRoot, hops);
        lookup.IsAnswer = true;
        packet.HopLimit = Server.Packets.DefaultHopLimit;
        if (lookup.Holder != 0)
        {
            Route(packet, packet.Source);
            return Verdict.Taken;
        }

        if (packet.Source == at.Server)
        {
            return End();
        }

        packet.Destination = packet.Source;
        return Verdict.Forward;
    }

    /// <inheritdoc/>
    protected override Verdict OnBasePacket(in HopContext hop, Packet packet) =>
        hop.IsDestination ? End() : Verdict.Forward;

    private Verdict End()
    {
        Counts.Answered++;
        return Verdict.Consume;
    }
}
