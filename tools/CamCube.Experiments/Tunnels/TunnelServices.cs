using CamCube.Runtime.Services;
using CamCube.Services.Tunnel;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.Experiments.Tunnels;

/// <summary>The tunnel's services for a simulated cube.</summary>
internal static class TunnelServices
{
    /// <summary>The tunnel, and what sends to all, with cards that are no devices.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="cards">What makes each server's card, by rank.</param>
    /// <param name="options">Settings of the tunnel.</param>
    /// <param name="flood">Of what sends to all; null: the default.</param>
    public static IReadOnlyList<ServiceDefinition> With(
        TorusShape shape,
        IReadOnlyList<SimulatedCards> cards,
        TunnelOptions options,
        TunnelFloodOptions? flood = null
    ) =>
        [
            ServiceDefinition.Of(a => new TunnelService(
                a.Server,
                options,
                a.Dependency<TunnelFloodService>(),
                cards[shape.RankOf(a.Server.Coordinate)],
                NullLogger.Instance
            )),
            ServiceDefinition.Of(a => new TunnelFloodService(
                a.Server,
                flood ?? new TunnelFloodOptions(),
                a.Dependency<TunnelService>()
            )),
        ];
}
