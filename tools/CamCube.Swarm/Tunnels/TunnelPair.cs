namespace CamCube.Swarm.Tunnels;

/// <summary>Two machines of which one must reach the other when all has been well for long.</summary>
/// <param name="From">Who sends.</param>
/// <param name="Via">Rank of the server by whose card.</param>
/// <param name="To">Whom it is for.</param>
/// <param name="At">Rank of the server at whose card it must come out; of one for all, nothing.</param>
internal sealed record TunnelPair(TunnelEnd From, int Via, TunnelEnd To, int At)
{
    /// <summary>What was sent last.</summary>
    public TunnelDatagram? Sent { get; set; }
}
