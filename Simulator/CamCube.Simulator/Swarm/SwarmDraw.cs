namespace CamCube.Simulator.Swarm;

/// <summary>
/// Draws what a seed runs: shape, rates, and a mix of faults of which some are off for certain, because faults that are
/// always on hide one another (swarm testing).
/// </summary>
public static class SwarmDraw
{
    /// <summary>
    /// Grows whenever equal seeds are drawn differently, or options mean something else: a result file of another
    /// version cannot be replayed.
    /// </summary>
    public const int Version = 1;

    private static readonly string[] Shapes =
    [
        "3x3x3",
        "3x3x3",
        "3x3x3",
        "4x4x4",
        "4x4x4",
        "2x2x2",
        "2x3x4",
        "3x4x5",
        "1x1x6",
        "1x4x5",
        "3x3x1",
        "1x1x3",
        "2x2x5",
        "4x4x2",
        "5x5x5",
        "2x1x1",
    ];

    private static readonly int[] DetectionMillis = [100, 200, 200, 300];
    private static readonly long[] Rates = [100_000_000, 1_000_000_000, 1_000_000_000, 10_000_000_000];
    private static readonly long[] Delays = [100, 500, 500, 20_000];

    /// <summary>What a seed runs.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="wishes">What is not to be drawn but given.</param>
    /// <param name="services">Services to choose from, when none are given.</param>
    /// <param name="asked">Which faults of disks and of looks at the clock a service's workload asks for, by its name;
    /// null: none asks. Runs of services that ask for none stay what they are.</param>
    public static SwarmOptions Draw(
        ulong seed,
        SwarmWishes wishes,
        IReadOnlyList<string> services,
        Func<string, IEnumerable<FaultKind>>? asked = null
    )
    {
        // Everything is drawn whatever the wishes, so that a wish changes nothing else.
        Random random = SwarmRandom.Of(seed, "options");
        string shape = Shapes[random.Next(Shapes.Length)];
        bool single = random.Next(4) == 0,
            cold = random.Next(4) == 0,
            restartsOnly = random.Next(3) == 0;
        var chosen = services.Where(_ => random.Next(3) > 0).ToList();
        SwarmOptions options = new()
        {
            Seed = seed,
            Shape = wishes.Shape ?? shape,
            ParallelCables = wishes.ParallelCables ?? !single,
            Services = wishes.Services ?? (chosen.Count == 0 ? [.. services.Take(1)] : chosen),
            ColdStart = cold,
            DetectionMillis = DetectionMillis[random.Next(DetectionMillis.Length)],
            LinkBitsPerSecond = Rates[random.Next(Rates.Length)],
            LinkDelayNanos = Delays[random.Next(Delays.Length)],
            MaxFrameLength = random.Next(2) == 0 ? 1_514 : 9_014,
            KeyPacketsPerSecond = Spread(random, 20, 200),
            MostBodyBytes = random.Next(3) == 0 ? 0 : random.Next(1_200),
            PingsPerSecond = Spread(random, 5, 50),
            DisturbedPart = Spread(random, 0.002, 0.2),
            Rounds = random.Next(2, 5),
            RoundMillis = random.Next(300, 1_500),
        };
        List<FaultRate> faults = DrawFaults(random, restartsOnly, wishes.Faults);
        FaultKind[] wanted = asked is null ? [] : [.. options.Services.SelectMany(asked)];
        faults.AddRange(DrawAsked(seed, restartsOnly, wishes.Faults, wanted));
        return options with { Faults = faults };
    }

    // From a stream of their own, so that nothing else is drawn otherwise.
    private static IEnumerable<FaultRate> DrawAsked(
        ulong seed,
        bool restartsOnly,
        IReadOnlyList<FaultKind>? wishes,
        FaultKind[] wanted
    )
    {
        Random random = SwarmRandom.Of(seed, "asked faults");
        foreach (FaultKind kind in Enum.GetValues<FaultKind>().Where(SwarmOptions.IsOnlyAsked))
        {
            bool isOn = random.Next(3) == 0 && (SwarmOptions.IsHarmless(kind) || !restartsOnly);
            double perSecond = Spread(random, 0.5, 8);
            if (wishes?.Contains(kind) ?? (isOn && wanted.Contains(kind)))
            {
                yield return new FaultRate(kind, perSecond);
            }
        }
    }

    private static List<FaultRate> DrawFaults(Random random, bool restartsOnly, IReadOnlyList<FaultKind>? wishes)
    {
        var faults = new List<FaultRate>();
        foreach (FaultKind kind in Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind)))
        {
            // A third of all runs only stops and starts servers: there the promises are strictest.
            bool isHarmless = SwarmOptions.IsHarmless(kind),
                isRestart = kind is FaultKind.Crash or FaultKind.Restart;
            bool isOn = restartsOnly && isRestart ? random.Next(4) > 0 : random.Next(3) == 0;
            double perSecond = Spread(random, 0.5, IsWide(kind) ? 2 : 8);
            if (wishes?.Contains(kind) ?? (isOn && (isHarmless || !restartsOnly)))
            {
                faults.Add(new FaultRate(kind, perSecond));
            }
        }

        return faults;
    }

    private static bool IsWide(FaultKind kind) =>
        kind
            is FaultKind.Isolation
                or FaultKind.Plane
                or FaultKind.Halves
                or FaultKind.OneWayHalves
                or FaultKind.Loss
                or FaultKind.Corruption
                or FaultKind.Duplication
                or FaultKind.Delay
                or FaultKind.Reordering
                or FaultKind.SlowLink;

    private static double Spread(Random random, double least, double most) =>
        Math.Round(least * Math.Pow(most / least, random.NextDouble()), 3);
}
