namespace CamCube.Services.Diagnostics;

/// <summary>Ping and load of one server. Loop only; from other threads through <see cref="IServerGate"/>.</summary>
public interface IDiagnostics
{
    /// <summary>Packets of the benchmark sender that ended here.</summary>
    long LoadReceivedPackets { get; }

    /// <summary>Bytes of them, with headers.</summary>
    long LoadReceivedBytes { get; }

    /// <summary>Sends a packet with a body of this size to a server (or a key's root) and waits for it to come
    /// back.</summary>
    ValueTask<PingReply> PingAsync(Destination to, int bodyLength, TimeSpan timeout);

    /// <summary>
    /// Keeps these links busy with packets to the neighbour behind each (HPDC §4.2.1), until <see cref="StopLoad"/>. A
    /// body that does not exist in memory (virtual bytes) costs only time; simulated cables only.
    /// </summary>
    void StartLoad(LinkSet links, int bodyLength, bool isVirtual);

    /// <summary>Ends the load.</summary>
    void StopLoad();
}
