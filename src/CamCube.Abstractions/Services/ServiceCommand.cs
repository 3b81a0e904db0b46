namespace CamCube;

/// <summary>A command of a service.</summary>
/// <param name="Name">Lower-case name.</param>
/// <param name="Help">One line: what it does and its arguments.</param>
public sealed record ServiceCommand(string Name, string Help);
