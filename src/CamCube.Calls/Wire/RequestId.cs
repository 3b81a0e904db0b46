namespace CamCube.Calls;

/// <summary>Names one change that one server asked for, in all its attempts, for ever.</summary>
/// <param name="Asker">The asking server.</param>
/// <param name="Run">Its run.</param>
/// <param name="Number">Number within the run, growing.</param>
public readonly record struct RequestId(Coordinate Asker, ulong Run, ulong Number);
