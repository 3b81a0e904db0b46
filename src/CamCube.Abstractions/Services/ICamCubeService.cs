namespace CamCube;

/// <summary>
/// A service: one instance per server, made by the host through its constructor, whose parameters say all it needs:
/// <see cref="IServer"/>, an options class, <c>ILogger</c>, <see cref="Dependency{T}"/> for other local services (HPDC
/// §3.1). Nearly everybody derives from <see cref="CamCubeService"/>; the interface is what the host looks for.
/// Every member is called on the server's loop, never two at a time, and must not block. A thrown exception is a fault
/// of this service on this server: it is counted, logged, and treated as <see cref="CamCubeServiceAttribute.OnFault"/>
/// says, all it obtained from <see cref="IServer"/> is taken back, and everybody else goes on.
/// </summary>
public interface ICamCubeService
{
    /// <summary>
    /// A packet of this service is here: at a hop on its way, or at its end (HPDC §2.1). Not called at the origin of a
    /// send. The packet is lent for the call; the verdict says whose it is afterwards.
    /// </summary>
    Verdict OnPacket(in HopContext hop, Packet packet);

    /// <summary>Once, before any packet. Work that takes time is started with <see cref="IServerLoop.Run"/>.</summary>
    void OnStart() { }

    /// <summary>
    /// The server is about to stop in order: hand over what others can go on with, write what the next start reads. The
    /// service still runs, is called and can send; the stop waits for the task of every service, at most
    /// <c>CamCube:StopTimeout</c>, and then comes <see cref="OnStop"/>. Not called before any other end (a fault, a
    /// removal, a restart of the service, a killed process, a power failure): whoever needs it to be right has a
    /// mistake.
    /// </summary>
    ValueTask OnStoppingAsync() => ValueTask.CompletedTask;

    /// <summary>Before the end. Packets still held afterwards are reclaimed.</summary>
    void OnStop(StopReason reason) { }

    /// <summary>This server's view changed; called after the view changed, one change at a time (NSDI §4.2).</summary>
    void OnTopologyChanged(in TopologyChange change) { }

    /// <summary>
    /// This server is about to take its keys (back): after a start, or after it was cut off from the majority of the
    /// cube. The hand-over waits for the task, at most its own return time or <c>CamCube:Liveness:ReturnTimeout</c>;
    /// keys stay with their stand-ins until then. A service that kept state from before drops or refreshes it here.
    /// </summary>
    ValueTask OnReturningAsync() => ValueTask.CompletedTask;
}
