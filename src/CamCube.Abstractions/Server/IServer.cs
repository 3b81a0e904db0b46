using System.Diagnostics.CodeAnalysis;

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

    /// <summary>The same time for library code that takes a TimeProvider; its timers fire on the loop.</summary>
    TimeProvider TimeProvider { get; }

    /// <summary>
    /// Microseconds at which this run of the server began, larger than that of every earlier run of the same server.
    /// Whoever puts it into an id can tell answers to an earlier run from answers to this one. A real server keeps the
    /// last one in <c>CamCube:StateDirectory</c>; without that, one whose clock was set back since its last run learns
    /// it from its neighbours: it takes a larger one, and its services begin anew (<see cref="StopReason.Outdated"/>).
    /// Constant for an instance of a service.
    /// </summary>
    ulong Incarnation { get; }

    /// <summary>Largest service header plus body, in bytes, that every cable of the cluster carries in one
    /// frame.</summary>
    int MaxPayload { get; }

    /// <summary>Hops a new packet may make (<c>CamCube:HopLimit</c>).</summary>
    ushort DefaultHopLimit { get; }

    /// <summary>Cancelled when the service stops. For foreign APIs; the primitives here give results instead.</summary>
    CancellationToken Stopping { get; }

    /// <summary>The loop that the server runs in: its pauses, and a place in it.</summary>
    IServerLoop Loop { get; }

    /// <summary>The service's default queue, with the configured <see cref="QueueOptions"/>.</summary>
    IOutboundQueue Queue { get; }

    /// <summary>The service's files on this server's disk.</summary>
    IServerDisk Disk { get; }

    /// <summary>Memory that the service may use: claims on the server's budget, and chunks of 4 KiB.</summary>
    IServerMemory Memory { get; }

    /// <summary>Work off the loop, on worker threads.</summary>
    IServerWork Work { get; }

    /// <summary>Calls from any thread; safe to hand to front ends.</summary>
    IServerGate Gate { get; }

    /// <summary>
    /// Takes a packet of this service: zeroed header of the declared length, a body of this length with arbitrary
    /// bytes, source here, full hop limit. False: the server's packet budget is used up. That is back-pressure: try
    /// again from a timer, or wait with <see cref="RentAsync"/>, or turn the packet at hand round. The first rent
    /// inside a poll always succeeds.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">A body larger than <see cref="MaxPayload"/> less the
    /// header.</exception>
    bool TryRent(int bodyLength, [NotNullWhen(true)] out Packet? packet);

    /// <summary>Waits until a packet can be had, first come, first served. Null: the service is stopping.</summary>
    ValueTask<Packet?> RentAsync(int bodyLength);

    /// <summary>
    /// A second packet of the caller's with its own header and addresses over the same body (no copy until one of them
    /// is written). The caller owns both. False: the packet budget is used up.
    /// </summary>
    bool TryShare(Packet packet, [NotNullWhen(true)] out Packet? copy);

    /// <summary>Takes the packet of the running callback, whose verdict must then be
    /// <see cref="Verdict.Taken"/>.</summary>
    void Take(Packet packet);

    /// <summary>Ends the caller's ownership of a packet it rented, shared, took or held.</summary>
    void Release(Packet packet);

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

    /// <summary>Runs after the present callback, in order. Never runs inline.</summary>
    void Post(Action<object?> work, object? state);

    /// <summary>Starts asynchronous work; awaits of this server's primitives resume on its loop in deterministic order.
    /// An exception is a fault of the service. A foreign task that completes on another thread is brought back to the
    /// loop; in simulation it is refused.</summary>
    void Run(Func<ValueTask> work);

    /// <summary>A random stream of (cluster seed, server, service, purpose): others' streams do not change
    /// it.</summary>
    Random CreateRandom(string purpose);

    /// <summary>Fills this with bytes that nobody can guess: the system's random numbers, other ones at every start. In
    /// virtual time they follow from the seed like those of <see cref="CreateRandom"/>, which are no secret anywhere:
    /// who knows the settings knows them.</summary>
    void FillSecret(Span<byte> bytes);

    /// <summary>A counter that is read from outside: <c>hits</c> becomes <c>camcube.cache.hits</c>.</summary>
    Counter CreateCounter(string name, string unit);

    /// <summary>A counter per link, with a link tag.</summary>
    LinkCounter CreateLinkCounter(string name, string unit);

    /// <summary>State and counters of this server, for people. Allocates. Loop only.</summary>
    ServerSummary Summarise();
}
