namespace CamCube.Services.Camdoop;

/// <summary>How uneven the tasks of one kind are, of those that are done.</summary>
/// <param name="Heaviest">The one with most pairs, in bytes.</param>
/// <param name="Lightest">The one with least.</param>
/// <param name="Slowest">The one that took longest.</param>
public sealed record TaskSkew(TaskLoad Heaviest, TaskLoad Lightest, TaskLoad Slowest);
