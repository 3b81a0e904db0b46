namespace CamCube;

/// <summary>A number that its server's loop writes and anybody reads.</summary>
/// <param name="name">Name within the service.</param>
/// <param name="unit">Unit in UCUM style: <c>By</c>, <c>{packet}</c>.</param>
public sealed class Counter(string name, string unit)
{
    private long _value;

    /// <summary>Name within the service.</summary>
    public string Name { get; } = name;

    /// <summary>Unit in UCUM style.</summary>
    public string Unit { get; } = unit;

    /// <summary>The value. Any thread.</summary>
    public long Value => Volatile.Read(ref _value);

    /// <summary>Adds. Loop only.</summary>
    public void Add(long amount = 1) => Volatile.Write(ref _value, _value + amount);

    /// <summary>Sets a level (a size, a length). Loop only.</summary>
    public void Set(long value) => Volatile.Write(ref _value, value);
}
