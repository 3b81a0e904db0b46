using CamCube.Runtime.Services;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>A test cube with the tunnel, and a card that is no device, on every server.</summary>
internal sealed class TunnelCube : ITunnelMachines, IDisposable
{
    private readonly SimulatedCards[] _cards;

    public TunnelCube(
        int x,
        int y,
        int z,
        TunnelOptions? options = null,
        SimulatorOptions? simulator = null,
        TunnelFloodOptions? flood = null
    )
    {
        Options = options ?? new TunnelOptions();
        _cards = [.. Enumerable.Range(0, x * y * z).Select(_ => new SimulatedCards())];
        Cube = new TestCube(x, y, z, simulator);
        foreach (ServiceDefinition service in TunnelServices.With(Cube.Shape, _cards, Options, flood))
        {
            Cube.Add(service);
        }

        Cube.Advance(TimeSpan.FromMilliseconds(100));
    }

    public TestCube Cube { get; }

    public TunnelOptions Options { get; }

    public TorusShape Shape => Cube.Shape;

    public long NowNanos => Cube.NowNanos;

    public TunnelAddresses Addresses => this[0].Addresses;

    public TunnelService this[int rank] => Cube[rank].Service<TunnelService>();

    public TunnelService this[Coordinate server] => Cube[server].Service<TunnelService>();

    /// <summary>What sends to all of a server.</summary>
    public TunnelFloodService FloodOf(int rank) => Cube[rank].Service<TunnelFloodService>();

    /// <summary>What makes a server's card.</summary>
    public SimulatedCards CardsOf(int rank) => _cards[rank];

    /// <summary>A server's card.</summary>
    public SimulatedCard CardOf(Coordinate server) => _cards[Shape.RankOf(server)].Card!;

    /// <summary>A server's card.</summary>
    public SimulatedCard CardOf(int rank) => _cards[rank].Card!;

    /// <summary>Ends a test: nothing waits anywhere.</summary>
    public void AssertNothingLeft()
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(1));
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            if (Cube[rank].IsRunning)
            {
                Assert.Equal((0, 0), this[rank].Waiting);
            }
        }

        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();
}
