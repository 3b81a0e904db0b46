namespace CamCube.Services.Tunnel.Wire;

/// <summary>Which run of a service a packet is of, in 16 bits: numbers of packets begin anew in each.</summary>
internal static class TunnelRun
{
    // Odd: so all low bits of an incarnation count, and many starts fit between one and the next.
    private const ulong Step = 0x9E37;

    /// <summary>The next run of a service on its server. One that begins anew within one run of the server begins its
    /// numbers anew, and counters outlive it. The next run of a server whose clock is behind is only one
    /// more.</summary>
    /// <param name="server">The server.</param>
    /// <param name="starts">Counts them.</param>
    public static ushort Begin(IServer server, Counter starts)
    {
        ushort run = (ushort)((server.Incarnation * Step) + (ulong)starts.Value);
        starts.Add();
        return run;
    }
}
