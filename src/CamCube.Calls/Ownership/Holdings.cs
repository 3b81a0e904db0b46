using CamCube.Topology;

namespace CamCube.Calls;

/// <summary>
/// For which keys this server is root, and since when. A value is only ever found during the time as root in which it
/// was stored: whenever a key may have had another root, its holding ends, and a later time as root begins with a new,
/// empty one (docs/cache.md, "Whose keys"). So fail A, set at B, return A, set at A, fail A again, get at B cannot give
/// B's old value, however late memory is given back. The service calls <see cref="OnTopologyChanged"/> from its own
/// callback, and <see cref="EndAll"/> before it takes keys again. Loop only.
/// </summary>
/// <typeparam name="THeld">What is held for a class of keys: a class, made and ended by the service.</typeparam>
public sealed class Holdings<THeld>
    where THeld : class
{
    // How long a request waits that came while this server had no keys yet, or no majority.
    private static readonly long RecheckNanos = (long)TimeSpan.FromMilliseconds(20).TotalNanoseconds;
    private readonly IServer _server;
    private readonly IHeld<THeld> _held;
    private readonly long _takeoverNanos;
    private readonly long _leaseNanos;
    private readonly ReplicaSequences _sequences;
    private readonly Dictionary<int, Holding<THeld>> _foreign = [];
    private readonly List<Holding<THeld>> _inOrder = [];
    private Holding<THeld> _own;
    private long _foreignReadyNanos;

    /// <summary>The holdings of one service on one server.</summary>
    /// <param name="server">The service's server.</param>
    /// <param name="held">Makes and ends what is held.</param>
    /// <param name="takeoverNanos">How long it waits before it answers for keys of a lost server.</param>
    /// <param name="leaseNanos">How long it then waits before it changes something, for what an earlier root gave and
    /// this one does not know of; 0: nothing is given.</param>
    public Holdings(IServer server, IHeld<THeld> held, long takeoverNanos, long leaseNanos)
    {
        (_server, _held, _takeoverNanos, _leaseNanos) = (server, held, takeoverNanos, leaseNanos);
        _sequences = ReplicaSequences.For(server.Shape);
        _own = new Holding<THeld>(server.Coordinate, 0, 0, 0, held.Begin());
    }

    /// <summary>Holdings of other homes' keys.</summary>
    public int ForeignCount => _inOrder.Count;

    /// <summary>Whether this server may answer for a key now; if so the holding, if not how long to wait before it
    /// makes sense to ask again.</summary>
    public Readiness Check(Key memId, bool changes, out Holding<THeld>? holding, out long waitNanos)
    {
        holding = null;
        waitNanos = RecheckNanos;
        if (!_server.Topology.HasMajority)
        {
            return Readiness.NoMajority;
        }

        if (!_server.Topology.IsRoot(memId))
        {
            return Readiness.NotRoot;
        }

        if (!_server.Topology.HasKeys)
        {
            return Readiness.NotYet;
        }

        Coordinate home = memId.HomeIn(_server.Shape);
        Holding<THeld> found = home == _server.Coordinate ? _own : Foreign(home, ReplicaSequences.IndexOf(memId.Route));
        waitNanos = (changes ? found.ChangesNanos : found.ReadyNanos) - _server.NowNanos;
        if (waitNanos > 0)
        {
            return Readiness.NotYet;
        }

        holding = found;
        return Readiness.Ready;
    }

    /// <summary>A change of the view. Work in proportion to the classes of other homes' keys, not to what is
    /// held.</summary>
    public void OnTopologyChanged(in TopologyChange change)
    {
        switch (change.Event)
        {
            case TopologyEvent.KeysTaken:
                _foreignReadyNanos = _server.NowNanos + _takeoverNanos;
                AwaitLeases();
                break;
            case TopologyEvent.ServerLost:
                // Whatever classes came with it, nobody may answer for them before the server that had them can have
                // noticed.
                _foreignReadyNanos = _server.NowNanos + _takeoverNanos;
                break;
            case TopologyEvent.ServerReturned:
                EndBefore(change.Server);
                break;
            case TopologyEvent.KeysSuspended:
                EndAll();
                break;
        }
    }

    /// <summary>Roots of this server's own keys, or an earlier run of this service, may just have given something that
    /// lasts for the lease.</summary>
    public void AwaitLeases()
    {
        long changesNanos = _leaseNanos == 0 ? 0 : _server.NowNanos + _takeoverNanos + _leaseNanos;
        _own = new Holding<THeld>(_server.Coordinate, 0, _own.ReadyNanos, changesNanos, _own.Held);
    }

    /// <summary>Ends everything: no value stored before is found any more. For a server whose keys others may have
    /// had.</summary>
    public void EndAll()
    {
        _held.End(_own.Held, isEmptied: false);
        _own = new Holding<THeld>(_server.Coordinate, 0, 0, _own.ChangesNanos, _held.Begin());
        foreach (Holding<THeld> holding in _inOrder)
        {
            _held.End(holding.Held, isEmptied: false);
        }

        _inOrder.Clear();
        _foreign.Clear();
    }

    /// <summary>Nothing that is held is found any more, and everything else stays as it is.</summary>
    public void Empty()
    {
        EmptyOne(_own);
        foreach (Holding<THeld> holding in _inOrder)
        {
            EmptyOne(holding);
        }
    }

    private void EmptyOne(Holding<THeld> holding)
    {
        _held.End(holding.Held, isEmptied: true);
        holding.Held = _held.Begin();
    }

    private Holding<THeld> Foreign(Coordinate home, int sequence)
    {
        int id = (_server.Shape.RankOf(home) * ReplicaSequences.Count) + sequence;
        if (!_foreign.TryGetValue(id, out Holding<THeld>? holding))
        {
            long changesNanos = _foreignReadyNanos + _leaseNanos;
            holding = new Holding<THeld>(home, sequence, _foreignReadyNanos, changesNanos, _held.Begin());
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
            Holding<THeld> holding = _inOrder[i];
            if (ComesFirst(holding, returned))
            {
                _held.End(holding.Held, isEmptied: false);
                _foreign.Remove((_server.Shape.RankOf(holding.Home) * ReplicaSequences.Count) + holding.Sequence);
                _inOrder.RemoveAt(i);
            }
        }
    }

    private bool ComesFirst(Holding<THeld> holding, Coordinate returned)
    {
        foreach (ushort offset in _sequences.Offsets(holding.Sequence))
        {
            Coordinate at = _sequences.ServerAt(holding.Home, offset);
            if (at == returned)
            {
                return true;
            }

            if (at == _server.Coordinate)
            {
                return false;
            }
        }

        return true;
    }
}
