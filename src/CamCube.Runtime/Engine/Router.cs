using System.Runtime.CompilerServices;
using CamCube.Topology;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Where packets go from one server, by its own view. While nothing failed this is arithmetic on shared tables; after a
/// failure the view's tables answer, which all servers with an equal view share.
/// </summary>
internal sealed class Router
{
    /// <summary>The answer of <see cref="Route"/> for a packet that has arrived.</summary>
    public const int Here = 1 << (int)Link.Local;

    private readonly TorusShape _shape;
    private readonly TorusRoutes _routes;
    private readonly Coordinate _self;
    private readonly ulong _selfPacked;
    private bool _isWhole;
    private bool _announced;

    public Router(CubeContext context, int rank)
    {
        _shape = context.Shape;
        _self = _shape.At(rank);
        _selfPacked = _self.Packed;
        _routes = TorusRoutes.For(_shape);
        CabledBits = _shape.CabledLinks(_self).Bits;
        View = null!;
    }

    public byte CabledBits { get; }

    public CubeView View { get; private set; }

    /// <summary>Whether the server has taken its keys, as against having announced that it is going to.</summary>
    public bool HasKeys { get; set; }

    /// <summary>Time of the server from which its keys may be others' without its knowing: it stood still.</summary>
    public long KeysTrustedUntilNanos { get; set; }

    /// <summary>Whether the view can be trusted, as against that of a server that has just begun and heard nobody
    /// yet.</summary>
    public bool IsSettled { get; set; }

    public long Version { get; private set; }

    /// <summary>Servers with a live path from here: kept, because views answer only on the loop and the status reader
    /// is elsewhere.</summary>
    public int ReachableCount { get; private set; }

    public void SetView(CubeView view)
    {
        ReachableCount = view.ReachableCount(_self);
        View = view;
        _isWhole = view.IsWhole;
        _announced = view.EntryOf(_self).HasKeys;
        Version++;
    }

    /// <summary>Links that begin a shortest path, <see cref="Here"/>, or 0 if there is no path.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Route(Packet packet)
    {
        ulong target = packet.Route;
        if (_isWhole)
        {
            if ((packet.Flags & PacketFlags.ToKey) != 0)
            {
                target = Key.HomeOf(target, _shape).Packed;
            }
            else if (!_shape.Contains(Coordinate.Unpack(target)))
            {
                // A service may write any destination into a packet.
                return 0;
            }

            return _routes.NextHopsPacked(_selfPacked, target).Bits;
        }

        return RouteAround(packet);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsHere(Packet packet)
    {
        if ((packet.Flags & PacketFlags.ToKey) == 0)
        {
            return packet.Route == _selfPacked;
        }

        return _isWhole
            ? Key.HomeOf(packet.Route, _shape).Packed == _selfPacked
            : View.RootOf(packet.Route, _self) == _self;
    }

    /// <summary>
    /// Whether a packet that ends here must wait: it is for a key, and this server announced its keys but does not have
    /// them yet, or it only seems to be the root because it has heard nobody yet.
    /// </summary>
    public bool MustAwaitKeys(Packet packet) =>
        !HasKeys && (_announced || !IsSettled) && (packet.Flags & PacketFlags.ToKey) != 0;

    private int RouteAround(Packet packet)
    {
        Destination to = Destination.FromWire(packet.Route, (packet.Flags & PacketFlags.ToKey) != 0);
        if (!to.IsKey && !_shape.Contains(to.Server))
        {
            return 0;
        }

        return View.NextHops(_self, to).Bits;
    }
}
