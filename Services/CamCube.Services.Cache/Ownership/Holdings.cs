using CamCube.Services.Cache.Store;
using CamCube.Topology;

namespace CamCube.Services.Cache.Ownership;

/// <summary>
/// For which keys this server is root, and since when. A value is only ever found during the time as root in which it
/// was stored: whenever a key may have had another root, its holding ends, and a later time as root begins with a new,
/// empty one (docs/cache.md, "Whose keys"). So fail A, set at B, return A, set at A, fail A again, get at B cannot give
/// B's old value, however late memory is given back. Loop only.
/// </summary>
/// <param name="server">The service's server.</param>
/// <param name="store">Its items.</param>
/// <param name="takeoverNanos">How long it waits before it answers for keys of a lost server.</param>
/// <param name="leaseNanos">How long it then waits before it changes items, for copies that it does not know
/// of.</param>
internal sealed class Holdings(IServer server, ItemStore store, long takeoverNanos, long leaseNanos)
{
    // How long a request waits that came while this server had no keys yet, or no majority.
    private static readonly long RecheckNanos = (long)TimeSpan.FromMilliseconds(20).TotalNanoseconds;
    private readonly ReplicaSequences _sequences = ReplicaSequences.For(server.Shape);
    private readonly Dictionary<int, Holding> _foreign = [];
    private readonly List<Holding> _inOrder = [];
    private Holding _own = new(server.Coordinate, 0, 0, 0);
    private long _foreignReadyNanos;

    /// <summary>Holdings of other homes' keys.</summary>
    public int ForeignCount => _inOrder.Count;

    /// <summary>Whether this server may answer for a key now; if so the holding, if not how long to wait before it
    /// makes sense to ask again.</summary>
    public Readiness Check(Key memId, bool changes, out Holding? holding, out long waitNanos)
    {
        holding = null;
        waitNanos = RecheckNanos;
        if (!server.Topology.HasMajority)
        {
            return Readiness.NoMajority;
        }

        if (!server.Topology.IsRoot(memId))
        {
            return Readiness.NotRoot;
        }

        if (!server.Topology.HasKeys)
        {
            return Readiness.NotYet;
        }

        Coordinate home = memId.HomeIn(server.Shape);
        Holding found = home == server.Coordinate ? _own : Foreign(home, ReplicaSequences.IndexOf(memId.Route));
        waitNanos = (changes ? found.ChangesNanos : found.ReadyNanos) - server.NowNanos;
        if (waitNanos > 0)
        {
            return Readiness.NotYet;
        }

        holding = found;
        return Readiness.Ready;
    }

    /// <summary>A change of the view. Work in proportion to the classes of other homes' keys, not to items.</summary>
    public void OnTopologyChanged(in TopologyChange change)
    {
        switch (change.Event)
        {
            case TopologyEvent.KeysTaken:
                _foreignReadyNanos = server.NowNanos + takeoverNanos;
                AwaitCopies();
                break;
            case TopologyEvent.ServerLost:
                // Whatever classes came with it, nobody may answer for them before the server that had them can have
                // noticed.
                _foreignReadyNanos = server.NowNanos + takeoverNanos;
                break;
            case TopologyEvent.ServerReturned:
                EndBefore(change.Server);
                break;
            case TopologyEvent.KeysSuspended:
                EndAll();
                break;
        }
    }

    /// <summary>Roots of this server's own keys, or an earlier run of this service, may just have given
    /// copies.</summary>
    public void AwaitCopies()
    {
        long changesNanos = leaseNanos == 0 ? 0 : server.NowNanos + takeoverNanos + leaseNanos;
        _own = new Holding(server.Coordinate, 0, _own.ReadyNanos, changesNanos) { Group = _own.Group };
    }

    /// <summary>Ends everything: no value stored before is found any more. For a server whose keys others may have
    /// had.</summary>
    public void EndAll()
    {
        store.End(_own.Group);
        _own = new Holding(server.Coordinate, 0, 0, _own.ChangesNanos);
        foreach (Holding holding in _inOrder)
        {
            store.End(holding.Group);
        }

        _inOrder.Clear();
        _foreign.Clear();
    }

    /// <summary>flush_all: no value is found any more, and everything else stays as it is.</summary>
    public void Empty()
    {
        Empty(_own);
        foreach (Holding holding in _inOrder)
        {
            Empty(holding);
        }
    }

    private void Empty(Holding holding)
    {
        store.End(holding.Group, isFlush: true);
        holding.Group = new ItemGroup();
    }

    private Holding Foreign(Coordinate home, int sequence)
    {
        int id = (server.Shape.RankOf(home) * ReplicaSequences.Count) + sequence;
        if (!_foreign.TryGetValue(id, out Holding? holding))
        {
            holding = new Holding(home, sequence, _foreignReadyNanos, _foreignReadyNanos + leaseNanos);
            _foreign.Add(id, holding);
            _inOrder.Add(holding);
        }

        return holding;
    }

    // A server that returned takes the classes in whose sequence it comes before this one. That is decided by the
    // sequence and not by asking who is root now: the view may be a step ahead of its notices.
    private void EndBefore(Coordinate returned)
    {
        for (int i = _inOrder.Count - 1; i >= 0; i--)
        {
            Holding holding = _inOrder[i];
            if (ComesFirst(holding, returned))
            {
                store.End(holding.Group);
                _foreign.Remove((server.Shape.RankOf(holding.Home) * ReplicaSequences.Count) + holding.Sequence);
                _inOrder.RemoveAt(i);
            }
        }
    }

    private bool ComesFirst(Holding holding, Coordinate returned)
    {
        foreach (ushort offset in _sequences.Offsets(holding.Sequence))
        {
            Coordinate at = _sequences.ServerAt(holding.Home, offset);
            if (at == returned)
            {
                return true;
            }

            if (at == server.Coordinate)
            {
                return false;
            }
        }

        return true;
    }
}
