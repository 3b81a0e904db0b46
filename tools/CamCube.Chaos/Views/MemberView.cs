namespace CamCube.Chaos.Views;

/// <summary>A member of a group.</summary>
internal sealed record MemberView(string Server, string State);
