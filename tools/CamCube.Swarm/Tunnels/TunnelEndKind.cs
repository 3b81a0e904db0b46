namespace CamCube.Swarm.Tunnels;

/// <summary>Where a machine stands that sends datagrams of a swarm run, or gets them.</summary>
internal enum TunnelEndKind
{
    /// <summary>At a server of the cube.</summary>
    Server = 0,

    /// <summary>All of them.</summary>
    All = 1,

    /// <summary>Behind the bridge.</summary>
    Bridged = 2,

    /// <summary>In another network, to which gateways lead.</summary>
    Beyond = 3,
}
