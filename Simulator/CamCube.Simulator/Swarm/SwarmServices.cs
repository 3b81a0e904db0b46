namespace CamCube.Simulator.Swarm;

/// <summary>Names of the services that a swarm run itself knows.</summary>
public static class SwarmServices
{
    /// <summary>Packets to random keys, checked for where they end.</summary>
    public const string Keys = "keys";

    /// <summary>Questions from server to server, checked for their answers.</summary>
    public const string Pings = "pings";

    /// <summary>In the place of <see cref="Keys"/>: the same with a planted bug, which a run must find. For tests;
    /// never drawn.</summary>
    public const string Canary = "canary";
}
