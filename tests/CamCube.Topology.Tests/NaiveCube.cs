namespace CamCube.Topology.Tests;

/// <summary>The cube by the book: who says which link is up, searched afresh for every question.</summary>
internal sealed class NaiveCube
{
    private readonly byte[] _bits;

    public NaiveCube(TorusShape shape)
    {
        Shape = shape;
        _bits = new byte[shape.Count];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            _bits[rank] = (byte)(shape.CabledLinks(shape.At(rank)).Bits | CubeEntry.KeysBit);
        }
    }

    public TorusShape Shape { get; }

    public byte this[int rank]
    {
        get => _bits[rank];
        set => _bits[rank] = value;
    }

    public bool IsUsable(int rank, Link link)
    {
        Coordinate server = Shape.At(rank);
        return Shape.CabledLinks(server).Contains(link)
            && (_bits[rank] >> (int)link & 1) != 0
            && (_bits[Shape.RankOf(Shape.Step(server, link))] >> (int)link.Opposite() & 1) != 0;
    }

    public int[] DistancesTo(int to)
    {
        var distances = new int[Shape.Count];
        Array.Fill(distances, -1);
        distances[to] = 0;
        var queue = new Queue<int>([to]);
        while (queue.TryDequeue(out int rank))
        {
            for (var link = Link.XPlus; link < Link.Local; link++)
            {
                int neighbour = Shape.RankOf(Shape.Step(Shape.At(rank), link));
                if (IsUsable(rank, link) && distances[neighbour] < 0)
                {
                    distances[neighbour] = distances[rank] + 1;
                    queue.Enqueue(neighbour);
                }
            }
        }

        return distances;
    }

    public LinkSet NextHops(int from, int to, int[] distancesToDestination)
    {
        if (from == to)
        {
            return Link.Local;
        }

        LinkSet links = LinkSet.None;
        for (var link = Link.XPlus; link < Link.Local; link++)
        {
            int neighbour = Shape.RankOf(Shape.Step(Shape.At(from), link));
            if (
                IsUsable(from, link)
                && distancesToDestination[from] > 0
                && distancesToDestination[neighbour] == distancesToDestination[from] - 1
            )
            {
                links |= link;
            }
        }

        return links;
    }

    /// <summary>Live servers as seen from one, by the rule of ITopologyView.RootOf.</summary>
    public bool[] LiveFrom(int from)
    {
        int[] distances = DistancesTo(from);
        bool[] reachable = [.. distances.Select(d => d >= 0)];
        bool[] live = [.. reachable.Select((r, rank) => r && (_bits[rank] & CubeEntry.KeysBit) != 0)];
        return live.Any(l => l) ? live : reachable;
    }

    public List<Coordinate> ServersFor(ulong route, int from)
    {
        bool[] live = LiveFrom(from);
        var servers = new List<Coordinate>();
        foreach (Coordinate offset in NaiveSequence(Shape, (int)(route & 0xFFFF) % 48))
        {
            Coordinate home = new Key(route, 0, 0).HomeIn(Shape);
            var server = new Coordinate(
                (ushort)((home.X + offset.X) % Shape.X),
                (ushort)((home.Y + offset.Y) % Shape.Y),
                (ushort)((home.Z + offset.Z) % Shape.Z)
            );
            if (live[Shape.RankOf(server)])
            {
                servers.Add(server);
            }
        }

        return servers;
    }

    /// <summary>buildSequence of algorithms.md §1, word for word.</summary>
    public static List<Coordinate> NaiveSequence(TorusShape dims, int i)
    {
        string[] orders = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"];
        int facet = i / 6;
        var list = new List<Coordinate> { default };
        var seen = new HashSet<Coordinate> { default };
        for (int at = 0; at < list.Count; at++)
        {
            foreach (char letter in orders[i % 6])
            {
                int axis = letter - 'x',
                    sign = (facet & (1 << axis)) == 0 ? 1 : -1;
                Coordinate next = list[at].With(axis, (list[at][axis] + sign + dims[axis]) % dims[axis]);
                if (seen.Add(next))
                {
                    list.Add(next);
                }
            }
        }

        return list;
    }

    /// <summary>
    /// Random damage: servers that lost all cables, cut cables, and links that only one end reports as down; servers
    /// without keys.
    /// </summary>
    public void Damage(Random random)
    {
        double servers = random.NextDouble() * 0.3,
            cables = random.NextDouble() * 0.3;
        double oneSided = random.NextDouble() * 0.2;
        double keyless = random.Next(4) switch
        {
            0 => 1,
            1 => 0.5,
            _ => 0.05,
        };
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            bool dead = random.NextDouble() < servers;
            for (var link = Link.XPlus; link < Link.Local; link++)
            {
                int neighbour = Shape.RankOf(Shape.Step(Shape.At(rank), link));
                bool cut = random.NextDouble() < cables / 2;
                if (dead || cut)
                {
                    _bits[neighbour] &= (byte)~(1 << (int)link.Opposite());
                }

                // A dead server says nothing: its own bits stay as they were.
                if ((cut && !dead) || random.NextDouble() < oneSided / 2)
                {
                    _bits[rank] &= (byte)~(1 << (int)link);
                }
            }

            if (random.NextDouble() < keyless)
            {
                _bits[rank] &= unchecked((byte)~CubeEntry.KeysBit);
            }
        }
    }

    /// <summary>The same knowledge as a view, entered in random order and pieces.</summary>
    public CubeView ToView(Random random, CubeView start)
    {
        var entries = new List<CubeEntry>();
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            Coordinate server = Shape.At(rank);
            if (start.EntryOf(server).Bits != _bits[rank])
            {
                entries.Add(new CubeEntry(server, 7, 2, _bits[rank]));
                entries.Add(new CubeEntry(server, 7, 1, (byte)(_bits[rank] & random.Next(256))));
                entries.Add(new CubeEntry(server, 6, 9, (byte)(_bits[rank] & random.Next(256))));
            }
        }

        CubeEntry[] shuffled = [.. entries];
        random.Shuffle(shuffled);
        CubeView view = start;
        for (int done = 0; done < shuffled.Length; )
        {
            int piece = Math.Min(1 + random.Next(5), shuffled.Length - done);
            view = view.With(shuffled.AsSpan(done, piece));
            done += piece;
        }

        return view;
    }
}
