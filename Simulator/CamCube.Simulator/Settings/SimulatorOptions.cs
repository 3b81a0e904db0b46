using CamCube.Runtime.Observing;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Seeing;

namespace CamCube.Simulator.Settings;

/// <summary>Cables and seed of a simulated cube.</summary>
public sealed class SimulatorOptions
{
    /// <summary>Seed of everything random. Equal seeds and options give equal runs, to the last packet.</summary>
    public ulong Seed { get; set; } = 1;

    /// <summary>Rate of each link in bits per second. Default 1 Gbit/s, as in the papers.</summary>
    public long LinkBitsPerSecond { get; set; } = 1_000_000_000;

    /// <summary>Propagation delay of each cable in nanoseconds. Default 500 (100 m of cable), at least 100.</summary>
    public long LinkDelayNanos { get; set; } = 500;

    /// <summary>Frames that may be on a cable and in the receiver's ring together; the newest of more are dropped as
    /// ReceiveFull. Default 4,096.</summary>
    public int ReceiveLimit { get; set; } = 4_096;

    /// <summary>Largest frame in bytes with its Ethernet header. Default 9,014 (jumbo); 1,514 is the other usual
    /// one.</summary>
    public int MaxFrameLength { get; set; } = 9_014;

    /// <summary>
    /// False, the default: the cube was commissioned before, every server starts with the whole view and its keys, and
    /// only differences are flooded. True: every server starts alone and the cube boots by flooding.
    /// </summary>
    public bool ColdStart { get; set; }

    /// <summary>The servers' disks.</summary>
    public SimulatedDiskOptions Disk { get; set; } = new();

    /// <summary>Whether servers keep a trace hash. Costs a few per cent. Default true.</summary>
    public bool IsTracing { get; set; } = true;

    /// <summary>
    /// Virtual time between two checkpoints of the trace hash (<see cref="SimulatedCube.Checkpoints"/>), exact whatever
    /// the pieces in which time is advanced. Default zero: none. Needs <see cref="IsTracing"/>.
    /// </summary>
    public TimeSpan CheckpointEvery { get; set; }

    /// <summary>Whether checkpoints hold each server's hash too: 8 bytes per server and checkpoint. Default
    /// false.</summary>
    public bool CheckpointsHaveServers { get; set; }

    /// <summary>
    /// Threads that simulate, 1 to <see cref="MaxThreads"/>. Default 1: everything happens on the thread that drives
    /// the cube. More: the servers are divided among them, for cubes of some hundred servers and more; what happens,
    /// and the trace hash, stay the same. What is called while time passes (events, <see cref="SimulatedCube.Lose"/>,
    /// continuations of calls into the cube) is then called on any of them.
    /// </summary>
    public int Threads { get; set; } = 1;

    /// <summary>Most <see cref="Threads"/>.</summary>
    public const int MaxThreads = 64;

    /// <summary>Unix time in microseconds of virtual time 0. Default 2030-01-01, so that no test depends on
    /// today.</summary>
    public ulong EpochUnixMicros { get; set; } = 1_893_456_000_000_000;

    /// <summary>
    /// Given the links of each server when it first starts, and answers what it gets instead, in all its runs:
    /// captures, for instance. Fault rules stand before it. Null, the default, costs nothing. What it answers runs on
    /// the server's thread, and must pass on every call to the links inside.
    /// </summary>
    public Func<Coordinate, LinkDriver, LinkDriver>? WrapLinks { get; set; }

    /// <summary>
    /// Told what happens to the cube itself: servers and cables, faults of services, changes of views. On the thread of
    /// the server concerned. Null, the default: nobody.
    /// </summary>
    public Action<CubeNote>? Noted { get; set; }

    /// <summary>
    /// Answers who looks at the packets of a server that starts, or null. It changes nothing: a run with observers has
    /// the same hash. Null, the default, costs nothing on the way of a packet. Asked between events, told on the
    /// server's thread.
    /// </summary>
    public Func<Coordinate, IServerObserver?>? ObserverOf { get; set; }
}
