using System.Runtime.ExceptionServices;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Observing;
using CamCube.Runtime.Services;
using CamCube.Runtime.Storage;
using CamCube.Runtime.Tracing;
using CamCube.Runtime.Watching;
using CamCube.Runtime.Workers;
using CamCube.Topology;

namespace CamCube.Runtime.Engine;

/// <summary>What all servers that one thread drives share. Made before they start.</summary>
internal sealed class CubeContext
{
    private Exception? _ownError;
    private WorkerPool? _workers;
    private readonly Dictionary<int, IReadOnlyList<ServiceDefinition>> _replaced = [];
    private IReadOnlyList<ServiceDefinition> _services = [];

    public required TorusShape Shape { get; init; }

    public required ServerOptions Options { get; init; }

    /// <summary>Who is told of faults and changes. May be called in the middle of anything: it never throws.</summary>
    public required IServerEvents Events
    {
        get;
        init => field = new GuardedEvents(value, this);
    }

    /// <summary>Services of every server, in slot order (the link-state service comes before them).</summary>
    /// <exception cref="ArgumentException">They cannot be on one server; one line in words.</exception>
    public required IReadOnlyList<ServiceDefinition> Services
    {
        init
        {
            ServiceDefinition.CheckList(value);
            _services = value;
        }
    }

    /// <summary>Servers that this loop drives, now or later.</summary>
    public int ServerCount
    {
        get => field > 0 ? field : Shape.Count;
        init;
    }

    /// <summary>The services that a server starts with. On the loop.</summary>
    public IReadOnlyList<ServiceDefinition> ServicesOf(int rank) => _replaced.GetValueOrDefault(rank, _services);

    /// <summary>From its next start on, a server has these in the places of those with the same ids. On the
    /// loop.</summary>
    public void Replace(int rank, IReadOnlyList<ServiceDefinition> next)
    {
        _replaced[rank] =
        [
            .. ServicesOf(rank).Select(old => next.FirstOrDefault(definition => definition.Id == old.Id) ?? old),
        ];
        if (_replaced.Count == ServerCount)
        {
            // Nobody starts with the first ones any more, and what they name could not be unloaded.
            _services = [];
        }
    }

    public required ulong Seed { get; init; }

    /// <summary>Unix time, in microseconds, of server time 0.</summary>
    public required ulong EpochUnixMicros { get; init; }

    /// <summary>The system's clock, as services may see it; null: it follows from server time, as in virtual
    /// time.</summary>
    public CalendarClock? Calendar { get; init; }

    /// <summary>By how much timers may be late without anything being wrong.</summary>
    public long TimerGrainNanos { get; init; }

    /// <summary>True: time is virtual and nothing may come from another thread.</summary>
    public required bool IsVirtual { get; init; }

    /// <summary>Whether servers keep a trace hash.</summary>
    public bool IsTracing { get; init; }

    /// <summary>Who writes down the events of a server that starts, by rank; null for nobody.</summary>
    public Func<int, EventRecorder?> RecorderOf { get; init; } = static _ => null;

    /// <summary>Smallest time between a local send and its delivery when both happen in deferred work, so that virtual
    /// time moves on.</summary>
    public long LocalDelayNanos { get; init; }

    /// <summary>The observer of a server that starts, by rank; null answers and null itself: none.</summary>
    public Func<int, IServerObserver?>? ObserverOf { get; init; }

    public PacketPool Pool { get; } = new();

    /// <summary>The threads for what would stop the loop; null in virtual time. Loop only.</summary>
    public WorkerPool? Workers => IsVirtual ? null : _workers ??= new WorkerPool(Options.Work);

    /// <summary>Free chunks of this loop.</summary>
    public ChunkCache Chunks { get; } = new(ChunkPool.Shared);

    /// <summary>What all servers may claim together; null in virtual time, where nothing may depend on the order in
    /// which threads get to it.</summary>
    public MemoryBudget? ProcessMemory => IsVirtual ? null : field ??= MemoryBudget.OfProcess(Options.Memory);

    public CubeViewCache Views { get; init; } = new();

    public LoopInbox Inbox { get; init; } = new();

    /// <summary>What the loop shows to whoever watches it.</summary>
    public LoopPulse Pulse { get; init; } = new();

    /// <summary>Service map of the shared list, made by the first server.</summary>
    public ServiceMap? Map { get; set; }

    /// <summary>The thread that drives the servers, now or last.</summary>
    public int LoopThread { get; set; }

    /// <summary>Whether the loop's thread drives the servers now. Between the runs of a cube in virtual time whoever
    /// has the cube may use them, from whichever thread. Kept in Debug builds only.</summary>
    public bool IsDriven { get; set; } = true;

    /// <summary>The time of whoever drives the servers, for work that comes in between steps.</summary>
    public long NowNanos { get; set; }

    /// <summary>Told the rank of a server that work from outside has touched, so that a scheduler looks at it
    /// again.</summary>
    public Action<int> Touched { get; set; } = static _ => { };

    /// <summary>The time of now at a server in the middle of a step, on the scale of its own.</summary>
    public Func<ServerRuntime, long> ReadClock { get; init; } = static server => server.ClockNow;

    /// <summary>The server that stood still in the step at hand, in virtual time; usually null.</summary>
    public ServerRuntime? StoodStill { get; set; }

    /// <summary>The clock of a server that starts, where clocks may be wrong; null = right.</summary>
    public Func<int, ServerClock?> ClockOf { get; init; } = static _ => null;

    /// <summary>Where real servers have files; null = nowhere.</summary>
    public DataFolder? Data { get; init; }

    /// <summary>The disk of an instance of a service, where there is no <see cref="Data"/>; null = none.</summary>
    public Func<ServiceView, ServiceDisk>? DiskOf { get; init; }

    /// <summary>All servers have ended. After the inbox was closed.</summary>
    public void Close()
    {
        if (_workers is null || _workers.Close())
        {
            Data?.Release();
        }
    }

    /// <summary>Something threw that is neither a service's nor an agent's. The first is kept for
    /// <see cref="ThrowOwnError"/>.</summary>
    public void Failed(Exception e) => _ownError ??= e;

    /// <summary>Between two steps: throws what <see cref="Failed"/> was told. It ends the loop.</summary>
    public void ThrowOwnError()
    {
        if (_ownError is { } error)
        {
            ExceptionDispatchInfo.Throw(error);
        }
    }

    public long UtcTicks(long nowNanos) =>
        Calendar?.Read(nowNanos) ?? DateTime.UnixEpoch.Ticks + ((long)EpochUnixMicros * 10) + (nowNanos / 100);
}
