using CamCube.Faults;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>Does the faults of a list to a cube, each at its time, and ends them. What does not fit the moment, a
/// server that is to stop and does not run, is left out. One thread, between advances.</summary>
internal sealed class SwarmFaultPlayer
{
    private readonly TestCube _cube;
    private readonly ulong _seed;
    private readonly long _begin;
    private readonly PriorityQueue<Action, (long Nanos, int Order)> _agenda = new();
    private readonly List<Action> _open = [];
    private int _order;

    public SwarmFaultPlayer(TestCube cube, ulong seed, IEnumerable<SwarmFault> faults)
    {
        (_cube, _seed, _begin) = (cube, seed, cube.NowNanos);
        foreach (SwarmFault fault in faults)
        {
            At(fault.At, () => Begin(fault));
        }
    }

    /// <summary>When something is to be done next.</summary>
    public long NextNanos => _agenda.TryPeek(out _, out (long Nanos, int Order) first) ? first.Nanos : long.MaxValue;

    /// <summary>Faults that were done so far, in order.</summary>
    public List<SwarmFault> Done { get; } = [];

    private TorusShape Shape => _cube.Shape;

    /// <summary>Does what is due.</summary>
    public void Run()
    {
        while (NextNanos <= _cube.NowNanos)
        {
            _agenda.Dequeue()();
        }
    }

    /// <summary>Ends all, and begins none any more. Every server runs then.</summary>
    public void End()
    {
        _agenda.Clear();
        foreach (Action end in _open.ToArray())
        {
            end();
        }

        for (int rank = 0; rank < Shape.Count; rank++)
        {
            _cube.Revive(Shape.At(rank));
        }
    }

    private void At(TimeSpan time, Action act) => _agenda.Enqueue(act, (_begin + (time.Ticks * 100), _order++));

    private void Begin(SwarmFault fault)
    {
        if (Start(fault) is not { } undo)
        {
            return;
        }

        Done.Add(fault);
        void End()
        {
            if (_open.Remove(End))
            {
                undo();
            }
        }

        _open.Add(End);
        At(fault.At + fault.Length, End);
    }

    // What undoes it; null: it cannot begin now.
    private Action? Start(SwarmFault fault)
    {
        switch (fault.Kind)
        {
            case FaultKind.Cut:
                return Links(new LinkCut(), SwarmFaultPlace.LinksOf(Shape, fault.Where));
            case FaultKind.OneWayCut:
                return Links(new LinkCut(), SwarmFaultPlace.OneWay(Shape, fault.Where));
            case FaultKind.Isolation:
                return Links(new LinkCut(), LinkScope.Server(Shape.At(RankOf(fault))));
            case FaultKind.Flapping:
                var flapping = new LinkFlapping(TimeSpan.FromMilliseconds(fault.Amount), 0.5, fault.At);
                return Links(flapping, SwarmFaultPlace.LinksOf(Shape, fault.Where));
            case FaultKind.Plane or FaultKind.Halves:
                return Links(new LinkCut(), LinkScope.Between(SwarmFaultPlace.SetOf(Shape, fault.Where)));
            case FaultKind.OneWayHalves:
                return Links(new LinkCut(), LinkScope.Leaving(SwarmFaultPlace.SetOf(Shape, fault.Where)));
            case FaultKind.Pause:
                return Pause(fault);
            case FaultKind.PauseAtClock:
                return Running(fault, rank => _cube.PauseAtReadClock(Shape.At(rank), fault.Length), static _ => { });
            case FaultKind.ClockDrift:
                return Running(
                    fault,
                    rank => _cube.Cube.SetClock(rank, TimeSpan.Zero, (int)fault.Amount),
                    rank => _cube.Cube.SetClock(rank, TimeSpan.Zero)
                );
            case var kind when SwarmFault.IsStop(kind) && kind != FaultKind.StuckDisk:
                return Stop(fault);
            case >= FaultKind.DiskRot:
                return Disk(fault);
            default:
                return Disturb(fault);
        }
    }

    private Action Links(LinkFault fault, params LinkScope[] scopes)
    {
        IDisposable[] rules = [.. scopes.Select(scope => _cube.LinkFaults.Add(fault, scope))];
        return () => Array.ForEach(rules, rule => rule.Dispose());
    }

    private Action Disturb(SwarmFault fault)
    {
        double part = Math.Min(1, fault.Amount / 100);
        var amount = TimeSpan.FromMilliseconds(fault.Amount);
        LinkFault rule = fault.Kind switch
        {
            FaultKind.Loss => new PacketLoss(part),
            FaultKind.Corruption => new PacketCorruption(part),
            FaultKind.Duplication => new PacketDuplication(part),
            FaultKind.Delay => new PacketDelay(amount, amount),
            FaultKind.Reordering => new PacketReordering(part, _cube.DetectionTime * 0.05),
            FaultKind.SlowLink => new LinkRateLimit((long)(fault.Amount * 1e6)),
            _ => throw new ArgumentOutOfRangeException(nameof(fault), fault.Kind, "Not a fault of links."),
        };

        // The cube's own packets are protected by nothing but the cable's checksum, which this goes round.
        LinkScope scope = SwarmFaultPlace.LinksOf(Shape, fault.Where);
        return fault.Kind == FaultKind.Corruption
            ? Links(rule, [.. _cube.ServiceIds.Select(scope.OfService)])
            : Links(rule, scope);
    }

    private Action? Running(SwarmFault fault, Action<int> begin, Action<int> end)
    {
        int rank = RankOf(fault);
        if (!_cube.Cube.IsRunning(rank))
        {
            return null;
        }

        begin(rank);
        return () => end(rank);
    }

    private Action? Pause(SwarmFault fault) =>
        _cube.Cube.IsPaused(RankOf(fault))
            ? null
            : Running(
                fault,
                rank => _cube.Pause(Shape.At(rank), fault.Length),
                rank =>
                {
                    if (_cube.Cube.IsRunning(rank) && _cube.Cube.IsPaused(rank))
                    {
                        _cube.Pause(Shape.At(rank), TimeSpan.Zero);
                    }
                }
            );

    private Action? Stop(SwarmFault fault) =>
        Running(
            fault,
            rank =>
            {
                IDisposable[] rules = DiskRules(fault, rank);
                _cube.Kill(Shape.At(rank));
                Array.ForEach(rules, rule => rule.Dispose());
                if (fault.Kind == FaultKind.ClockOffset)
                {
                    _cube.Cube.SetClock(rank, TimeSpan.FromMilliseconds(fault.Amount));
                }
            },
            rank => _cube.Revive(Shape.At(rank))
        );

    private Action Disk(SwarmFault fault)
    {
        int rank = RankOf(fault);
        long stuck = _cube.DiskFaults.CountsOf(rank).Stuck;
        IDisposable[] rules = DiskRules(fault, rank);
        return () =>
        {
            Array.ForEach(rules, rule => rule.Dispose());

            // What is stuck stays so until the server starts anew.
            if (_cube.Cube.IsRunning(rank) && _cube.DiskFaults.CountsOf(rank).Stuck > stuck)
            {
                _cube.Kill(Shape.At(rank));
                _cube.Revive(Shape.At(rank));
            }
        };
    }

    private IDisposable[] DiskRules(SwarmFault fault, int rank)
    {
        // What the text does not say follows from where and when it is, however long it lasts.
        Random random = SwarmRandom.Of(_seed, $"{fault.Kind} {fault.Where} {fault.At}");
        double part = Math.Min(1, fault.Amount / 100);
        DiskFault[] faults = DiskTrouble.Of(fault.Kind, part, _cube.DetectionTime, random);
        return [.. faults.Select(f => _cube.DiskFaults.Add(f, rank))];
    }

    private int RankOf(SwarmFault fault) => SwarmFaultPlace.RankOf(Shape, fault.Where);
}
