namespace CamCube.Runtime.Cubes;

/// <summary>The value of one counter.</summary>
/// <param name="Name">Name within the service.</param>
/// <param name="Unit">Unit in UCUM style.</param>
/// <param name="Link">The link it counts for, or null.</param>
/// <param name="Value">Value.</param>
public readonly record struct CounterValue(string Name, string Unit, Link? Link, long Value)
{
    /// <summary>The label it counts for, <c>endpoint</c>, or null.</summary>
    public string? Label { get; init; }

    /// <summary>The label's value, or null.</summary>
    public string? Of { get; init; }
}
