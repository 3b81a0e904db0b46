namespace CamCube.Services.Tunnel.Sending;

/// <summary>Settings of CoDel. Immutable.</summary>
/// <param name="TargetNanos">How long packets may wait always.</param>
/// <param name="IntervalNanos">How long they may wait longer before anything is done.</param>
/// <param name="LeastBytes">With no more behind it no packet is too late: a queue of one packet is none.</param>
internal sealed record CodelTerms(long TargetNanos, long IntervalNanos, int LeastBytes)
{
    /// <summary>Those of a server.</summary>
    public static CodelTerms Of(IServer server, TunnelOptions options) =>
        new(
            (long)options.QueueTarget.TotalNanoseconds,
            (long)options.QueueInterval.TotalNanoseconds,
            server.Packets.MaxPayload + Packet.FrameOverhead
        );
}
