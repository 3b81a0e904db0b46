using CamCube.Runtime;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>What <see cref="TestCube.Swarm(SwarmPlan, Func{SwarmCase, Task})"/> runs, and how often. All times are
/// virtual but for <see cref="CallbackLimit"/>.</summary>
public sealed record SwarmPlan
{
    /// <summary>Adds the services to a cube, before each run: <c>cube => cube.Add(server => new MyService(server))</c>.
    /// What they share in static fields or captured variables lives on from run to run, and makes runs that cannot be
    /// repeated.</summary>
    public required Action<TestCube> Services { get; init; }

    /// <summary>How many seeds are run, one after the other. Default 200. Equal seeds give equal runs, so a test that
    /// passed passes again, until something is changed.</summary>
    public int Seeds { get; init; } = 200;

    /// <summary>The first of them. Default 1.</summary>
    public ulong FirstSeed { get; init; } = 1;

    /// <summary>One run instead, as a failure says it: <c>seed 17; writes=3; crash 1,0,2 at 12.3ms for 300ms</c>. Of a
    /// seed alone the faults are drawn as in the swarm; with <c>no faults</c> or a list it has these.</summary>
    public string? Replay { get; init; }

    /// <summary>The cube. Default 3x3x3. A smaller one is faster and shows as much of most services.</summary>
    public TorusShape Shape { get; init; } = new(3, 3, 3);

    /// <summary>Kinds of faults that may be drawn, half of them for each run. Default <see cref="UsualFaults"/>; empty:
    /// none.</summary>
    public IReadOnlyList<FaultKind> Faults { get; init; } = UsualFaults;

    /// <summary>Most faults of a run. Default 12.</summary>
    public int MostFaults { get; init; } = 12;

    /// <summary>Servers that are off at once, at most: as many as the service bears. Default 1.</summary>
    public int MostStopped { get; init; } = 1;

    /// <summary>How long a server that was off is counted as off once it runs again, so that the service can make good
    /// what it lost. Default 500 ms.</summary>
    public TimeSpan Recovery { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long faults begin, from the begin of the run. Default 1 s.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a scenario may take. Default 60 s; beyond, it hangs.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long a client waits for an answer by default. Default 5 s; beyond, it is told that nobody
    /// knows.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether <see cref="TestCube.AssertQuiet"/> has to hold in the end: no service holds packets. Default
    /// true; false for services that never rest.</summary>
    public bool MustBeQuiet { get; init; } = true;

    /// <summary>Whether a service was right to throw; null, the default: none ever is.</summary>
    public Func<ServiceFault, bool>? MayFault { get; init; }

    /// <summary>Runs that shrinking may take. Default 300; 0: a failure is shown as it was found.</summary>
    public int MostShrinkRuns { get; init; } = 300;

    /// <summary>Changes settings of all servers: of detection, for example. Called once for each run.</summary>
    public Action<ServerOptions>? Server { get; init; }

    /// <summary>Changes settings of the simulated cube: cables, disks, observers. Called once for each run; the seed is
    /// the run's, and it has one thread.</summary>
    public Action<SimulatorOptions>? Simulator { get; init; }

    /// <summary>Real time that one callback, or the scenario between two awaits, may take
    /// (<see cref="TestCube.CallbackLimit"/>). Default 10 s.</summary>
    public TimeSpan CallbackLimit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>What every service has to bear: servers that lose their power, cables that are cut, flap, lose, double,
    /// delay and reorder, pauses, and disks that are slow or keep what was not synced in part.</summary>
    public static IReadOnlyList<FaultKind> UsualFaults { get; } =
    [
        FaultKind.Crash,
        FaultKind.Restart,
        FaultKind.Cut,
        FaultKind.OneWayCut,
        FaultKind.Flapping,
        FaultKind.Isolation,
        FaultKind.Plane,
        FaultKind.Halves,
        FaultKind.Loss,
        FaultKind.Duplication,
        FaultKind.Delay,
        FaultKind.Reordering,
        FaultKind.Pause,
        FaultKind.TornWrites,
        FaultKind.SlowDisk,
    ];

    /// <summary>Disks that fail, are full or stuck, lie, rot, and lose files: for services that keep copies on
    /// others.</summary>
    public static IReadOnlyList<FaultKind> DiskFaults { get; } =
    [
        FaultKind.DiskRot,
        FaultKind.MisplacedWrites,
        FaultKind.StuckDisk,
        FaultKind.LostFiles,
        FaultKind.TornWrites,
        FaultKind.FullDisk,
        FaultKind.SlowDisk,
        FaultKind.FailingDisk,
        FaultKind.LyingSyncs,
    ];

    /// <summary>How our own tests end a run that computes without end.</summary>
    internal Action<string>? FailFast { get; init; }

    internal ServerOptions ServerOptions()
    {
        var options = new ServerOptions();
        Server?.Invoke(options);
        return options;
    }

    /// <summary>Checks it.</summary>
    /// <exception cref="ArgumentException">Something is out of range; the message names it.</exception>
    internal void Check()
    {
        ArgumentNullException.ThrowIfNull(Services);
        ArgumentNullException.ThrowIfNull(Faults);
        InRange(Shape.Count, 1, int.MaxValue, nameof(Shape));
        InRange(Seeds, 1, 100_000_000, nameof(Seeds));
        InRange(MostFaults, 0, 10_000, nameof(MostFaults));
        InRange(MostStopped, 0, Shape.Count, nameof(MostStopped));
        InRange(MostShrinkRuns, 0, 1_000_000, nameof(MostShrinkRuns));
        InRange(Recovery.TotalMilliseconds, 0, 1e9, nameof(Recovery));
        InRange(Duration.TotalMilliseconds, 0, 1e9, nameof(Duration));
        InRange(Deadline.TotalMilliseconds, 1, 1e9, nameof(Deadline));
        InRange(Patience.TotalMilliseconds, 0.001, 1e9, nameof(Patience));
    }

    private static void InRange(double value, double least, double most, string name)
    {
        if (!(value >= least && value <= most))
        {
            throw new ArgumentOutOfRangeException(name, value, $"{name} is from {least} to {most} (times in ms).");
        }
    }
}
