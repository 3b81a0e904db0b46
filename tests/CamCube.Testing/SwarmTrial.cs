using CamCube.Histories.Recording;
using CamCube.Simulator.Settings;

namespace CamCube.Testing;

/// <summary>Runs one seed of a plan: the cube, the faults beside the scenario, and what is looked at in the
/// end.</summary>
internal sealed class SwarmTrial
{
    private const long LeastStepNanos = 10_000;
    private const long MostStepNanos = 1_000_000;
    private readonly SwarmPlan _plan;
    private readonly ulong _seed;
    private readonly IReadOnlyList<SwarmFault> _faults;
    private readonly Func<SwarmCase, Task> _scenario;
    private readonly TestCube _cube;
    private readonly SwarmLoop _loop = new();
    private readonly SwarmCase _run;
    private SwarmFaultPlayer? _player;
    private bool _isCalm;
    private int _faultsSeen;

    private SwarmTrial(
        SwarmPlan plan,
        ulong seed,
        IReadOnlyList<SwarmFault> faults,
        IReadOnlyDictionary<string, int> numbers,
        Func<SwarmCase, Task> scenario
    )
    {
        (_plan, _seed, _faults, _scenario) = (plan, seed, faults, scenario);
        var simulator = new SimulatorOptions();
        plan.Simulator?.Invoke(simulator);
        (simulator.Seed, simulator.Threads, simulator.IsTracing) = (seed, 1, true);
        _cube = new TestCube(plan.Shape, simulator, plan.ServerOptions()) { CallbackLimit = plan.CallbackLimit };
        _run = new SwarmCase(plan, seed, _cube, _loop, numbers);
        _cube.WatchScenario(seed, () => _loop.IsTurning ? _loop.Turns : null, plan.FailFast);
    }

    private long Now => _cube.NowNanos;

    /// <summary>Runs it.</summary>
    /// <param name="plan">What is run.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="faults">The faults; null: those that are drawn.</param>
    /// <param name="numbers">Numbers instead of drawn ones.</param>
    /// <param name="scenario">What is done.</param>
    public static SwarmOutcome Run(
        SwarmPlan plan,
        ulong seed,
        IReadOnlyList<SwarmFault>? faults,
        IReadOnlyDictionary<string, int> numbers,
        Func<SwarmCase, Task> scenario
    )
    {
        var trial = new SwarmTrial(plan, seed, faults ?? new SwarmFaultDraw(plan, seed).Draw(), numbers, scenario);
        using TestCube cube = trial._cube;
        plan.Services(cube);
        return trial.Run();
    }

    private SwarmOutcome Run()
    {
        SwarmFinding? finding;
        try
        {
            using (_cube.DriveForSwarm())
            {
                Play();
            }

            finding = _run.Finding;
        }
        catch (TimeoutException e)
        {
            // Of real time: more runs would cost as much each.
            finding = new SwarmFinding("hang", () => e.Message, e, CanShrink: false);
        }
        catch (SwarmLoopException e)
        {
            finding = new SwarmFinding("endless scenario", () => e.Message, CanShrink: false);
        }
        catch (Exception e)
        {
            // Of the cube, or of a history: it must not go by without the seed.
            finding = new SwarmFinding(
                $"broken {e.GetType().FullName}",
                () => $"The run broke off: {e.GetType().Name}: {e.Message}",
                e
            );
        }

        return new SwarmOutcome(
            finding,
            _faults,
            _player?.Done ?? [],
            _run.Numbers,
            _cube.Cube.TraceHash,
            Now,
            _run.Histories.Sum(static h => (long)h.Operations),
            _run.Answers.Answered,
            _run.Answers.Unanswered
        );
    }

    private void Play()
    {
        _player = new SwarmFaultPlayer(_cube, _seed, _faults);
        Task? scenario = null;
        _loop.Post(_ => scenario = _run.RunAsync(_scenario), null);
        if (!Drive(() => scenario is { IsCompleted: true }, "The scenario"))
        {
            return;
        }

        if (_run.Waits is { Count: > 0 } left)
        {
            _run.Fail(
                new SwarmFinding(
                    "left waiting",
                    () => $"The scenario has ended while somebody still waits; await all that it begins:{Lines(left)}"
                )
            );
            return;
        }

        CheckHistories();
        Task calm = Task.CompletedTask;
        _loop.Post(_ => calm = _run.CalmAsync(), null);
        _loop.Run(Now);
        if (
            _run.Finding is null
            && Drive(() => calm.IsCompleted, "The cube, with all faults over,")
            && _plan.MustBeQuiet
        )
        {
            CheckQuiet();
        }
    }

    private bool Drive(Func<bool> done, string who)
    {
        long deadline = Now + (_plan.Deadline.Ticks * 100),
            step = LeastStepNanos;
        while (true)
        {
            LookAtFaults();
            bool hasMoved = _loop.Run(Now);
            if (_run.WantsCalm && !_isCalm)
            {
                _isCalm = true;
                _player!.End();
            }

            if (_loop.HasForeign)
            {
                const string What =
                    "The scenario awaits something that ends on another thread (Task.Delay, Task.Run, files, sockets): "
                    + "such a run cannot be repeated. Await members of the run and its clients";
                _run.Fail(new SwarmFinding("foreign thread", static () => $"{What}.", CanShrink: false));
            }

            if (_run.Finding is not null || done())
            {
                return _run.Finding is null;
            }

            if (Now >= deadline)
            {
                _run.Fail(Hang(who));
                return false;
            }

            // Behind the clients: they have got the answers that came before a server stops.
            _player!.Run();

            // Fine steps while clients go on, coarse ones while they wait.
            step = hasMoved ? LeastStepNanos : Math.Min(MostStepNanos, step + (step >> 2));
            _cube.Cube.AdvanceTo(
                Math.Min(Math.Min(Now + step, deadline), Math.Min(_player.NextNanos, _loop.NextNanos))
            );
        }
    }

    private SwarmFinding Hang(string who)
    {
        IReadOnlyList<string> waits = _run.Waits;
        string text =
            $"{who} did not end within {_plan.Deadline} of virtual time (SwarmPlan.Deadline)"
            + (
                waits.Count > 0 ? $":{Lines(waits)}"
                : _loop.NextNanos < long.MaxValue ? ". It lets time pass again and again, and asks nobody."
                : ". It waits for none of the run's members: what else it awaits does not end in virtual time."
            );
        return new SwarmFinding("hang", () => text);
    }

    private void LookAtFaults()
    {
        for (; _faultsSeen < _cube.Faults.Count; _faultsSeen++)
        {
            ServiceFault fault = _cube.Faults[_faultsSeen];
            if (_plan.MayFault?.Invoke(fault) != true)
            {
                Exception e = fault.Exception;
                string at = FormattableString.Invariant($"{fault.Server} at {Now / 1e6:F3} ms");
                _run.Fail(
                    new SwarmFinding(
                        $"fault {fault.Service} {e.GetType().FullName}",
                        () => $"Service {fault.Service} threw on {at}: {e.GetType().Name}: {e.Message}\n{e.StackTrace}",
                        e
                    )
                );
            }
        }
    }

    private void CheckHistories()
    {
        string? undecided = null;
        foreach (IRecordedHistory history in _run.Histories)
        {
            HistoryFinding found = history.Check();
            if (found.Holds == false)
            {
                _run.Fail(new SwarmFinding($"history {history.Name}", () => found.Text));
                return;
            }

            undecided ??= found.Holds is null ? found.Text : null;
        }

        if (undecided is not null)
        {
            _run.Fail(new SwarmFinding("not decided", () => undecided, CanShrink: false));
        }
    }

    private void CheckQuiet()
    {
        try
        {
            _cube.CheckQuiet(_plan.MayFault is null);
        }
        catch (InvalidOperationException e)
        {
            _run.Fail(new SwarmFinding("not quiet", () => e.Message, e));
        }
    }

    private static string Lines(IReadOnlyList<string> lines)
    {
        const int Most = 10;
        string more = lines.Count > Most ? $"\n  and {lines.Count - Most} more" : "";
        return string.Concat(lines.Take(Most).Select(static line => $"\n  {line}")) + more;
    }
}
