namespace CamCube;

/// <summary>A <see cref="Counter"/> per value of a label, for things with names that come and go: endpoints, jobs. The
/// first so many are told by their names, those beyond in one sum.</summary>
/// <param name="name">Name within the service.</param>
/// <param name="unit">Unit in UCUM style.</param>
/// <param name="label">What the values are: <c>endpoint</c>.</param>
/// <param name="most">How many are told by name, from 0: whoever reads them has a bound.</param>
public sealed class LabelledCounter(string name, string unit, string label, int most)
{
    /// <summary>The value of the label that stands for all that are not told by name.</summary>
    public const string Others = "(others)";

    private readonly Lock _lock = new();
    private readonly LinkedList<(string Of, Counter Counter)> _inOrder = [];
    private readonly Dictionary<Counter, LinkedListNode<(string Of, Counter Counter)>> _byCounter = [];

    /// <summary>Name within the service.</summary>
    public string Name { get; } = name;

    /// <summary>Unit in UCUM style.</summary>
    public string Unit { get; } = unit;

    /// <summary>What the values are.</summary>
    public string Label { get; } = label;

    /// <summary>A counter that begins at 0. Loop only.</summary>
    /// <param name="of">The label's value. Two with the same one are told twice.</param>
    public Counter Add(string of)
    {
        var counter = new Counter(Name, Unit);
        lock (_lock)
        {
            _byCounter.Add(counter, _inOrder.AddLast((of, counter)));
        }

        return counter;
    }

    /// <summary>What it counted is gone, and told no more. Loop only.</summary>
    public void Remove(Counter counter)
    {
        lock (_lock)
        {
            if (_byCounter.Remove(counter, out LinkedListNode<(string Of, Counter Counter)>? node))
            {
                _inOrder.Remove(node);
            }
        }
    }

    /// <summary>The values now, in the order in which they were added; then those of all others together, if there are
    /// any. Any thread. Allocates.</summary>
    public IReadOnlyList<(string Of, long Value)> Read()
    {
        List<(string, long)> read = [];
        (long rest, int number) = (0, 0);
        lock (_lock)
        {
            foreach ((string of, Counter counter) in _inOrder)
            {
                if (number++ < most)
                {
                    read.Add((of, counter.Value));
                }
                else
                {
                    rest += counter.Value;
                }
            }
        }

        if (number > most)
        {
            read.Add((Others, rest));
        }

        return read;
    }
}
