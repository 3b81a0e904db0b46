namespace CamCube;

/// <summary>A <see cref="Counter"/> per link.</summary>
/// <param name="name">Name within the service.</param>
/// <param name="unit">Unit in UCUM style.</param>
public sealed class LinkCounter(string name, string unit)
{
    private readonly long[] _values = new long[Links.Count];

    /// <summary>Name within the service.</summary>
    public string Name { get; } = name;

    /// <summary>Unit in UCUM style.</summary>
    public string Unit { get; } = unit;

    /// <summary>The value of one link. Any thread.</summary>
    public long this[Link link] => Volatile.Read(ref _values[(int)link]);

    /// <summary>Adds. Loop only.</summary>
    public void Add(Link link, long amount = 1) => Volatile.Write(ref _values[(int)link], _values[(int)link] + amount);
}
