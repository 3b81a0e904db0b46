using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Experiments.Tunnels;

/// <summary>A cube in virtual time whose servers have each a machine behind a card of the tunnel.</summary>
internal interface ITunnelMachines
{
    /// <summary>Virtual time in nanoseconds.</summary>
    long NowNanos { get; }

    /// <summary>Who has which address.</summary>
    TunnelAddresses Addresses { get; }

    /// <summary>A server's card.</summary>
    SimulatedCard CardOf(Coordinate server);
}
