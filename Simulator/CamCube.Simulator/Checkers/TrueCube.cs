using CamCube.Topology;

namespace CamCube.Simulator.Checkers;

/// <summary>
/// The cube as it really is: who runs, and which directions of which cables carry frames, as the faults say that were
/// done. What servers believe is compared with it. Distances and connected parts come from a plain breadth-first
/// search, so that a mistake in the product's own tables is not repeated here. One thread.
/// </summary>
public sealed class TrueCube
{
    private readonly bool[] _runs;
    private readonly int[] _cuts;
    private readonly int[] _peer;
    private readonly byte[] _cabled;
    private int[] _component = [];
    private int[] _sizes = [];
    private bool _isStale = true;

    /// <summary>All servers run and all cables work.</summary>
    public TrueCube(TorusShape shape)
    {
        Shape = shape;
        _runs = new bool[shape.Count];
        Array.Fill(_runs, true);
        _cuts = new int[shape.Count * Links.Cables];
        _peer = new int[shape.Count * Links.Cables];
        _cabled = new byte[shape.Count];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            _cabled[rank] = shape.CabledLinks(shape.At(rank)).Bits;
            for (int link = 0; link < Links.Cables; link++)
            {
                _peer[(rank * Links.Cables) + link] = shape.RankOf(shape.Step(shape.At(rank), (Link)link));
            }
        }
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape { get; }

    /// <summary>Servers that run.</summary>
    public int RunningCount => _runs.AsSpan().Count(true);

    /// <summary>Whether a server runs; one that is paused does.</summary>
    public bool Runs(int rank) => _runs[rank];

    /// <summary>A server was started or stopped.</summary>
    public void SetRuns(int rank, bool runs) => (_runs[rank], _isStale) = (runs, true);

    /// <summary>Cuts of one direction of a cable overlap: it works when all have been undone. Answers whether that
    /// changed anything.</summary>
    /// <param name="rank">The sender.</param>
    /// <param name="link">Its link.</param>
    /// <param name="by">+1 cuts, −1 undoes one cut.</param>
    public bool AddCut(int rank, Link link, int by)
    {
        ref int cuts = ref _cuts[(rank * Links.Cables) + (int)link];
        bool before = cuts > 0;
        cuts += by;
        ArgumentOutOfRangeException.ThrowIfNegative(cuts);
        _isStale |= before != cuts > 0;
        return before != cuts > 0;
    }

    /// <summary>Whether what this server sends on the link is lost on the cable.</summary>
    public bool IsCut(int rank, Link link) => _cuts[(rank * Links.Cables) + (int)link] > 0;

    /// <summary>The server at the other end of a link.</summary>
    public int Peer(int rank, Link link) => _peer[(rank * Links.Cables) + (int)link];

    /// <summary>Links of a server whose cables work in both directions and lead to a server that runs; none if it does
    /// not run itself.</summary>
    public LinkSet WorkingLinks(int rank)
    {
        LinkSet working = LinkSet.None;
        foreach (Link link in _runs[rank] ? new LinkSet(_cabled[rank]) : LinkSet.None)
        {
            int peer = Peer(rank, link);
            bool works = _runs[peer] && !IsCut(rank, link) && !IsCut(peer, link.Opposite());
            working |= works ? link : LinkSet.None;
        }

        return working;
    }

    /// <summary>Servers that reach one another over working cables have the same number; −1 if it does not
    /// run.</summary>
    public int ComponentOf(int rank)
    {
        Refresh();
        return _component[rank];
    }

    /// <summary>Connected parts.</summary>
    public int Components
    {
        get
        {
            Refresh();
            return _sizes.Length;
        }
    }

    /// <summary>Servers of a connected part.</summary>
    public int SizeOf(int component)
    {
        Refresh();
        return _sizes[component];
    }

    /// <summary>Whether a connected part has more than half of all servers, or exactly half with rank 0 among
    /// them.</summary>
    public bool HasMajority(int component)
    {
        int twice = 2 * SizeOf(component);
        return twice > Shape.Count || (twice == Shape.Count && _component[0] == component);
    }

    /// <summary>Whether all servers that run reach one another and are the majority.</summary>
    public bool IsOneMajority()
    {
        Refresh();
        return _sizes.Length == 1 && HasMajority(0);
    }

    /// <summary>Hops from one server to all: −1 where there is no path. By breadth-first search.</summary>
    public void Distances(int from, Span<int> hops)
    {
        hops.Fill(-1);
        if (!_runs[from])
        {
            return;
        }

        var queue = new Queue<int>();
        hops[from] = 0;
        queue.Enqueue(from);
        while (queue.TryDequeue(out int rank))
        {
            foreach (Link link in WorkingLinks(rank))
            {
                int peer = Peer(rank, link);
                if (hops[peer] < 0)
                {
                    hops[peer] = hops[rank] + 1;
                    queue.Enqueue(peer);
                }
            }
        }
    }

    /// <summary>Longest distance within any connected part.</summary>
    public int Diameter()
    {
        var hops = new int[Shape.Count];
        int most = 0;
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            Distances(rank, hops);
            foreach (int h in hops)
            {
                most = Math.Max(most, h);
            }
        }

        return most;
    }

    /// <summary>The first server of a key's replica sequence that fulfils a condition; −1 if there is none.</summary>
    /// <param name="route">The key's <see cref="Key.Route"/>.</param>
    /// <param name="counts">Whether a rank counts.</param>
    public int FirstOf(ulong route, Func<int, bool> counts)
    {
        ReplicaSequences sequences = ReplicaSequences.For(Shape);
        Coordinate home = Destination.FromWire(route, isKey: true).HomeIn(Shape);
        foreach (ushort offset in sequences.Offsets(ReplicaSequences.IndexOf(route)))
        {
            int rank = Shape.RankOf(sequences.ServerAt(home, offset));
            if (counts(rank))
            {
                return rank;
            }
        }

        return -1;
    }

    private void Refresh()
    {
        if (!_isStale)
        {
            return;
        }

        var sizes = new List<int>();
        var component = new int[Shape.Count];
        Array.Fill(component, -1);
        var hops = new int[Shape.Count];
        for (int rank = 0; rank < component.Length; rank++)
        {
            if (!_runs[rank] || component[rank] >= 0)
            {
                continue;
            }

            Distances(rank, hops);
            int size = 0;
            for (int other = 0; other < hops.Length; other++)
            {
                if (hops[other] >= 0)
                {
                    component[other] = sizes.Count;
                    size++;
                }
            }

            sizes.Add(size);
        }

        (_component, _sizes, _isStale) = (component, [.. sizes], false);
    }
}
