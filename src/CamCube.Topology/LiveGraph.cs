using System.Buffers;

namespace CamCube.Topology;

/// <summary>
/// The cables that work, and what follows from them: who reaches whom, and by which links. Shared by all views that
/// differ in versions and keys only. What is computed on demand makes it single-threaded, except for the whole cube,
/// which needs no tables.
/// </summary>
internal sealed class LiveGraph(TorusPlan plan, byte[] live)
{
    // Stands in a destination's place when arithmetic, less the dead links, is right for all that reach it.
    private static readonly byte[] Arithmetic = [];
    private byte[]?[]? _tables;
    private ushort[]? _components;
    private int[] _sizes = [];
    private ushort[] _damaged = [];

    /// <summary>Whether all planned cables work.</summary>
    public bool IsWhole => ReferenceEquals(this, plan.Whole);

    /// <summary>Links that work, by rank.</summary>
    public ReadOnlySpan<byte> Live => live;

    /// <summary>Servers that reach one another have the same number, below <see cref="TorusShape.Count"/>.</summary>
    public int ComponentOf(int rank) => IsWhole ? 0 : Components[rank];

    /// <summary>Servers in the component of this one.</summary>
    public int ReachableCount(int rank)
    {
        int component = ComponentOf(rank);
        return IsWhole ? plan.Shape.Count : _sizes[component];
    }

    private ushort[] Components => _components ?? FindComponents();

    public LinkSet NextHops(Coordinate from, Coordinate to)
    {
        if (IsWhole)
        {
            return plan.Routes.NextHops(from, to);
        }

        int fromRank = plan.Shape.RankOf(from),
            toRank = plan.Shape.RankOf(to);
        byte[] table = TableOf(toRank);
        if (table.Length != 0)
        {
            return new LinkSet(table[fromRank]);
        }

        if (Components[fromRank] != Components[toRank])
        {
            return LinkSet.None;
        }

        return fromRank == toRank ? Link.Local : plan.Routes.NextHops(from, to) & new LinkSet(live[fromRank]);
    }

    public int Hops(Coordinate from, Coordinate to)
    {
        if (IsWhole)
        {
            return plan.Routes.Hops(from, to);
        }

        int rank = plan.Shape.RankOf(from),
            toRank = plan.Shape.RankOf(to);
        if (Components[rank] != Components[toRank])
        {
            return -1;
        }

        byte[] table = TableOf(toRank);
        if (table.Length == 0)
        {
            return plan.Routes.Hops(from, to);
        }

        int hops = 0;
        for (; rank != toRank; hops++)
        {
            rank = plan.Neighbour(rank, (int)new LinkSet(table[rank]).First);
        }

        return hops;
    }

    private byte[] TableOf(int to)
    {
        _tables ??= new byte[plan.Shape.Count][];
        return _tables[to] ??= FindTable(to);
    }

    // A destination needs a table of its own only if some server lost all the links that arithmetic offers towards it.
    // If none did, then by induction over the distance every server still has a path as short as in the whole cube, and
    // its shortest links are the arithmetic ones that are live. One dead server of 20x20x20 leaves all but about 60
    // destinations without a table.
    private byte[] FindTable(int to)
    {
        ushort[] components = Components;
        ulong packed = plan.Shape.At(to).Packed;
        foreach (ushort rank in _damaged)
        {
            if (
                rank != to
                && components[rank] == components[to]
                && (plan.Routes.NextHopsPacked(plan.Shape.At(rank).Packed, packed).Bits & live[rank]) == 0
            )
            {
                return Search(to);
            }
        }

        return Arithmetic;
    }

    private byte[] Search(int to)
    {
        int count = plan.Shape.Count;
        var table = new byte[count];
        ushort[] queue = ArrayPool<ushort>.Shared.Rent(count);
        int[] distance = ArrayPool<int>.Shared.Rent(count);
        distance.AsSpan(0, count).Fill(int.MaxValue);
        distance[to] = 0;
        table[to] = ((LinkSet)Link.Local).Bits;
        queue[0] = (ushort)to;
        for (int next = 0, known = 1; next < known; next++)
        {
            int rank = queue[next],
                farther = distance[rank] + 1;
            foreach (Link link in new LinkSet(live[rank]))
            {
                int neighbour = plan.Neighbour(rank, (int)link);
                if (distance[neighbour] == int.MaxValue)
                {
                    distance[neighbour] = farther;
                    queue[known++] = (ushort)neighbour;
                }

                if (distance[neighbour] == farther)
                {
                    table[neighbour] |= ((LinkSet)link.Opposite()).Bits;
                }
            }
        }

        ArrayPool<int>.Shared.Return(distance);
        ArrayPool<ushort>.Shared.Return(queue);
        return table;
    }

    private ushort[] FindComponents()
    {
        int count = plan.Shape.Count;
        var components = new ushort[count];
        var sizes = new List<int>();
        var damaged = new List<ushort>();
        var seen = new bool[count];
        ushort[] queue = ArrayPool<ushort>.Shared.Rent(count);
        for (int start = 0; start < count; start++)
        {
            if (live[start] != plan.Cabled[start])
            {
                damaged.Add((ushort)start);
            }

            if (seen[start])
            {
                continue;
            }

            seen[start] = true;
            queue[0] = (ushort)start;
            int known = 1;
            for (int next = 0; next < known; next++)
            {
                int rank = queue[next];
                components[rank] = (ushort)sizes.Count;
                foreach (Link link in new LinkSet(live[rank]))
                {
                    int neighbour = plan.Neighbour(rank, (int)link);
                    if (!seen[neighbour])
                    {
                        seen[neighbour] = true;
                        queue[known++] = (ushort)neighbour;
                    }
                }
            }

            sizes.Add(known);
        }

        ArrayPool<ushort>.Shared.Return(queue);
        _sizes = [.. sizes];
        _damaged = [.. damaged];
        return _components = components;
    }
}
