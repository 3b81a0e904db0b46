namespace CamCube;

/// <summary>
/// A service's own view of the server it runs on: one object per (server, service), so whatever is obtained here is
/// known to be the service's and is taken back when it ends. All members on the server's loop only, except
/// <see cref="Gate"/>, <see cref="Coordinate"/> and <see cref="Shape"/>.
/// </summary>
public interface IServer
{
    /// <summary>This server's place, fixed for life.</summary>
    Coordinate Coordinate { get; }

    /// <summary>Axis sizes.</summary>
    TorusShape Shape { get; }

    /// <summary>Who is alive, who is root, which links lead where: in this server's own view.</summary>
    ITopologyView Topology { get; }

    /// <summary>The step's time, constant within a callback: nanoseconds from the cluster's epoch (virtual in
    /// simulation).</summary>
    long NowNanos { get; }

    /// <summary>The same time as <see cref="NowNanos"/> for library code that takes a TimeProvider; its timers fire on
    /// the loop.</summary>
    TimeProvider TimeProvider { get; }

    /// <summary>
    /// Microseconds at which this run of the server began, larger than that of every earlier run of the same server.
    /// Whoever puts it into an id can tell answers to an earlier run from answers to this one. A real server keeps the
    /// last one in <c>CamCube:StateDirectory</c>; without that, one whose clock was set back since its last run learns
    /// it from its neighbours: it takes a larger one, and its services begin anew (<see cref="StopReason.Outdated"/>).
    /// Constant for an instance of a service.
    /// </summary>
    ulong Incarnation { get; }

    /// <summary>Cancelled when the service stops. For foreign APIs; the primitives here give results instead.</summary>
    CancellationToken Stopping { get; }

    /// <summary>The loop that the server runs in: work on it, its pauses, and a place in it.</summary>
    IServerLoop Loop { get; }

    /// <summary>The service's packets: to rent, share, take and release.</summary>
    IServerPackets Packets { get; }

    /// <summary>The service's default queue, with the configured <see cref="QueueOptions"/>.</summary>
    IOutboundQueue Queue { get; }

    /// <summary>The service's files on this server's disk.</summary>
    IServerDisk Disk { get; }

    /// <summary>Memory that the service may use: claims on the server's budget, and chunks of 4 KiB.</summary>
    IServerMemory Memory { get; }

    /// <summary>Work off the loop, on worker threads.</summary>
    IServerWork Work { get; }

    /// <summary>Random numbers: repeatable ones, and secret ones.</summary>
    IServerRandom Random { get; }

    /// <summary>The service's counters, read from outside.</summary>
    IServerCounters Counters { get; }

    /// <summary>Calls from any thread; safe to hand to front ends.</summary>
    IServerGate Gate { get; }

    /// <summary>
    /// Sends by base routing through <see cref="Queue"/> (HPDC §3.1). Takes the packet whatever the answer, so an
    /// ignored answer leaks nothing. Who must be certain asks <see cref="IOutboundQueue.Room"/> first: one thread,
    /// nothing changes in between. To this very server: delivered after the present callback without touching a link.
    /// </summary>
    SendResult Send(Packet packet, Destination to);

    /// <summary>As <see cref="Send"/>, but takes the packet, and empties the variable, only when the answer is
    /// Accepted.</summary>
    SendResult TrySend(ref Packet? packet, Destination to);

    /// <summary>Sends on the first free one of these links, whatever the destination. Takes the packet whatever the
    /// answer.</summary>
    SendResult SendVia(Packet packet, LinkSet anyOf);

    /// <summary>Sends a copy on each of these links (<see cref="Link.Local"/> allowed). Takes the packet whatever the
    /// answer; the answer is the worst of all copies.</summary>
    SendResult SendToAll(Packet packet, LinkSet allOf);

    /// <summary>
    /// Adds a queue that the service implements itself, until the instance ends; at most four. On each link the
    /// service's turn is shared by bytes between <see cref="Queue"/>, with weight 1, and its sources, with these
    /// weights: who has nothing saves nothing up.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">A weight that is not from 1 to 1,000.</exception>
    /// <exception cref="InvalidOperationException">A fifth source.</exception>
    IOutboundTurn AddSource(IPacketSource source, int weight = 1);

    /// <summary>
    /// What waits for a link now; nothing for <see cref="Link.Local"/>. Cheap enough for every packet: its cost grows
    /// with the link sets for which packets wait, not with the packets.
    /// </summary>
    Backlog BacklogOf(Link link);

    /// <summary>A timer to keep: made once, then armed, cancelled and re-armed without allocation.</summary>
    ServerTimer CreateTimer(Action onDue);

    /// <summary>Waits in server time. False: the service is stopping (no exception). Pooled; await at once and
    /// once.</summary>
    ValueTask<bool> DelayAsync(TimeSpan delay);
}
