using CamCube.Runtime.Services;

namespace CamCube.Runtime.Engine;

/// <summary>A service's place at one server: id, queue, counters, owner words. It outlives the instances that fill
/// it.</summary>
internal sealed class ServiceSlot : HopSlot
{
    public readonly List<Counter> Counters = [];
    public readonly List<LinkCounter> LinkCounters = [];
    public readonly List<LabelledCounter> LabelledCounters = [];

    /// <summary>What it is filled with. Replaced whole: anybody may read it.</summary>
    private volatile ServiceDefinition _definition;

    public ServiceView View;
    public ServiceState State;
    public SourceTurns? Sources;
    public long MaxCallbackNanos;
    public int Faults;
    public long CommandRuns;
    public long CommandFaults;

    /// <summary>Bytes of its packets that wait for this server's keys.</summary>
    public int AwaitingBytes;
    public bool IsStopping;
    public bool IsRemoved;

    /// <summary>Times of the faults of the last hour.</summary>
    public readonly List<long> RecentFaults = [];

    /// <summary>Contracts that the instance which was made last cannot do without.</summary>
    public readonly List<Type> Needs = [];

    /// <summary>Which of them no service here offers, in words; null: none. Any thread.</summary>
    public volatile string? Missing;

    /// <summary>Commands of the instance that runs now. Replaced whole: anybody may read it.</summary>
    public volatile IReadOnlyList<ServiceCommand> Commands = [];

    /// <summary>What the instance that runs now says of how it is; null: it says nothing of that. Any thread.</summary>
    public volatile IServiceHealth? Health;

    /// <summary>Type and text of what it threw last; null if it never did. Any thread.</summary>
    public volatile string? LastFault;

    public ServiceSlot(ServerRuntime server, int index, ServiceDefinition definition)
        : base(index, server.Rank, definition.HeaderLength)
    {
        _definition = definition;
        View = new ServiceView(server, this);
        State = ServiceState.Stopped;
    }

    public ServiceDefinition Definition => _definition;

    /// <summary>Other code fills it from now on; id and name stay. While no instance is there.</summary>
    public void Define(ServiceDefinition definition)
    {
        _definition = definition;
        HeaderLength = definition.HeaderLength;
        RecentFaults.Clear();
        Needs.Clear();
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
