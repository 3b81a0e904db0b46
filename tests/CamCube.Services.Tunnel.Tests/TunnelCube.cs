using CamCube.Runtime.Services;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Simulator.Settings;
using CamCube.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>A test cube with the tunnel, and a fake card, on every server.</summary>
internal sealed class TunnelCube : IDisposable
{
    private readonly FakeCards[] _cards;

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
        _cards = [.. Enumerable.Range(0, x * y * z).Select(_ => new FakeCards())];
        Cube = new TestCube(x, y, z, simulator);
        TorusShape shape = Cube.Shape;
        Cube.Add(
            ServiceDefinition.Of(a => new TunnelService(
                a.Server,
                Options,
                a.Dependency<TunnelFloodService>(),
                _cards[shape.RankOf(a.Server.Coordinate)],
                NullLogger.Instance
            ))
        );
        Cube.Add(
            ServiceDefinition.Of(a => new TunnelFloodService(
                a.Server,
                flood ?? new TunnelFloodOptions(),
                a.Dependency<TunnelService>()
            ))
        );
        Cube.Advance(TimeSpan.FromMilliseconds(100));
    }

    public TestCube Cube { get; }

    public TunnelOptions Options { get; }

    public TorusShape Shape => Cube.Shape;

    public TunnelAddresses Addresses => this[0].Addresses;

    public TunnelService this[int rank] => Cube[rank].Service<TunnelService>();

    public TunnelService this[Coordinate server] => Cube[server].Service<TunnelService>();

    /// <summary>What sends to all of a server.</summary>
    public TunnelFloodService FloodOf(int rank) => Cube[rank].Service<TunnelFloodService>();

    /// <summary>What makes a server's card.</summary>
    public FakeCards CardsOf(int rank) => _cards[rank];

    /// <summary>A server's card.</summary>
    public FakeCard CardOf(Coordinate server) => _cards[Shape.RankOf(server)].Card!;

    /// <summary>A server's card.</summary>
    public FakeCard CardOf(int rank) => _cards[rank].Card!;

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
