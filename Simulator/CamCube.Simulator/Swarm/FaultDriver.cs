using CamCube.Faults;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Does the faults of a swarm run: begins them at random times, ends them after random times. In a time of rest only
/// faults remain that a cube can settle with: stopped servers and cut cables. One thread, between advances.
/// </summary>
internal sealed class FaultDriver
{
    private static readonly ServiceId[] Corruptible = [new(0x01E0), new(0x01E1)];
    private readonly SwarmCube _cube;
    private readonly SwarmTally _tally;
    private readonly Random _random;
    private readonly PriorityQueue<Action, (long Nanos, long Order)> _agenda = new();
    private readonly List<ActiveFault> _active = [];
    private readonly long _detectionNanos;
    private long _order;
    private long _faults;
    private readonly IReadOnlyList<ISwarmWorkload> _workloads;
    private long _roundEnd;

    public FaultDriver(SwarmCube cube, SwarmTally tally, IReadOnlyList<ISwarmWorkload> workloads)
    {
        (_cube, _tally, _workloads) = (cube, tally, workloads);
        _random = SwarmRandom.Of(cube.Options.Seed, "faults");
        _detectionNanos = (long)cube.Options.DetectionTime.TotalNanoseconds;
        foreach (FaultRate fault in cube.Options.Faults)
        {
            tally.Add(ClassOf(fault.Kind), 0);
        }
    }

    /// <summary>When something is to be done next.</summary>
    public long NextNanos => _agenda.TryPeek(out _, out (long Nanos, long Order) first) ? first.Nanos : long.MaxValue;

    private TrueCube Truth => _cube.Truth;

    private long Now => _cube.Cube.NowNanos;

    /// <summary>From now on faults begin.</summary>
    public void BeginRound(long untilNanos)
    {
        _roundEnd = untilNanos;
        foreach (FaultRate fault in _cube.Options.Faults)
        {
            PlanNext(fault);
        }
    }

    /// <summary>Does what is due.</summary>
    public void Run()
    {
        while (NextNanos <= Now)
        {
            _agenda.Dequeue()();
        }
    }

    /// <summary>Nothing begins any more; what a cube cannot settle with ends, and some of the rest.</summary>
    public void Rest()
    {
        foreach (ActiveFault fault in _active.ToArray())
        {
            if (!fault.MayStay || _random.Next(2) == 0)
            {
                End(fault);
            }
        }
    }

    /// <summary>Everything ends, but for a few stopped servers and cut cables that leave all others connected and the
    /// majority.</summary>
    public void Heal()
    {
        foreach (ActiveFault fault in _active.ToArray())
        {
            End(fault);
        }

        // Those that wait for others to end.
        foreach (ActiveFault fault in _active.ToArray())
        {
            End(fault);
        }

        if (_cube.Options.Faults.Count == 0 || _random.Next(2) == 0)
        {
            return;
        }

        for (int i = _random.Next(1, 2 + (Truth.Shape.Count / 10)); i > 0; i--)
        {
            if (_random.Next(2) == 0)
            {
                Crash(long.MaxValue, mustStayOne: true);
            }
            else
            {
                CutCable(oneWay: false, long.MaxValue, mustStayOne: true);
            }
        }
    }

    private static string ClassOf(FaultKind kind) => $"fault {FaultNames.Of(kind)}";

    private void PlanNext(FaultRate fault)
    {
        long at = Now + (long)(-Math.Log(1 - _random.NextDouble()) * 1e9 / fault.PerSecond);
        if (at < _roundEnd)
        {
            _agenda.Enqueue(
                () =>
                {
                    Begin(fault.Kind);
                    PlanNext(fault);
                },
                (at, _order++)
            );
        }
    }

    private void Begin(FaultKind kind)
    {
        bool mustStayOne = _cube.Options.IsStrict;
        switch (kind)
        {
            case FaultKind.Crash:
                Crash(Length(3), mustStayOne);
                break;
            case FaultKind.Restart:
                // Down for less than anybody can notice.
                Crash(_random.NextInt64(_detectionNanos / 2), mustStayOne, FaultKind.Restart);
                break;
            case FaultKind.Cut:
                CutCable(oneWay: false, Length(3), mustStayOne: false);
                break;
            case FaultKind.OneWayCut:
                CutCable(oneWay: true, Length(3), mustStayOne: false);
                break;
            case FaultKind.Flapping:
                Flap();
                break;
            case FaultKind.Isolation:
                int alone = _random.Next(Truth.Shape.Count);
                Divide(kind, At(alone), rank => rank == alone, oneWay: false);
                break;
            case FaultKind.Plane:
                int axis = _random.Next(3),
                    place = _random.Next(Truth.Shape[axis]);
                Divide(kind, $"{"xyz"[axis]} = {place}", rank => Truth.Shape.At(rank)[axis] == place, oneWay: false);
                break;
            case FaultKind.Halves:
            case FaultKind.OneWayHalves:
                bool[] side = [.. Enumerable.Range(0, Truth.Shape.Count).Select(_ => _random.Next(2) == 0)];
                Divide(
                    kind,
                    $"{side.Count(isHere => isHere)} of {side.Length} servers",
                    rank => side[rank],
                    kind == FaultKind.OneWayHalves
                );
                break;
            case FaultKind.Pause:
                Pause();
                break;
            case FaultKind.ClockOffset:
                Crash(Length(1), mustStayOne, kind);
                break;
            case FaultKind.ClockDrift:
                _tally.Add(ClassOf(kind));
                _cube.SetClock(_random.Next(Truth.Shape.Count), TimeSpan.Zero, _random.Next(-200, 201));
                break;
            case FaultKind.PauseAtClock:
                PauseAtClock();
                break;
            case FaultKind.LostFiles or FaultKind.TornWrites:
                Crash(Length(2), mustStayOne, kind);
                break;
            default:
                if (SwarmOptions.IsOnlyAsked(kind))
                {
                    Harm(kind, mustStayOne);
                }
                else
                {
                    Disturb(kind);
                }

                break;
        }
    }

    // From a tiny part of the detection time to some of it: half of all faults are too short to be noticed for certain.
    private long Length(double detections) =>
        (long)(_detectionNanos * detections * Math.Pow(_random.NextDouble(), 2)) + 1_000;

    private void Crash(long length, bool mustStayOne, FaultKind kind = FaultKind.Crash)
    {
        int rank = _random.Next(Truth.Shape.Count);
        if (!Truth.Runs(rank) || (mustStayOne && !StaysOneWithout(rank)))
        {
            return;
        }

        if (SwarmOptions.IsOnlyAsked(kind) && !MayHarm(rank, kind))
        {
            return;
        }

        IDisposable[] rules = [.. Trouble(kind).Select(f => _cube.Cube.DiskFaults.Add(f, rank))];
        _cube.Kill(rank);
        Array.ForEach(rules, rule => rule.Dispose());
        if (kind == FaultKind.ClockOffset)
        {
            _cube.SetClock(rank, TimeSpan.FromMilliseconds(_random.Next(-60_000, 60_001)), 0);
        }

        Add(kind, At(rank), mayStay: true, length, () => _cube.Revive(rank));
    }

    private bool StaysOneWithout(int rank)
    {
        Truth.SetRuns(rank, false);
        bool stays = Truth.IsOneMajority();
        Truth.SetRuns(rank, true);
        return stays;
    }

    private void CutCable(bool oneWay, long length, bool mustStayOne)
    {
        int rank = _random.Next(Truth.Shape.Count);
        Link[] cabled = [.. ToList(Truth.Shape.CabledLinks(Truth.Shape.At(rank)))];
        if (cabled.Length == 0)
        {
            return;
        }

        Link link = cabled[_random.Next(cabled.Length)];
        (int Rank, Link Link)[] directions = oneWay
            ? [(rank, link)]
            : [(rank, link), (Truth.Peer(rank, link), link.Opposite())];
        Add(directions, +1);
        if (mustStayOne && !Truth.IsOneMajority())
        {
            Add(directions, -1);
            return;
        }

        Add(
            oneWay ? FaultKind.OneWayCut : FaultKind.Cut,
            At(rank, link),
            mayStay: true,
            length,
            () => Add(directions, -1)
        );
    }

    private void Divide(FaultKind kind, string where, Func<int, bool> isOnThisSide, bool oneWay)
    {
        var directions = new List<(int Rank, Link Link)>();
        for (int rank = 0; rank < Truth.Shape.Count; rank++)
        {
            foreach (Link link in Truth.Shape.CabledLinks(Truth.Shape.At(rank)))
            {
                bool leaves = isOnThisSide(rank) && !isOnThisSide(Truth.Peer(rank, link));
                bool comes = !isOnThisSide(rank) && isOnThisSide(Truth.Peer(rank, link));
                if (leaves || (comes && !oneWay))
                {
                    directions.Add((rank, link));
                }
            }
        }

        Add(directions, +1);
        Add(kind, where, mayStay: true, Length(5), () => Add(directions, -1));
    }

    private void Flap()
    {
        int rank = _random.Next(Truth.Shape.Count);
        Link[] cabled = [.. ToList(Truth.Shape.CabledLinks(Truth.Shape.At(rank)))];
        if (cabled.Length == 0)
        {
            return;
        }

        Link link = cabled[_random.Next(cabled.Length)];
        (int Rank, Link Link)[] directions = [(rank, link), (Truth.Peer(rank, link), link.Opposite())];
        bool isCut = false;
        void Turn(int by)
        {
            isCut = by > 0;
            Add(directions, by);
        }

        ActiveFault fault = Add(
            FaultKind.Flapping,
            At(rank, link),
            mayStay: false,
            Length(8),
            () =>
            {
                if (isCut)
                {
                    Turn(-1);
                }
            }
        );
        void Next()
        {
            if (fault.IsActive)
            {
                Turn(isCut ? -1 : +1);
                _agenda.Enqueue(Next, (Now + _random.NextInt64(_detectionNanos / 100, _detectionNanos), _order++));
            }
        }

        Next();
    }

    private void Disturb(FaultKind kind)
    {
        double part = _cube.Options.DisturbedPart;
        LinkFault fault = kind switch
        {
            FaultKind.Loss => new PacketLoss(part),
            FaultKind.Corruption => new PacketCorruption(part),
            FaultKind.Duplication => new PacketDuplication(part),
            FaultKind.Delay => new PacketDelay(Part(0.05), Part(0.05)),
            FaultKind.Reordering => new PacketReordering(part, Part(0.05)),
            FaultKind.SlowLink => new LinkRateLimit(Math.Max(10_000_000, _cube.Options.LinkBitsPerSecond / 10)),
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a fault of links."),
        };
        (LinkScope scope, string where) = DrawScope();
        LinkScope[] scopes = kind == FaultKind.Corruption ? [.. Corruptible.Select(scope.OfService)] : [scope];
        IDisposable[] rules = [.. scopes.Select(s => _cube.Cube.LinkFaults.Add(fault, s))];
        Add(kind, where, mayStay: false, Length(8), () => Array.ForEach(rules, r => r.Dispose()));
    }

    private (LinkScope Scope, string Where) DrawScope()
    {
        Coordinate server = Truth.Shape.At(_random.Next(Truth.Shape.Count));
        Link[] cabled = [.. ToList(Truth.Shape.CabledLinks(server))];
        switch (_random.Next(4))
        {
            case 0:
                return (LinkScope.Server(server), $"{server}");
            case 1 when cabled.Length > 0:
                Link link = cabled[_random.Next(cabled.Length)];
                return (LinkScope.Cable(server, link), $"{server} {link.Name()}");
            default:
                return (LinkScope.All, "everywhere");
        }
    }

    private TimeSpan Part(double ofDetection) =>
        _cube.Options.DetectionTime * (ofDetection * (0.01 + _random.NextDouble()) / 1.01);

    private void Pause()
    {
        int rank = _random.Next(Truth.Shape.Count);
        if (!Truth.Runs(rank) || _cube.Cube.IsPaused(rank))
        {
            return;
        }

        long length = Length(4);
        _cube.Pause(rank, length);
        Add(FaultKind.Pause, At(rank), mayStay: false, length, () => _cube.Resume(rank));
    }

    private void PauseAtClock()
    {
        int rank = _random.Next(Truth.Shape.Count);
        long length = Length(4);

        // It may begin as late as the fault ends, and cannot be ended: a time of rest must not begin in it.
        if (Truth.Runs(rank) && Now + (2 * length) < _roundEnd)
        {
            _cube.PauseAtReadClock(rank, length);
            Add(FaultKind.PauseAtClock, At(rank), mayStay: false, length, () => _cube.PauseAtReadClock(rank, 0));
        }
    }

    // Faults of disks are no matter of the cube: they may stay in a time of rest.
    private void Harm(FaultKind kind, bool mustStayOne)
    {
        int rank = _random.Next(Truth.Shape.Count);
        long length = Length(8),
            stuck = _cube.Cube.DiskFaults.CountsOf(rank).Stuck;
        bool isStuck = kind == FaultKind.StuckDisk;
        DiskFault[] faults = Trouble(kind);
        if (!MayHarm(rank, kind) || (isStuck && !MayRestart(rank, mustStayOne)))
        {
            return;
        }

        IDisposable[] rules = [.. faults.Select(fault => _cube.Cube.DiskFaults.Add(fault, rank))];
        ActiveFault fault = Add(kind, At(rank), mayStay: true, length, () => HealDisk(rank, rules, stuck));
        fault.MayEnd = () => !isStuck || MayRestart(rank, mustStayOne);
    }

    private void HealDisk(int rank, IDisposable[] rules, long stuckBefore)
    {
        Array.ForEach(rules, rule => rule.Dispose());
        if (Truth.Runs(rank) && _cube.Cube.DiskFaults.CountsOf(rank).Stuck > stuckBefore)
        {
            _cube.Kill(rank);
            _cube.Revive(rank);
        }
    }

    private DiskFault[] Trouble(FaultKind kind) =>
        DiskTrouble.Of(kind, _cube.Options.DisturbedPart, _cube.Options.DetectionTime, _random);

    private bool MayRestart(int rank, bool mustStayOne) => !mustStayOne || !Truth.Runs(rank) || StaysOneWithout(rank);

    private bool MayHarm(int rank, FaultKind kind) => _workloads.All(workload => workload.MayHarm(rank, kind));

    private void Add(IEnumerable<(int Rank, Link Link)> directions, int by)
    {
        foreach ((int rank, Link link) in directions)
        {
            _cube.AddCut(rank, link, by);
        }
    }

    private string At(int rank) => Truth.Shape.At(rank).ToString();

    private string At(int rank, Link link) => $"{At(rank)} {link.Name()}";

    private ActiveFault Add(FaultKind kind, string where, bool mayStay, long length, Action undo)
    {
        _tally.Add(ClassOf(kind));
        var fault = new ActiveFault(++_faults, $"{FaultNames.Of(kind)} {where}", mayStay, undo);
        _cube.NoteFault(begins: true, fault.Number, fault.Text);
        _active.Add(fault);
        if (length != long.MaxValue)
        {
            _agenda.Enqueue(() => End(fault), (Now + length, _order++));
        }

        return fault;
    }

    private void End(ActiveFault fault)
    {
        if (fault.IsActive && !fault.MayEnd())
        {
            _agenda.Enqueue(() => End(fault), (Now + _detectionNanos, _order++));
        }
        else if (fault.IsActive)
        {
            fault.IsActive = false;
            _active.Remove(fault);
            fault.Undo();
            _cube.NoteFault(begins: false, fault.Number, fault.Text);
        }
    }

    private static IEnumerable<Link> ToList(LinkSet links)
    {
        for (int link = 0; link < Links.Cables; link++)
        {
            if (links.Contains((Link)link))
            {
                yield return (Link)link;
            }
        }
    }

    private sealed class ActiveFault(long number, string text, bool mayStay, Action undo)
    {
        public long Number => number;

        public string Text => text;

        public bool MayStay => mayStay;

        public bool IsActive { get; set; } = true;

        public Func<bool> MayEnd { get; set; } = static () => true;

        public Action Undo => undo;
    }
}
