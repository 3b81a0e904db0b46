namespace CamCube.Testing;

/// <summary>
/// Makes a run that fails smaller, as long as it fails in the same way: fewer faults (delta debugging), smaller
/// numbers, shorter faults. Every try is a whole run.
/// </summary>
internal sealed class SwarmShrinker
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(1);
    private readonly SwarmPlan _plan;
    private readonly Func<SwarmCase, Task> _scenario;
    private readonly SwarmOutcome _found;
    private readonly ulong _seed;
    private IReadOnlyList<SwarmFault> _faults;
    private Dictionary<string, int> _numbers;

    /// <summary>Begins with a run that fails.</summary>
    /// <param name="plan">What is run.</param>
    /// <param name="scenario">What is done.</param>
    /// <param name="found">The run that fails.</param>
    /// <param name="seed">Its seed.</param>
    public SwarmShrinker(SwarmPlan plan, Func<SwarmCase, Task> scenario, SwarmOutcome found, ulong seed)
    {
        (_plan, _scenario, _found, _seed, Best) = (plan, scenario, found, seed, found);
        _faults = found.Done;
        _numbers = found.Numbers.ToDictionary(n => n.Name, n => n.Value);
    }

    /// <summary>The smallest run so far.</summary>
    public SwarmOutcome Best { get; private set; }

    /// <summary>Runs that it took.</summary>
    public int Runs { get; private set; }

    /// <summary>Why the failure cannot be had again; null: it can.</summary>
    public string? Unrepeatable { get; private set; }

    /// <summary>The smallest run as a text.</summary>
    public SwarmReplay Replay => new(_seed, _numbers, _faults);

    /// <summary>Makes it as small as it gets within the limit.</summary>
    public void Run()
    {
        // The same once more: what differs now depends on something else than the _seed, and is not worth shrinking.
        SwarmOutcome again = SwarmTrial.Run(_plan, _seed, _found.Faults, _numbers, _scenario);
        Runs++;
        if (again.Finding?.Kind != _found.Finding!.Kind || again.TraceHash != _found.TraceHash)
        {
            Unrepeatable =
                again.Finding is { } other && other.Kind != _found.Finding.Kind ? $"it failed otherwise: {other.What()}"
                : again.Finding is null ? "it did not fail"
                : "it went another way, though it failed in the end";
            (_faults, Best) = (_found.Faults, _found);
            return;
        }

        if (!Try(_found.Done, _numbers))
        {
            // A fault whose time came after the failure was found changes nothing, or so it should be.
            _faults = _found.Faults;
        }

        if (!Try([], _numbers))
        {
            Fewer();
        }

        Smaller();
        Shorter();
        Fewer();
    }

    private void Fewer()
    {
        for (int size = Math.Max(1, _faults.Count / 2); size >= 1 && _faults.Count > 0; size /= 2)
        {
            for (int i = _faults.Count - size; i >= 0; i -= size)
            {
                Try([.. _faults.Take(i), .. _faults.Skip(i + size)], _numbers);
                i = Math.Min(i, _faults.Count);
            }
        }
    }

    private void Smaller()
    {
        foreach (SwarmNumber number in _found.Numbers)
        {
            // The least that fails, if whatever is larger does, too.
            for (long low = number.Least, high = _numbers.GetValueOrDefault(number.Name); low < high; )
            {
                long middle = low + ((high - low) / 2);
                var less = new Dictionary<string, int>(_numbers) { [number.Name] = (int)middle };
                (low, high) = Try(_faults, less) ? (low, middle) : (middle + 1, high);
            }
        }
    }

    private void Shorter()
    {
        for (int i = 0; i < _faults.Count; i++)
        {
            while (_faults[i].Length > Short)
            {
                SwarmFault less = _faults[i] with
                {
                    Length = SwarmFault.Millis(_faults[i].Length.TotalMilliseconds / 2),
                };
                if (!Try([.. _faults.Take(i), less, .. _faults.Skip(i + 1)], _numbers))
                {
                    break;
                }
            }
        }
    }

    private bool Try(IReadOnlyList<SwarmFault> faults, Dictionary<string, int> numbers)
    {
        if (Runs >= _plan.MostShrinkRuns)
        {
            return false;
        }

        Runs++;
        SwarmOutcome outcome = SwarmTrial.Run(_plan, _seed, faults, numbers, _scenario);
        if (outcome.Finding?.Kind != _found.Finding!.Kind)
        {
            return false;
        }

        (_faults, _numbers, Best) = (faults, numbers, outcome);
        return true;
    }
}
