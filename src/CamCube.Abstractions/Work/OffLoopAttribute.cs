namespace CamCube;

/// <summary>
/// On a parameter that takes a function: it is run on another thread than the server's loop, as
/// <see cref="IServerWork.OffloadAsync"/> runs its work. It says so to readers and to the analyzers
/// (docs/analyzers.md): what such a function does may block, and must not use the server. Nothing is done by it.
/// </summary>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class OffLoopAttribute : Attribute;
