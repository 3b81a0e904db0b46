using CamCube;

namespace NearestCopySample;

/// <summary>Items may lie at two servers half a cube apart: asks the nearer one, and the item's own root if it is not
/// there.</summary>
[CamCubeService(0x7002, "nearest-copy")]
public sealed class NearestCopy(IServer server) : ExtendedService(server)
{
    private readonly HashSet<ulong> _copies = [];
    private readonly Counter _served = server.Counters.Create("served", "{packet}");

    /// <summary>The other key of an item.</summary>
    public static Key CopyOf(Key item, TorusShape shape) =>
        item.WithCoordinate(item.HomeIn(shape) with { X = (ushort)((item.HomeIn(shape).X + (shape.X / 2)) % shape.X) });

    /// <summary>From now on this server has the copy.</summary>
    public void Keep(Key copy) => _copies.Add(copy.Route);

    /// <summary>Asks for an item; whoever has it counts that.</summary>
    public SendResult Ask(Key item) =>
        Server.Packets.TryRent(0, out Packet? packet) ? Route(packet, item) : SendResult.QueueFull;

    /// <summary>F. An empty answer means base routing to the destination, the item's root.</summary>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        Key copy = CopyOf(new Key(at.Destination.Route, 0, 0), at.Shape);
        if (at.IsOrigin && at.IsReachable(copy) && at.Distance(copy) < at.Distance(at.Destination))
        {
            keys.Add(copy);
        }
        else if (_copies.Contains(at.Key.Route))
        {
            keys.Kind = KeySetKind.Here;
        }
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        _served.Add();
        return Verdict.Consume;
    }
}
