namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Counters of one attempt. Any thread.</summary>
internal sealed class TaskCounters
{
    /// <summary>The group of what the service itself counts, as Hadoop's clients know it.</summary>
    public const string Framework = "Map-Reduce Framework";

    /// <summary>Most counters of an attempt; others are not counted.</summary>
    public const int Most = 1_000;

    /// <summary>Characters of a group or name that are kept.</summary>
    public const int MostName = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Group, string Name), long> _values = [];

    /// <summary>Adds to a counter.</summary>
    public void Add(string group, string name, long value)
    {
        (group, name) = (Cut(group), Cut(name));
        lock (_gate)
        {
            if (_values.TryGetValue((group, name), out long before))
            {
                _values[(group, name)] = unchecked(before + value);
            }
            else if (_values.Count < Most)
            {
                _values.Add((group, name), value);
            }
        }
    }

    /// <summary>Adds to a counter of a function in C#, which may say anything. It has none of the service's
    /// own.</summary>
    public void AddOf(string? group, string? name, long value) =>
        Add(group is null or Framework ? "" : group, name ?? "", value);

    /// <summary>Adds to one of the service's own.</summary>
    public void Add(string name, long value) => Add(Framework, name, value);

    private static string Cut(string text) => text.Length <= MostName ? text : text[..MostName];

    /// <summary>All of them.</summary>
    public IReadOnlyList<JobCounter> ToList()
    {
        lock (_gate)
        {
            return
            [
                .. _values
                    .OrderBy(static v => v.Key.Group, StringComparer.Ordinal)
                    .ThenBy(static v => v.Key.Name, StringComparer.Ordinal)
                    .Select(static v => new JobCounter(v.Key.Group, v.Key.Name, v.Value)),
            ];
        }
    }
}
