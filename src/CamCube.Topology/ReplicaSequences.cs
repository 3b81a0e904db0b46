using System.Collections.Concurrent;

namespace CamCube.Topology;

/// <summary>
/// The 48 orders in which servers take over from one another (HPDC §3.2): offsets from a key's home, so one set serves
/// every home. Sequence i = (low 16 bits of the route) mod 48; its facet i div 6 has −x, −y, −z in bits 0, 1, 2, its
/// order is i mod 6 of xyz, xzy, yxz, yzx, zxy, zyx. Each sequence names every server once. It depends on the axis
/// sizes only, not on the cabling. Made on first use, kept for the process, equal sequences shared (an axis of size 1
/// or 2 makes many equal). Any thread.
/// </summary>
public sealed class ReplicaSequences
{
    /// <summary>Number of sequences, counting equal ones.</summary>
    public const int Count = 48;

    private static readonly ConcurrentDictionary<TorusShape, ReplicaSequences> Cache = new();
    private readonly byte[] _canonical = new byte[Count];
    private readonly ushort[]?[] _offsets = new ushort[Count][];

    private ReplicaSequences(TorusShape shape)
    {
        Shape = shape;
        Span<int> signatures = stackalloc int[Count];
        for (int i = 0; i < Count; i++)
        {
            signatures[i] = Signature(i);
            _canonical[i] = (byte)signatures[..(i + 1)].IndexOf(signatures[i]);
        }
    }

    /// <summary>The sizes; the cabling of axes of size 2 says nothing here.</summary>
    public TorusShape Shape { get; }

    // Axis numbers of the six orders, three each.
    private static ReadOnlySpan<byte> Orders => [0, 1, 2, 0, 2, 1, 1, 0, 2, 1, 2, 0, 2, 0, 1, 2, 1, 0];

    /// <summary>The sequences of a shape's sizes.</summary>
    public static ReplicaSequences For(TorusShape shape)
    {
        TorusShape sizes = shape with { ParallelCables = true };
        return Cache.TryGetValue(sizes, out ReplicaSequences? found)
            ? found
            : Cache.GetOrAdd(sizes, static s => new ReplicaSequences(s));
    }

    /// <summary>The sequence that a key's route chooses, 0 to 47.</summary>
    public static int IndexOf(ulong route) => (int)((uint)(route & 0xFFFF) % Count);

    /// <summary>
    /// Offsets from the home in the order of take-over, the home itself first. An offset (x,y,z) is written as the rank
    /// it has as a coordinate; <see cref="ServerAt"/> adds it.
    /// </summary>
    /// <param name="sequence">0 to 47, see <see cref="IndexOf"/>.</param>
    public ReadOnlySpan<ushort> Offsets(int sequence)
    {
        int canonical = _canonical[sequence];
        return Volatile.Read(ref _offsets[canonical]) ?? Make(canonical);
    }

    /// <summary>Home plus offset, modulo the axis sizes.</summary>
    public Coordinate ServerAt(Coordinate home, ushort offset)
    {
        Coordinate by = Shape.At(offset);
        int x = home.X + by.X,
            y = home.Y + by.Y,
            z = home.Z + by.Z;
        return new Coordinate(
            (ushort)(x >= Shape.X ? x - Shape.X : x),
            (ushort)(y >= Shape.Y ? y - Shape.Y : y),
            (ushort)(z >= Shape.Z ? z - Shape.Z : z)
        );
    }

    // What distinguishes a sequence: + and − are the same step on an axis of size 2, and an axis of size 1 has no
    // steps.
    private int Signature(int sequence)
    {
        int facet = sequence / 6,
            signature = 0;
        for (int place = 0; place < 3; place++)
        {
            int axis = Orders[(sequence % 6 * 3) + place];
            if (Shape[axis] > 1)
            {
                int minus = Shape[axis] > 2 ? facet >> axis & 1 : 0;
                signature = (signature << 3) | (axis << 1) | minus;
            }
        }

        return signature;
    }

    private ushort[] Make(int sequence)
    {
        // Two threads may both do this; the first one's array stays.
        ushort[] made = Walk(sequence);
        return Interlocked.CompareExchange(ref _offsets[sequence], made, null) ?? made;
    }

    private ushort[] Walk(int sequence)
    {
        int facet = sequence / 6;
        var offsets = new ushort[Shape.Count];
        var seen = new bool[Shape.Count];
        seen[0] = true;
        for (int next = 0, known = 1; next < known; next++)
        {
            Coordinate server = Shape.At(offsets[next]);
            for (int place = 0; place < 3; place++)
            {
                int axis = Orders[(sequence % 6 * 3) + place];
                int rank = Shape.RankOf(Shape.Step(server, Links.Of(axis, (facet >> axis & 1) == 0 ? 1 : -1)));
                if (!seen[rank])
                {
                    seen[rank] = true;
                    offsets[known++] = (ushort)rank;
                }
            }
        }

        return offsets;
    }
}
