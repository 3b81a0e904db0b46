using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace CamCube.Topology;

/// <summary>
/// Next hops and distances while nothing failed: arithmetic, by one small table per axis indexed by the signed
/// difference, so that the tables stay in the first-level cache (HPDC §3.3). All shortest links are offered: both
/// directions to the antipode of an even axis, both cables of an axis of size 2 that has two. Coordinates must lie in
/// the shape. Immutable; any thread.
/// </summary>
public sealed class TorusRoutes
{
    private const byte LocalBit = 1 << (int)Link.Local;
    private static readonly ConcurrentDictionary<TorusShape, TorusRoutes> Cache = new();
    private readonly byte[] _xLinks,
        _yLinks,
        _zLinks;
    private readonly ushort[] _xHops,
        _yHops,
        _zHops;
    private readonly int _xSize,
        _ySize,
        _zSize;

    private TorusRoutes(TorusShape shape)
    {
        Shape = shape;
        (_xSize, _ySize, _zSize) = (shape.X, shape.Y, shape.Z);
        (_xLinks, _xHops) = Axis(shape, 0);
        (_yLinks, _yHops) = Axis(shape, 1);
        (_zLinks, _zHops) = Axis(shape, 2);
    }

    /// <summary>The shape, with its cabling.</summary>
    public TorusShape Shape { get; }

    /// <summary>The tables of a shape: one object per shape and process.</summary>
    public static TorusRoutes For(TorusShape shape) =>
        Cache.TryGetValue(shape, out TorusRoutes? found)
            ? found
            : Cache.GetOrAdd(shape, static s => new TorusRoutes(s));

    /// <summary>
    /// All links of <paramref name="from"/> that begin a shortest path; <see cref="Link.Local"/> if both are one
    /// server.
    /// </summary>
    public LinkSet NextHops(Coordinate from, Coordinate to) => NextHopsPacked(from.Packed, to.Packed);

    /// <summary>
    /// The same for coordinates packed as in <see cref="Destination.Route"/>: x in bits 63–48, y 47–32, z 31–16; the
    /// low 16 bits are ignored. Not for routes of keys, whose parts are larger than the axes.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LinkSet NextHopsPacked(ulong from, ulong to)
    {
        int links =
            _xLinks[(int)(to >> 48) - (int)(from >> 48) + _xSize]
            | _yLinks[(int)(to >> 32 & 0xFFFF) - (int)(from >> 32 & 0xFFFF) + _ySize]
            | _zLinks[(int)(to >> 16 & 0xFFFF) - (int)(from >> 16 & 0xFFFF) + _zSize];
        return new LinkSet((byte)(links == 0 ? LocalBit : links));
    }

    /// <summary>Hops of a shortest path.</summary>
    public int Hops(Coordinate from, Coordinate to) => HopsPacked(from.Packed, to.Packed);

    /// <summary>The same for packed coordinates, see <see cref="NextHopsPacked"/>.</summary>
    public int HopsPacked(ulong from, ulong to) =>
        _xHops[(int)(to >> 48) - (int)(from >> 48) + _xSize]
        + _yHops[(int)(to >> 32 & 0xFFFF) - (int)(from >> 32 & 0xFFFF) + _ySize]
        + _zHops[(int)(to >> 16 & 0xFFFF) - (int)(from >> 16 & 0xFFFF) + _zSize];

    private static (byte[] Links, ushort[] Hops) Axis(TorusShape shape, int axis)
    {
        int size = shape[axis];
        var links = new byte[2 * size];
        var hops = new ushort[2 * size];
        for (int difference = 1 - size; difference < size; difference++)
        {
            int ahead = (difference + size) % size;
            int index = difference + size;
            hops[index] = (ushort)Math.Min(ahead, size - ahead);
            if (ahead == 0)
            {
                continue;
            }

            bool oneCable = size == 2 && !shape.ParallelCables;
            bool plus = oneCable ? difference > 0 : 2 * ahead <= size;
            bool minus = oneCable ? difference < 0 : 2 * ahead >= size;
            LinkSet set = (plus ? Links.Of(axis, 1) : LinkSet.None) | (minus ? Links.Of(axis, -1) : LinkSet.None);
            links[index] = set.Bits;
        }

        return (links, hops);
    }
}
