using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>
/// Draws the faults of a run: some kinds are off for certain, because faults that are always on hide one another
/// (swarm testing). They are a list before the run begins, and depend on nothing that happens in it: so one can be left
/// out, and the others stay what they are.
/// </summary>
internal sealed class SwarmFaultDraw(SwarmPlan plan, ulong seed)
{
    private readonly Random _random = SwarmRandom.Of(seed, "test faults");
    private readonly TorusShape _shape = plan.Shape;
    private readonly double _detection = plan.ServerOptions().Liveness.DetectionTime.TotalMilliseconds;

    /// <summary>The faults by their beginning; in one run of ten there are none.</summary>
    public IReadOnlyList<SwarmFault> Draw()
    {
        if (plan.MostFaults == 0)
        {
            return [];
        }

        FaultKind[] on = [.. plan.Faults.Distinct().Order().Where(kind => _random.Next(2) == 0 && CanBe(kind))];
        int count = _random.Next(10) == 0 || on.Length == 0 ? 0 : 1 + _random.Next(plan.MostFaults);
        SwarmFault[] all = [.. Enumerable.Range(0, count).Select(_ => Draw(on[_random.Next(on.Length)]))];
        List<SwarmFault> faults = [];
        foreach (SwarmFault fault in all.OrderBy(static f => f.At))
        {
            if (!SwarmFault.IsStop(fault.Kind) || MayStop(fault, faults))
            {
                faults.Add(fault);
            }
        }

        return faults;
    }

    // One server alone has no cables.
    private bool CanBe(FaultKind kind) => _shape.Count > 1 || !SwarmFault.IsOfCables(kind);

    // A service bears so many servers off at a time, and needs time in between.
    private bool MayStop(SwarmFault fault, List<SwarmFault> before) =>
        before.Count(f => SwarmFault.IsStop(f.Kind) && f.At + f.Length + plan.Recovery > fault.At) < plan.MostStopped;

    private SwarmFault Draw(FaultKind kind)
    {
        double at = plan.Duration.TotalMilliseconds * _random.NextDouble();
        (string Where, double Amount, double Detections) drawn = kind switch
        {
            FaultKind.Crash => (Server(), 0, 5),

            // Down for less than anybody can notice.
            FaultKind.Restart => (Server(), 0, 0.5),
            FaultKind.Cut or FaultKind.OneWayCut => (Cable(), 0, 5),
            FaultKind.Flapping => (Cable(), Millis(0.02, 2), 8),
            FaultKind.Isolation => (Server(), 0, 5),
            FaultKind.Plane => (Plane(), 0, 5),
            FaultKind.Halves or FaultKind.OneWayHalves => ($"half#{_random.Next(1_000)}", 0, 5),
            FaultKind.Loss or FaultKind.Duplication or FaultKind.Corruption => (Links(), Percent(0.5, 50), 8),
            FaultKind.Reordering => (Links(), Percent(0.5, 50), 8),
            FaultKind.Delay => (Links(), Millis(0.001, 0.1), 8),
            FaultKind.SlowLink => (Links(), Spread(10, 100), 8),
            FaultKind.Pause or FaultKind.PauseAtClock => (Server(), 0, 4),
            FaultKind.ClockOffset => (Server(), _random.Next(-60_000, 60_001), 1),
            FaultKind.ClockDrift => (Server(), _random.Next(-200, 201), 8),
            FaultKind.TornWrites or FaultKind.LostFiles => (Server(), 0, 2),
            FaultKind.SlowDisk or FaultKind.FullDisk or FaultKind.LyingSyncs => (Server(), 0, 8),
            _ => (Server(), Percent(0.5, 50), 8),
        };

        // Most are short; half of all are over before they are noticed for certain.
        double length = _detection * drawn.Detections * Math.Pow(_random.NextDouble(), 2);
        return new SwarmFault(kind, drawn.Where, drawn.Amount, SwarmFault.Millis(at), SwarmFault.Millis(length + 0.01));
    }

    private string Server() => _shape.At(_random.Next(_shape.Count)).ToString();

    private string Cable()
    {
        Coordinate server = _shape.At(_random.Next(_shape.Count));
        Link[] cabled =
        [
            .. Enum.GetValues<Link>().Where(l => l != Link.Local && _shape.CabledLinks(server).Contains(l)),
        ];
        return $"{server} {cabled[_random.Next(cabled.Length)].Name()}";
    }

    private string Links() =>
        _random.Next(4) switch
        {
            0 => Server(),
            1 => Cable(),
            _ => "all",
        };

    private string Plane()
    {
        int axis = _random.Next(3);
        return $"{"xyz"[axis]}={_random.Next(_shape[axis])}";
    }

    private double Percent(double least, double most) => Spread(least, most);

    private double Millis(double least, double most) => Spread(least * _detection, most * _detection);

    private double Spread(double least, double most) =>
        Math.Round((least * Math.Pow(most / least, _random.NextDouble())) + 0.01, 2);
}
