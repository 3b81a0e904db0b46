using CamCube.Runtime;
using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Checkers;

/// <summary>
/// Notes every change of a server's view or keys, at the server's own time. Kept per server, because a cube may be
/// driven by several threads; taken between advances, in the order of time.
/// </summary>
internal sealed class ClaimHistory : IServerEvents
{
    private readonly TorusShape _shape;
    private readonly List<Claim>[] _byServer;
    private readonly List<string>[] _faults;
    private SimulatedCube? _cube;

    public ClaimHistory(TorusShape shape)
    {
        _shape = shape;
        _byServer = new List<Claim>[shape.Count];
        _faults = new List<string>[shape.Count];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            (_byServer[rank], _faults[rank]) = ([], []);
        }
    }

    /// <summary>Services that threw, in words.</summary>
    public IEnumerable<string> Faults => _faults.SelectMany(f => f);

    /// <summary>The cube has started.</summary>
    public void Attach(SimulatedCube cube)
    {
        _cube = cube;
        for (int rank = 0; rank < _shape.Count; rank++)
        {
            Note(rank);
        }
    }

    /// <summary>A server was started.</summary>
    public void Started(int rank) => Note(rank);

    /// <summary>A server was stopped.</summary>
    public void Stopped(int rank, long nanos) => _byServer[rank].Add(new Claim(nanos, rank, null, false));

    /// <summary>All since the last time, by time and then rank; those of one server in their order.</summary>
    public List<Claim> Take()
    {
        var all = new List<Claim>();
        foreach (List<Claim> claims in _byServer)
        {
            all.AddRange(claims);
            claims.Clear();
        }

        // A stable sort: what a server did within one nanosecond keeps its order.
        return [.. all.OrderBy(c => c.Nanos)];
    }

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change) => Note(_shape.RankOf(server));

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        _faults[_shape.RankOf(server)].Add($"{service} at {server}: {exception}");

    void IServerEvents.ServiceRestarted(Coordinate server, string service) { }

    private void Note(int rank)
    {
        // Events of the cube's own construction are part of the first snapshot.
        if (_cube is not null && _cube.IsRunning(rank))
        {
            ServerRuntime server = _cube.Running(rank);
            _byServer[rank]
                .Add(new Claim(Math.Max(server.Now, _cube.NowNanos), rank, server.Router.View, server.Router.HasKeys));
        }
    }
}
