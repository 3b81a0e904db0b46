namespace CamCube.Runtime.Cubes;

/// <summary>The value of one counter.</summary>
/// <param name="Name">Name within the service.</param>
/// <param name="Unit">Unit in UCUM style.</param>
/// <param name="Link">The link it counts for, or null.</param>
/// <param name="Value">Value.</param>
public readonly record struct CounterValue(string Name, string Unit, Link? Link, long Value);
