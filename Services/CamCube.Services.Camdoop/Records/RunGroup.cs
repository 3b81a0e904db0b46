namespace CamCube.Services.Camdoop.Records;

/// <summary>Where the records of a group begin in a run; they end where those of the next begin.</summary>
/// <param name="Group">The group.</param>
/// <param name="At">Bytes before it.</param>
internal readonly record struct RunGroup(int Group, int At);
