using CamCube.Runtime.Observing;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Engine;

/// <summary>A service's place at one server: id, queue, counters, owner words. It outlives the instances that fill it.</summary>
internal sealed class ServiceSlot
{
    public readonly int Index;
    public readonly ulong Bit;
    public readonly uint HeldOwner;
    public readonly uint CallbackOwner;
    public readonly uint QueuedOwner;
    public readonly ServiceDefinition Definition;
    public readonly List<Counter> Counters = [];
    public readonly List<LinkCounter> LinkCounters = [];

    /// <summary>Who gets packets: the instance, or the stand-in that lets packets pass while there is none (so the hot path has no state
    /// check), either with an observer in front.</summary>
    public ICamCubeService Service;

    public ServiceView View;
    public ServiceState State;
    public int HeaderLength;
    public int SourceReady;
    public IPacketSource? Source;
    public long Arrived;
    public long Sent;
    public long MaxCallbackNanos;
    public int Faults;
    public bool IsStopping;
    public bool IsRemoved;

    /// <summary>Times of the faults of the last hour.</summary>
    public readonly List<long> RecentFaults = [];

    public ServiceSlot(ServerRuntime server, int index, ServiceDefinition definition)
    {
        (Index, Bit, Definition) = (index, 1UL << index, definition);
        HeaderLength = definition.HeaderLength;
        HeldOwner = OwnerWords.Make(PacketState.Held, index, server.Rank);
        CallbackOwner = OwnerWords.Make(PacketState.Callback, index, server.Rank);
        QueuedOwner = OwnerWords.Make(PacketState.Queued, index, server.Rank);
        Service = StandIn.Instance;
        View = new ServiceView(server, this);
        State = ServiceState.Stopped;
    }

    /// <summary>The instance or stand-in itself.</summary>
    public ICamCubeService Instance => Service is ObservedService observed ? observed.Inner : Service;

    /// <summary>Lets packets on their way pass, and drops what ends here.</summary>
    public sealed class StandIn : ICamCubeService
    {
        public static readonly StandIn Instance = new();

        public Verdict OnPacket(in HopContext hop, Packet packet) =>
            hop.IsDestination ? Verdict.Drop(DropReason.Closed) : Verdict.Forward;
    }
}
