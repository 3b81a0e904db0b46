namespace CamCube.Services.Camdoop;

/// <summary>One counter of a job.</summary>
/// <param name="Group">Its group.</param>
/// <param name="Name">Its name within the group.</param>
/// <param name="Value">Its value, of all tasks together.</param>
public readonly record struct JobCounter(string Group, string Name, long Value);
