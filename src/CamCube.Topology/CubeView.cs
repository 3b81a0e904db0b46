using System.Runtime.CompilerServices;

namespace CamCube.Topology;

/// <summary>
/// The cube as one server knows it: what each server last said about itself (<see cref="CubeEntry"/>), and what
/// follows: who reaches whom, by which links, and who is root of which key (HPDC §3.2, §3.3). A cable works only if
/// both its ends say so. Its content never changes; answers that need a search are computed once per view and kept.
/// Queries allocate nothing in steady state. While all cables work, next hops are arithmetic; after failures only
/// destinations whose arithmetic is wrong get a table. For one thread, or one <see cref="CubeViewCache"/>. Coordinates
/// must lie in the shape.
/// </summary>
public sealed class CubeView
{
    private readonly TorusPlan _plan;
    private readonly byte[] _bits;
    private readonly CubeEntry[] _entries;
    private readonly LiveGraph _graph;
    private (ulong[] Reachable, ulong[] Live)[]? _sets;

    private CubeView(
        TorusPlan plan,
        bool isCommissioned,
        byte[] bits,
        CubeEntry[] entries,
        LiveGraph graph,
        ulong digest
    )
    {
        (_plan, IsCommissioned, _bits, _entries, _graph, Digest) = (plan, isCommissioned, bits, entries, graph, digest);
        IsWhole = bits.AsSpan().SequenceEqual(plan.WholeBits);
    }

    /// <summary>The shape.</summary>
    public TorusShape Shape => _plan.Shape;

    /// <summary>
    /// True: a server without an entry is taken to be as planned, with its keys. False: it is taken to be absent.
    /// </summary>
    public bool IsCommissioned { get; }

    /// <summary>
    /// Whether all planned cables work and all servers have their keys: then everything is arithmetic.
    /// </summary>
    public bool IsWhole { get; }

    /// <summary>Equal for views of equal content, and different for others but for an accident of 1 in 2^64.</summary>
    public ulong Digest { get; }

    /// <summary>
    /// What servers said that changed anything, in rank order: the database that neighbours exchange.
    /// </summary>
    public ReadOnlySpan<CubeEntry> Entries => _entries;

    /// <summary>Digest of <see cref="Commissioned"/>.</summary>
    internal ulong CommissionedDigest => IsCommissioned ? Digest : Digest ^ _plan.SeedOf(false) ^ _plan.SeedOf(true);

    /// <summary>All planned cables up, all servers with their keys, no entries.</summary>
    public static CubeView Whole(TorusShape shape)
    {
        TorusPlan plan = TorusPlan.For(shape);
        return new CubeView(plan, true, plan.WholeBits.ToArray(), [], plan.Whole, plan.SeedOf(true));
    }

    /// <summary>Nothing is known: no cable is up, no server has keys.</summary>
    public static CubeView Empty(TorusShape shape)
    {
        TorusPlan plan = TorusPlan.For(shape);
        LiveGraph graph = plan.GraphOf(new byte[shape.Count]);
        return new CubeView(plan, false, new byte[shape.Count], [], graph, plan.SeedOf(false));
    }

    /// <summary>This view after the server said this; this same view if it is not newer than what is known.</summary>
    /// <exception cref="ArgumentException">The entry does not fit the shape.</exception>
    public CubeView With(CubeEntry entry) => With(new ReadOnlySpan<CubeEntry>(in entry));

    /// <summary>This view after all of these; of several entries of one server the newest counts.</summary>
    /// <exception cref="ArgumentException">An entry does not fit the shape.</exception>
    public CubeView With(ReadOnlySpan<CubeEntry> entries)
    {
        CubeEntry[] news = NewsOf(entries);
        return news.Length == 0 ? this : WithNews(news, DigestWith(news));
    }

    /// <summary>This view with servers without an entry taken as planned, with their keys.</summary>
    public CubeView Commissioned()
    {
        if (IsCommissioned)
        {
            return this;
        }

        byte[] bits = _plan.WholeBits.ToArray();
        foreach (CubeEntry entry in _entries)
        {
            bits[Shape.RankOf(entry.Server)] = entry.Bits;
        }

        var live = new byte[bits.Length];
        for (int rank = 0; rank < live.Length; rank++)
        {
            live[rank] = _plan.LiveLinks(bits, rank);
        }

        return new CubeView(_plan, true, bits, _entries, _plan.GraphOf(live), CommissionedDigest);
    }

    /// <summary>What a server last said; sequence 0 if it is not known to have said anything.</summary>
    public CubeEntry EntryOf(Coordinate server)
    {
        int place = EntryList.PlaceOf(_entries, Shape, Shape.RankOf(server));
        return place >= 0 ? _entries[place] : new CubeEntry(server, 0, 0, _bits[Shape.RankOf(server)]);
    }

    /// <summary>The links of a server that work: both ends say so.</summary>
    public LinkSet LiveLinks(Coordinate server) => new(_graph.Live[Shape.RankOf(server)]);

    /// <summary>Whether a live path leads from one server to the other. Each reaches itself.</summary>
    public bool IsReachable(Coordinate from, Coordinate to) =>
        _graph.ComponentOf(Shape.RankOf(from)) == _graph.ComponentOf(Shape.RankOf(to));

    /// <summary>Servers with a live path from this one, itself included.</summary>
    public int ReachableCount(Coordinate from) => _graph.ReachableCount(Shape.RankOf(from));

    /// <summary>
    /// Whether a server reaches more than half of all servers, or exactly half with rank 0 among them.
    /// </summary>
    public bool HasMajority(Coordinate from)
    {
        int twice = 2 * ReachableCount(from);
        return twice > Shape.Count || (twice == Shape.Count && IsReachable(from, default));
    }

    /// <summary>
    /// Whether a server counts for keys as seen from another: reachable and with its keys; while no reachable server
    /// has keys: reachable.
    /// </summary>
    public bool IsLive(Coordinate from, Coordinate server) => IsWhole || Contains(LiveSet(from), Shape.RankOf(server));

    /// <summary>Servers that were live in an earlier view and are not in this one, as seen from a server.</summary>
    public ServerDifference LostSince(CubeView earlier, Coordinate from) =>
        new(Shape, earlier.LiveSet(from), LiveSet(from));

    /// <summary>Servers that are live in this view and were not in an earlier one, as seen from a server.</summary>
    public ServerDifference ReturnedSince(CubeView earlier, Coordinate from) =>
        new(Shape, LiveSet(from), earlier.LiveSet(from));

    /// <summary>Servers that could be reached in an earlier view, were not live there, and cannot be reached in this
    /// one, as seen from a server.</summary>
    public ServerDifference UnreachableSince(CubeView earlier, Coordinate from) =>
        new(Shape, earlier.ReachableSet(from), ReachableSet(from), earlier.LiveSet(from));

    /// <summary>
    /// All links that begin a shortest live path; <see cref="Link.Local"/> to itself; empty if there is none.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LinkSet NextHops(Coordinate from, Coordinate to) => _graph.NextHops(from, to);

    /// <summary>The same towards a server or towards the root of a key.</summary>
    public LinkSet NextHops(Coordinate from, Destination to) =>
        _graph.NextHops(from, to.IsKey ? RootOf(to.Route, from) : to.Server);

    /// <summary>Hops of a shortest live path; −1 if there is none.</summary>
    public int HopsTo(Coordinate from, Coordinate to) => _graph.Hops(from, to);

    /// <summary>The same to a server or to the root of a key.</summary>
    public int HopsTo(Coordinate from, Destination to) =>
        _graph.Hops(from, to.IsKey ? RootOf(to.Route, from) : to.Server);

    /// <summary>
    /// The live root of a key, as seen from a server: the first live one (<see cref="IsLive"/>) of its replica
    /// sequence.
    /// </summary>
    /// <param name="route">The key's <see cref="Key.Route"/>.</param>
    /// <param name="from">Whose view of reachability counts.</param>
    public Coordinate RootOf(ulong route, Coordinate from)
    {
        Coordinate home = Key.HomeOf(route, Shape);
        if (IsWhole)
        {
            return home;
        }

        ulong[] live = LiveSet(from);
        if (Contains(live, Shape.RankOf(home)))
        {
            return home;
        }

        ReplicaSequences sequences = _plan.Sequences;
        foreach (ushort offset in sequences.Offsets(ReplicaSequences.IndexOf(route)))
        {
            Coordinate server = sequences.ServerAt(home, offset);
            if (Contains(live, Shape.RankOf(server)))
            {
                return server;
            }
        }

        // A server always reaches itself, so some server is live.
        throw new InvalidOperationException($"No server of {Shape} is live as seen from {from}.");
    }

    /// <summary>
    /// GetServersForKey (HPDC §3.2): the live servers of the key's replica sequence, root first, into <paramref
    /// name="servers"/>. Returns how many.
    /// </summary>
    public int GetServersForKey(ulong route, Coordinate from, Span<Coordinate> servers)
    {
        if (servers.IsEmpty)
        {
            return 0;
        }

        Coordinate home = Key.HomeOf(route, Shape);
        ReplicaSequences sequences = _plan.Sequences;
        ulong[] live = LiveSet(from);
        int found = 0;
        foreach (ushort offset in sequences.Offsets(ReplicaSequences.IndexOf(route)))
        {
            Coordinate server = sequences.ServerAt(home, offset);
            if (Contains(live, Shape.RankOf(server)))
            {
                servers[found++] = server;
                if (found == servers.Length)
                {
                    break;
                }
            }
        }

        return found;
    }

    /// <summary>Whether two views say the same, versions included.</summary>
    public bool HasSameContent(CubeView other) => ReferenceEquals(this, other) || Digest == other.Digest;

    /// <summary>Those of the entries that are news to this view, one per server, in rank order.</summary>
    internal CubeEntry[] NewsOf(ReadOnlySpan<CubeEntry> entries)
    {
        var news = new List<CubeEntry>(entries.Length);
        foreach (CubeEntry entry in entries)
        {
            if (!entry.Fits(Shape))
            {
                throw new ArgumentException($"{entry} is not what a server of {Shape} can say.", nameof(entries));
            }

            if (entry.IsNewerThan(EntryOf(entry.Server)))
            {
                news.Add(entry);
            }
        }

        return EntryList.NewestOfEach(news, Shape);
    }

    /// <summary>
    /// Digest of the view with news from <see cref="NewsOf"/>: the view itself need not be made to look it up.
    /// </summary>
    internal ulong DigestWith(ReadOnlySpan<CubeEntry> news)
    {
        ulong digest = Digest;
        foreach (CubeEntry entry in news)
        {
            CubeEntry old = EntryOf(entry.Server);
            digest ^= entry.Hash() ^ (old.Sequence == 0 ? 0 : old.Hash());
        }

        return digest;
    }

    internal CubeView WithNews(CubeEntry[] news, ulong digest)
    {
        byte[] bits = [.. _bits];
        foreach (CubeEntry entry in news)
        {
            bits[Shape.RankOf(entry.Server)] = entry.Bits;
        }

        byte[]? live = null;
        foreach (CubeEntry entry in news)
        {
            int rank = Shape.RankOf(entry.Server);
            Mend(bits, rank, ref live);
            foreach (Link link in new LinkSet(_plan.Cabled[rank]))
            {
                Mend(bits, _plan.Neighbour(rank, (int)link), ref live);
            }
        }

        LiveGraph graph = live is null ? _graph : _plan.GraphOf(live);
        return new CubeView(_plan, IsCommissioned, bits, EntryList.Merge(_entries, news, Shape), graph, digest);
    }

    private static bool Contains(ulong[] set, int rank) => (set[rank >> 6] >> rank & 1) != 0;

    private void Mend(byte[] bits, int rank, ref byte[]? live)
    {
        byte now = _plan.LiveLinks(bits, rank);
        if (now != _graph.Live[rank])
        {
            live ??= _graph.Live.ToArray();
            live[rank] = now;
        }
    }

    // One set per component, made when somebody in it asks: in most views one component has nearly all servers.
    private ulong[] LiveSet(Coordinate from) => SetsOf(from).Live;

    private ulong[] ReachableSet(Coordinate from) => SetsOf(from).Reachable;

    private (ulong[] Reachable, ulong[] Live) SetsOf(Coordinate from)
    {
        int component = _graph.ComponentOf(Shape.RankOf(from));
        _sets ??= new (ulong[], ulong[])[_graph.IsWhole ? 1 : Shape.Count];
        ref (ulong[] Reachable, ulong[] Live) sets = ref _sets[component];
        if (sets.Live is null)
        {
            sets = FindSets(component);
        }

        return sets;
    }

    private (ulong[] Reachable, ulong[] Live) FindSets(int component)
    {
        var reachable = new ulong[(Shape.Count + 63) / 64];
        var live = new ulong[reachable.Length];
        ulong any = 0;
        for (int rank = 0; rank < _bits.Length; rank++)
        {
            if (_graph.ComponentOf(rank) == component)
            {
                ulong keys = (ulong)(_bits[rank] & CubeEntry.KeysBit) / CubeEntry.KeysBit;
                reachable[rank >> 6] |= 1UL << rank;
                live[rank >> 6] |= keys << rank;
                any |= keys;
            }
        }

        return (reachable, any == 0 ? reachable : live);
    }
}
