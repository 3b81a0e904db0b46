namespace CamCube.Simulator.Swarm;

/// <summary>How often what happened, by event class: of one run, or summed over many. Order of output is the order of
/// classes' names.</summary>
public sealed class SwarmTally
{
    private readonly SortedDictionary<string, long> _counts = new(StringComparer.Ordinal);

    /// <summary>Counts by class.</summary>
    public IReadOnlyDictionary<string, long> Counts => _counts;

    /// <summary>The count of a class, 0 if there is none.</summary>
    public long this[string eventClass] => _counts.GetValueOrDefault(eventClass);

    /// <summary>More events of a class. Zero makes the class known.</summary>
    public void Add(string eventClass, long count = 1) =>
        _counts[eventClass] = _counts.GetValueOrDefault(eventClass) + count;

    /// <summary>Adds all of another tally.</summary>
    public void Add(SwarmTally other)
    {
        foreach ((string eventClass, long count) in other.Counts)
        {
            Add(eventClass, count);
        }
    }
}
