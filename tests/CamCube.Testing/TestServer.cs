using CamCube.Runtime.Cubes;

namespace CamCube.Testing;

/// <summary>One server of a <see cref="TestCube"/>.</summary>
/// <param name="cube">The cube.</param>
/// <param name="rank">The server's rank.</param>
public readonly struct TestServer(TestCube cube, int rank)
{
    /// <summary>Rank.</summary>
    public int Rank => rank;

    /// <summary>Place.</summary>
    public Coordinate Coordinate => cube.Shape.At(rank);

    /// <summary>Whether it runs.</summary>
    public bool IsRunning => cube.Cube.IsRunning(rank);

    /// <summary>Its gate, as front ends have it.</summary>
    public IServerGate Gate => cube.Cube.GateOf(rank);

    /// <summary>Its own view of the cube.</summary>
    public ITopologyView Topology => cube.Cube.TopologyOf(rank);

    /// <summary>Its counters.</summary>
    public ServerStatus Status => cube.Cube.StatusOf(rank);

    /// <summary>The running service that implements T.</summary>
    public T Service<T>()
        where T : class => cube.Cube.Service<T>(rank);

    /// <summary>The view of the server that this service has.</summary>
    public IServer ServerOf<T>()
        where T : class => cube.Cube.ServerOf<T>(rank);

    /// <summary>Packets it dropped for a reason.</summary>
    public long DropsOf(DropReason reason) => cube.Cube.DropsOf(rank, reason);
}
