using System.Globalization;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Everything that one swarm run depends on: equal options give equal runs, to the last packet. Drawn from a seed by
/// <see cref="SwarmDraw"/>, written to result files, and read back for a replay.
/// </summary>
public sealed record SwarmOptions
{
    /// <summary>Seed of the run.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Axis sizes, as in 3x3x3.</summary>
    public required string Shape { get; init; }

    /// <summary>Whether an axis of size 2 has two cables.</summary>
    public bool ParallelCables { get; init; } = true;

    /// <summary>What the servers run: names of <see cref="SwarmServices"/>, or of workloads that the caller
    /// knows.</summary>
    public required IReadOnlyList<string> Services { get; init; }

    /// <summary>Whether the cube boots by flooding.</summary>
    public bool ColdStart { get; init; }

    /// <summary>Rate of each link.</summary>
    public long LinkBitsPerSecond { get; init; } = 1_000_000_000;

    /// <summary>Propagation delay of each cable.</summary>
    public long LinkDelayNanos { get; init; } = 500;

    /// <summary>Largest frame in bytes.</summary>
    public int MaxFrameLength { get; init; } = 9_014;

    /// <summary>Detection time in milliseconds.</summary>
    public int DetectionMillis { get; init; } = 200;

    /// <summary>Packets to random keys, per server and second.</summary>
    public double KeyPacketsPerSecond { get; init; } = 50;

    /// <summary>Most bytes of such a packet's body.</summary>
    public int MostBodyBytes { get; init; } = 1_000;

    /// <summary>Questions to random servers, per server and second.</summary>
    public double PingsPerSecond { get; init; } = 20;

    /// <summary>Faults that are on. Those that are not here never happen.</summary>
    public IReadOnlyList<FaultRate> Faults { get; init; } = [];

    /// <summary>Part of the packets that loss, corruption, duplication and reordering hit.</summary>
    public double DisturbedPart { get; init; } = 0.05;

    /// <summary>Times of faults, each followed by a time without changes in which the cube must settle.</summary>
    public int Rounds { get; init; } = 3;

    /// <summary>Length of each time of faults in virtual milliseconds.</summary>
    public int RoundMillis { get; init; } = 1_000;

    /// <summary>Whether servers only stop and start, clocks are off, and packets are at most doubled, overtaken, or
    /// damaged in services that bear it: then no key may ever have two roots.</summary>
    public bool IsStrict => Faults.All(f => IsHarmless(f.Kind));

    /// <summary>The detection time.</summary>
    public TimeSpan DetectionTime => TimeSpan.FromMilliseconds(DetectionMillis);

    /// <summary>The shape as a value.</summary>
    /// <exception cref="ArgumentException">It is none.</exception>
    public TorusShape ToShape() =>
        TorusShape.TryParse(Shape, out TorusShape shape) is { } fault
            ? throw new ArgumentException($"shape {Shape}: {fault}")
            : shape with
            {
                ParallelCables = ParallelCables,
            };

    /// <summary>Whether a fault is one with which no key may ever have two roots.</summary>
    public static bool IsHarmless(FaultKind kind) =>
        kind
            is FaultKind.Crash
                or FaultKind.Restart
                or FaultKind.Corruption
                or FaultKind.Duplication
                or FaultKind.Reordering
                or FaultKind.ClockOffset
                or FaultKind.ClockDrift
        || (IsOnlyAsked(kind) && kind != FaultKind.PauseAtClock);

    /// <summary>Whether a fault is drawn only for workloads that ask for it
    /// (<see cref="SwarmDraw.Draw"/>).</summary>
    public static bool IsOnlyAsked(FaultKind kind) => kind >= FaultKind.DiskRot;

    /// <summary>Whether a fault is on.</summary>
    public bool Has(FaultKind kind) => Faults.Any(f => f.Kind == kind);

    /// <summary>Equal content, not equal lists.</summary>
    public bool Equals(SwarmOptions? other) => other is not null && ToString() == other.ToString();

    /// <inheritdoc/>
    public override int GetHashCode() => (int)Seed;

    /// <summary>One line for people.</summary>
    public override string ToString()
    {
        string cube =
            FormattableString.Invariant($"seed {Seed}: {Shape}")
            + (ParallelCables ? "" : " single cables")
            + (ColdStart ? " cold" : "");
        string cables = string.Create(
            CultureInfo.InvariantCulture,
            $"D {DetectionMillis} ms, {LinkBitsPerSecond / 1_000_000} Mbit/s, {LinkDelayNanos} ns, "
                + $"frames {MaxFrameLength}"
        );
        string traffic = FormattableString.Invariant(
            $"keys {KeyPacketsPerSecond:0.#}/s of {MostBodyBytes} B, pings {PingsPerSecond:0.#}/s"
        );
        string faults = string.Join(
            ' ',
            Faults.Select(f => FormattableString.Invariant($"{FaultNames.Of(f.Kind)}:{f.PerSecond:0.##}/s"))
        );
        string rounds = FormattableString.Invariant($"{Rounds} x {RoundMillis} ms, disturbs {DisturbedPart:0.###}");
        return $"{cube}, {string.Join('+', Services)}, {cables}, {traffic}, {rounds}, "
            + $"faults {(faults.Length == 0 ? "none" : faults)}";
    }
}
