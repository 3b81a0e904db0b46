namespace CamCube.Services.KeyValue.Commands;

/// <summary>A member whose copies were not compared, in JSON.</summary>
internal sealed record SkippedRow(string Group, string Server, string Why);
