namespace CamCube.Cabling;

/// <summary>
/// Coordinates from cables. A cable between opposite ports (+x and -x) says that its ends are neighbours; all others
/// are wrong. Cables that close many squares and rings of the right length are believed first, the others as long as
/// they do not contradict. A pure function.
/// </summary>
internal sealed class Placement
{
    private readonly TorusShape _shape;
    private readonly IReadOnlyList<ServerReport> _servers;
    private readonly int[] _next;
    private readonly bool[] _isEitherWay;
    private readonly int[] _parent;
    private readonly (int X, int Y, int Z)[] _offset;
    private readonly List<int>[] _members;

    private Placement(TorusShape shape, IReadOnlyList<ServerReport> servers)
    {
        (_shape, _servers) = (shape, servers);
        int count = servers.Count;
        _next = new int[count * Links.Cables];
        _isEitherWay = new bool[count * Links.Cables];
        _parent = new int[count];
        _offset = new (int, int, int)[count];
        _members = new List<int>[count];
        for (int i = 0; i < count; i++)
        {
            _parent[i] = i;
            _members[i] = [i];
        }
    }

    /// <summary>Coordinates of the servers of the largest part that hangs together; null for the others. In the order
    /// of the servers that were given.</summary>
    public Coordinate?[] Coordinates { get; private set; } = [];

    /// <summary>How many servers have a coordinate.</summary>
    public int Placed { get; private set; }

    /// <summary>Whether every place of the cube is taken.</summary>
    public bool IsComplete => Placed == _shape.Count;

    /// <summary>Cables between opposite ports that contradict the others, by the end on the + link.</summary>
    public int Contradictions { get; private set; }

    /// <summary>Cables between opposite ports, whether or not they contradict.</summary>
    public int Cables { get; private set; }

    /// <summary>Cables of a cube of this shape.</summary>
    public int ExpectedCables => CablesOf(_shape);

    /// <summary>Cables of a whole cube.</summary>
    public static int CablesOf(TorusShape shape)
    {
        int cables = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            cables += shape[axis] switch
            {
                1 => 0,
                2 when !shape.ParallelCables => shape.Count / 2,
                _ => shape.Count,
            };
        }

        return cables;
    }

    /// <summary>Places servers.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="servers">Their reports, in the order of their identities.</param>
    public static Placement Of(TorusShape shape, IReadOnlyList<ServerReport> servers)
    {
        var placement = new Placement(shape, servers);
        placement.FindCables();
        foreach ((int server, Link link) in placement.ByBelief())
        {
            if (!placement.Join(server, link))
            {
                placement.Contradictions++;
            }
        }

        placement.Place();
        return placement;
    }

    private int Next(int server, Link link) => server < 0 ? -1 : _next[(server * Links.Cables) + (int)link];

    /// <summary>As <see cref="Next"/>, but over a single cable from either end.</summary>
    private int Across(int server, Link link)
    {
        int next = Next(server, link);
        return next < 0 && SingleCables.IsOn(_shape, link) ? Next(server, link.Opposite()) : next;
    }

    /// <summary>Both ends must say the same of a cable.</summary>
    private void FindCables()
    {
        var index = new Dictionary<ServerId, int>(_servers.Count);
        for (int i = 0; i < _servers.Count; i++)
        {
            index[_servers[i].Server] = i;
        }

        Array.Fill(_next, -1);
        for (int i = 0; i < _servers.Count; i++)
        {
            foreach (PortReport port in _servers[i].Ports)
            {
                if (
                    port.Link is not { } link
                    || !port.HearsServer
                    || _shape[link.Axis()] == 1
                    || !index.TryGetValue(port.Peer, out int peer)
                    || peer == i
                )
                {
                    continue;
                }

                bool isEitherWay = SingleCables.Join(_shape, _servers[i], _servers[peer], link, port.PeerLink);
                if (
                    (isEitherWay || port.PeerLink == link.Opposite())
                    && _servers[peer].PortOf(port.PeerLink) is { HearsServer: true } other
                    && other.Peer == _servers[i].Server
                    && other.PeerLink == link
                )
                {
                    // Both ends have one name: one of them stands at the + end, and on an axis of size 2 a step is the
                    // same both ways.
                    Link end = isEitherWay ? Links.Of(link.Axis(), i < peer ? 1 : -1) : link;
                    _next[(i * Links.Cables) + (int)end] = peer;
                    _isEitherWay[(i * Links.Cables) + (int)end] = isEitherWay;
                }
            }
        }
    }

    private List<(int Server, Link Link)> ByBelief()
    {
        var cables = new List<(int Belief, int Server, Link Link)>();
        for (int i = 0; i < _servers.Count; i++)
        {
            for (int axis = 0; axis < 3; axis++)
            {
                Link link = Links.Of(axis, 1);
                if (Next(i, link) >= 0)
                {
                    cables.Add((Belief(i, link), i, link));
                }
            }
        }

        cables.Sort(
            static (a, b) =>
                a.Belief != b.Belief ? b.Belief.CompareTo(a.Belief)
                : a.Server != b.Server ? a.Server.CompareTo(b.Server)
                : a.Link.CompareTo(b.Link)
        );
        Cables = cables.Count;
        return cables.ConvertAll(static c => (c.Server, c.Link));
    }

    /// <summary>The squares that a cable closes, and its ring if that has the right length.</summary>
    private int Belief(int server, Link link)
    {
        int belief = 0,
            peer = Next(server, link);
        for (int i = 0; i < Links.Cables; i++)
        {
            var side = (Link)i;
            if (side.Axis() != link.Axis() && (side.Sign() > 0 || !SingleCables.IsOn(_shape, side)))
            {
                int corner = Across(Across(server, side), link);
                belief += corner >= 0 && corner == Across(peer, side) ? 2 : 0;
            }
        }

        int at = server,
            steps = 0;
        do
        {
            at = Next(at, link);
            steps++;
        } while (at >= 0 && at != server && steps < _shape[link.Axis()]);

        return belief + (at == server && steps == _shape[link.Axis()] ? 1 : 0);
    }

    /// <summary>Believes a cable unless it contradicts: other coordinates for a server that has some, or two servers in
    /// one place.</summary>
    private bool Join(int server, Link link)
    {
        int peer = Next(server, link),
            a = Root(server),
            b = Root(peer);
        (int X, int Y, int Z) step = (link.Axis() == 0 ? 1 : 0, link.Axis() == 1 ? 1 : 0, link.Axis() == 2 ? 1 : 0);
        (int X, int Y, int Z) there = Add(_offset[server], step);
        if (a == b)
        {
            return there == _offset[peer];
        }

        // How far the peer's part has to be moved.
        (int X, int Y, int Z) move = Subtract(there, _offset[peer]);
        if (_members[a].Count < _members[b].Count)
        {
            (a, b, move) = (b, a, Subtract(default, move));
        }

        var taken = new HashSet<(int, int, int)>();
        foreach (int member in _members[a])
        {
            taken.Add(_offset[member]);
        }

        foreach (int member in _members[b])
        {
            if (taken.Contains(Add(_offset[member], move)))
            {
                return false;
            }
        }

        foreach (int member in _members[b])
        {
            _offset[member] = Add(_offset[member], move);
            _parent[member] = a;
        }

        _members[a].AddRange(_members[b]);
        _members[b].Clear();
        return true;
    }

    private int Root(int server) => _parent[server];

    private void Place()
    {
        Coordinates = new Coordinate?[_servers.Count];
        int best = -1;
        for (int i = 0; i < _members.Length; i++)
        {
            if (best < 0 || _members[i].Count > _members[best].Count)
            {
                best = i;
            }
        }

        if (best < 0)
        {
            return;
        }

        List<int> members = _members[best];
        members.Sort();
        Placed = members.Count;
        (int X, int Y, int Z) origin = Add(_offset[members[0]], SingleCableShift(members));
        foreach (int member in members)
        {
            (int x, int y, int z) = Subtract(_offset[member], origin);
            Coordinates[member] = new Coordinate((ushort)x, (ushort)y, (ushort)z);
        }
    }

    /// <summary>With one cable on an axis of size 2, the server that uses its + link is 0: there the lowest identity
    /// may be 1. Cables between ports of one name say nothing of that.</summary>
    private (int X, int Y, int Z) SingleCableShift(List<int> members)
    {
        Span<int> shift = stackalloc int[3];
        for (int axis = 0; axis < 3 && !_shape.ParallelCables; axis++)
        {
            if (_shape[axis] != 2)
            {
                continue;
            }

            int votes = 0;
            foreach (int member in members)
            {
                Link plus = Links.Of(axis, 1);
                int peer = Next(member, plus);
                if (peer >= 0 && !_isEitherWay[(member * Links.Cables) + (int)plus] && Root(peer) == Root(member))
                {
                    votes += Component(_offset[member], axis) == Component(_offset[members[0]], axis) ? 1 : -1;
                }
            }

            shift[axis] = votes < 0 ? 1 : 0;
        }

        return (shift[0], shift[1], shift[2]);
    }

    private static int Component((int X, int Y, int Z) offset, int axis) =>
        axis switch
        {
            0 => offset.X,
            1 => offset.Y,
            _ => offset.Z,
        };

    private (int X, int Y, int Z) Add((int X, int Y, int Z) a, (int X, int Y, int Z) b) =>
        ((a.X + b.X) % _shape.X, (a.Y + b.Y) % _shape.Y, (a.Z + b.Z) % _shape.Z);

    private (int X, int Y, int Z) Subtract((int X, int Y, int Z) a, (int X, int Y, int Z) b) =>
        ((a.X - b.X + _shape.X) % _shape.X, (a.Y - b.Y + _shape.Y) % _shape.Y, (a.Z - b.Z + _shape.Z) % _shape.Z);
}
