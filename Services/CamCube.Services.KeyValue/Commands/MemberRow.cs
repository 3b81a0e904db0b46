namespace CamCube.Services.KeyValue.Commands;

/// <summary>A member of a group, in JSON.</summary>
internal sealed record MemberRow(string Server, string State);
