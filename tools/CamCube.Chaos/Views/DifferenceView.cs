namespace CamCube.Chaos.Views;

/// <summary>A copy that is not as the leader's.</summary>
internal sealed record DifferenceView(string Group, string Server, string? Key, string? Hex, string? What);
