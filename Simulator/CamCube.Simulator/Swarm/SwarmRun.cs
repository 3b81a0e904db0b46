using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// One swarm run: a cube under the faults that its options say, in rounds. After each round nothing changes any more
/// and the cube must settle; after the last one everything is healed but for a few servers and cables, so that a
/// connected core is left. Checkers look all the time. One thread; equal options give equal results.
/// </summary>
public sealed class SwarmRun : IDisposable
{
    private const long StepNanos = 1_000_000;
    private const long WatchNanos = 40_000_000;
    private const long PatienceNanos = 60_000_000;
    private const long MostIdleNanos = 30_000_000_000;
    private readonly SwarmOptions _options;
    private readonly IReadOnlyList<ISwarmWorkload> _workloads;
    private readonly IRunRecorder? _recorder;
    private readonly CancellationToken _cancel;
    private readonly SwarmTally _tally = new();
    private readonly SwarmCube _cube;
    private readonly FaultDriver _faults;
    private readonly KeyTraffic? _keys;
    private readonly PingTraffic? _pings;
    private readonly DeliveryChecker? _deliveries;
    private readonly PingChecker? _answers;
    private readonly ReachabilityChecker _reachability;
    private readonly ConvergenceChecker _convergence;
    private readonly PacketChecker _packets;
    private readonly FaultChecker _exceptions = new();
    private ulong _traceHash;

    private SwarmRun(
        SwarmOptions options,
        IReadOnlyList<ISwarmWorkload> workloads,
        IRunRecorder? recorder,
        CancellationToken cancel
    )
    {
        (_options, _workloads, _recorder, _cancel) = (options, workloads, recorder, cancel);
        TorusShape shape = options.ToShape();
        var services = new List<ServiceDefinition>();
        bool isCanary = options.Services.Contains(SwarmServices.Canary);
        if (isCanary || options.Services.Contains(SwarmServices.Keys))
        {
            _keys = new KeyTraffic(shape, options.KeyPacketsPerSecond, options.MostBodyBytes);
            services.Add(isCanary ? _keys.DefineCanary() : _keys.Define());
        }

        if (options.Services.Contains(SwarmServices.Pings))
        {
            _pings = new PingTraffic(shape, options.PingsPerSecond);
            services.Add(_pings.Define());
        }

        services.AddRange(workloads.SelectMany(w => w.Services));
        _cube = new SwarmCube(options, services, recorder);
        _faults = new FaultDriver(_cube, _tally, workloads);
        _deliveries = _keys is null
            ? null
            : new DeliveryChecker(_cube.Truth, options.IsStrict, options.Has(FaultKind.Duplication));
        _answers = _pings is null ? null : new PingChecker(_cube.Truth, _pings);
        _reachability = new ReachabilityChecker(_cube.Cube, _cube.Truth);
        _convergence = new ConvergenceChecker(_reachability, _cube.Truth, (long)options.DetectionTime.TotalNanoseconds);
        _packets = new PacketChecker(_cube);
    }

    private IEnumerable<Checker> Checkers
    {
        get
        {
            IEnumerable<Checker?> all =
            [
                _cube.Roots,
                _deliveries,
                _answers,
                _reachability,
                _convergence,
                _packets,
                _exceptions,
            ];
            return all.OfType<Checker>().Concat(_workloads.SelectMany(w => w.Checkers));
        }
    }

    private long Now => _cube.Cube.NowNanos;

    /// <summary>Runs it.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="workloads">Work on services that the simulator does not know, for this run only.</param>
    /// <param name="recorder">Looks on; changes nothing. The run does not end early for it.</param>
    /// <param name="cancel">Ends it early, with an exception.</param>
    /// <exception cref="ArgumentException">The options name a shape that is none.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static SwarmResult Run(
        SwarmOptions options,
        IReadOnlyList<ISwarmWorkload> workloads,
        IRunRecorder? recorder = null,
        CancellationToken cancel = default
    )
    {
        using var run = new SwarmRun(options, workloads, recorder, cancel);
        return run.Run();
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    private SwarmResult Run()
    {
        foreach (ISwarmWorkload workload in _workloads)
        {
            workload.Begin(_cube);
        }

        // A cold cube boots, a commissioned one is settled already. While nobody has keys, packets to keys end
        // anywhere.
        SetTraffic(false);
        Settle(withWatch: false);
        SetTraffic(true);
        for (int round = 1; round <= _options.Rounds; round++)
        {
            long end = Now + (_options.RoundMillis * 1_000_000L);
            TellStill(false);
            _faults.BeginRound(end);
            AdvanceTo(end, withFaults: true);
            if (round < _options.Rounds)
            {
                _faults.Rest();
            }
            else
            {
                _faults.Heal();
            }

            Settle();
        }

        Finish();
        return Result();
    }

    private void SetTraffic(bool isOn)
    {
        if (_keys is not null)
        {
            _keys.IsOn = isOn;
        }

        if (_pings is not null)
        {
            _pings.IsOn = isOn;
        }
    }

    private void TellStill(bool isStill)
    {
        foreach (ISwarmWorkload workload in _workloads)
        {
            workload.StandStill(isStill);
        }
    }

    private void Settle(bool withWatch = true)
    {
        TellStill(true);
        long until = _convergence.Begin(Now);
        while (Now < until)
        {
            AdvanceTo(Math.Min(until, Now + StepNanos), withFaults: false);
            _convergence.Look(Now);
        }

        if (_convergence.End(Now) && withWatch)
        {
            Watch();
        }
    }

    // The cube is settled and nothing happens: everything that is sent now must arrive where it should.
    private void Watch()
    {
        _reachability.CheckDistances(Now);
        _cube.Roots.CheckExactlyOne(Now);
        long from = Now,
            until = from + WatchNanos;
        _deliveries?.Watch(from, until);
        AdvanceTo(until + PatienceNanos, withFaults: false);
        _deliveries?.EndWatch(Now);
        _answers?.Check(from, until);
        _cube.Roots.CheckExactlyOne(Now);
    }

    private void Finish()
    {
        SetTraffic(false);
        for (long until = Now + MostIdleNanos; Now < until && _workloads.Any(w => !w.IsIdle); )
        {
            Step(Now + StepNanos, mayBegin: false);
        }

        Step(Now + PatienceNanos, mayBegin: false);
        foreach (ISwarmWorkload workload in _workloads)
        {
            workload.Finish();
        }

        if (_packets.AwaitQuiet())
        {
            _packets.CheckCables();
            long sent = (_keys?.Sent ?? 0) + (_pings?.Asked ?? 0),
                ended = (_keys?.Delivered ?? 0) + (_pings?.Ended ?? 0);
            _packets.CheckServices(sent, ended, isComplete: _workloads.Count == 0);
        }

        _cube.Roots.End(Now);
        _exceptions.Check(_cube.History, Now, fault => _workloads.Any(workload => workload.MayThrow(fault)));
        CountEvents();
        _traceHash = _cube.Cube.TraceHash;
        _recorder?.Advanced(Now);
        _recorder?.Ended();
        _cube.Dispose();
        _packets.CheckEnd();
    }

    private void AdvanceTo(long until, bool withFaults)
    {
        while (Now < until)
        {
            if (withFaults)
            {
                _faults.Run();
            }

            Step(
                Math.Min(
                    until,
                    Math.Min(Now + StepNanos, withFaults ? Math.Max(Now, _faults.NextNanos) : long.MaxValue)
                ),
                mayBegin: true
            );
        }
    }

    private void Step(long to, bool mayBegin)
    {
        _cancel.ThrowIfCancellationRequested();
        foreach (ISwarmWorkload workload in _workloads)
        {
            workload.Step(mayBegin);
        }

        _cube.Cube.AdvanceTo(to);
        _recorder?.Advanced(Now);
        List<Claim> changes = _cube.History.Take();
        _cube.Roots.Look(changes);
        _cube.Roots.LookNow(Now, _cube.Cube.ViewDigestOf);
        _deliveries?.Look(changes, _keys!.TakeSent(), _keys.TakeDelivered());
    }

    private void CountEvents()
    {
        foreach (DropReason reason in Enum.GetValues<DropReason>().Where(r => r != DropReason.None))
        {
            if (_cube.Drops(reason) is > 0 and long drops)
            {
                _tally.Add($"drop {reason}", drops);
            }
        }

        _tally.Add("packet arrived over cable", _cube.Cube.PacketHops);
        _tally.Add("packet lost on cable", _cube.Cube.LostOnCables);
        _tally.Add("simulator event", _cube.Cube.Events);
        _tally.Add("root overlap", _cube.Roots.Overlaps);
        if (_keys is not null)
        {
            _tally.Add("key packet sent", _keys.Sent);
            _tally.Add("key packet delivered", _keys.Delivered);
            _tally.Add("key packet damaged", _keys.Damaged);
            _tally.Add("key packet misdelivered", _deliveries!.Misdelivered);
            _tally.Add("key packet watched in settled cube", _deliveries.Watched);
        }

        if (_pings is not null)
        {
            _tally.Add("ping asked", _pings.Asked);
            _tally.Add("ping answered", _pings.Answered);
        }

        foreach (ISwarmWorkload workload in _workloads)
        {
            workload.AddTo(_tally);
        }
    }

    private SwarmResult Result()
    {
        foreach (Checker checker in Checkers)
        {
            _tally.Add($"check {checker.Name}", checker.Checks);
            _tally.Add($"check {checker.Name} failed", checker.FailureCount);
        }

        return new SwarmResult(
            _options,
            [.. Checkers.SelectMany(c => c.Failures).OrderBy(f => f.Nanos)],
            Checkers.Sum(c => c.FailureCount),
            _tally,
            _convergence.TimesNanos,
            _cube.Roots.LongestOverlapNanos,
            Now,
            _traceHash
        );
    }
}
