using CamCube.Runtime.Memory;
using CamCube.Runtime.Observing;
using CamCube.Runtime.Tracing;

namespace CamCube.Runtime.Engine;

/// <summary>
/// The part of a server's object that a hop touches. A base class, because its fields lie in front of the others and
/// together: two or three cache lines per hop and not five (benchmark "speed").
/// </summary>
internal abstract class HopState(
    ServerCounters counters,
    HotPointer hot,
    bool tracing,
    uint runtimeOwner,
    uint wireOwner
)
{
    protected readonly LinkTally[] Tallies = counters.Links;
    protected readonly uint WireOwner = wireOwner;

    public LinkDriver Driver { get; protected set; } = null!;

    public LinkScheduler Egress { get; protected init; } = null!;

    public Router Router { get; protected init; } = null!;

    public Dispatcher Dispatch { get; protected init; } = null!;

    /// <summary>The slots of the services, at hand for the packet path. Replaced, never changed.</summary>
    public ServiceSlot[] SlotTable { get; set; } = [];

    /// <summary>A wrong clock, or null.</summary>
    public ServerClock? Clock { get; set; }

    /// <summary>Who writes down what goes into the trace hash, or null.</summary>
    public EventRecorder? Recorder { get; set; }

    /// <summary>Who looks at its packets, or null.</summary>
    public IServerObserver? Observer { get; protected init; }

    /// <summary>True time: that of whoever drives the server.</summary>
    public long Now { get; set; }

    public HotPointer Hot { get; } = hot;

    public uint RuntimeOwner { get; } = runtimeOwner;

    /// <summary>Packets this server has, and may have.</summary>
    public int PacketsInUse { get; protected set; }

    /// <summary>
    /// The part of the limit that is not the link-state service's: a service that uses up everything must not make its
    /// server look dead.
    /// </summary>
    public int ServiceLimit { get; set; }

    /// <summary>Slot of the service whose code runs, or -1: whoever throws is known without a store per packet
    /// elsewhere.</summary>
    public int Running { get; set; } = -1;

    /// <summary>What the driver says, kept: asked once per packet.</summary>
    public int MaxFrameLength { get; protected set; }

    /// <summary>Kept, as <see cref="MaxFrameLength"/>.</summary>
    public bool CarriesVirtualBytes { get; protected set; }

    /// <summary>Whether what goes and comes by a link is the neighbour's, kept: <see
    /// cref="LinkDriver.EndsAtNeighbours"/>.</summary>
    public bool EndsAtNeighbours { get; protected set; } = true;

    public bool IsTracing { get; } = tracing;

    public bool RentersWait { get; set; }

    /// <summary>Whether a packet of a link says that its neighbour is heard, and hears.</summary>
    protected bool ProvesNeighbour(Packet packet) => EndsAtNeighbours || packet.ServiceWord == Core.LinkStateService.Id;

    /// <summary>Ends what means something at this server only; a switch has yet to ask whether the links were
    /// chosen.</summary>
    protected void LeaveHop(Packet packet) =>
        packet.Flags &= EndsAtNeighbours ? ~PacketFlags.OfThisHop : ~PacketFlags.TurnedRound;

    /// <summary>Whether the cables carry a packet of this length.</summary>
    public bool FitsFrame(Packet packet) =>
        packet.WireLength <= MaxFrameLength && (packet.VirtualBytes == 0 || CarriesVirtualBytes);
}
