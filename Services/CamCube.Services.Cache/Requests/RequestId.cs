namespace CamCube.Services.Cache.Requests;

/// <summary>Names one change that one server asked for, in all its attempts.</summary>
/// <param name="Asker">The asking server.</param>
/// <param name="Run">Its run.</param>
/// <param name="Number">Number within the run, growing.</param>
internal readonly record struct RequestId(Coordinate Asker, ulong Run, ulong Number);
