namespace CamCube.Chaos.Views;

/// <summary>A copy of a group that could not be compared.</summary>
internal sealed record SkippedView(string Group, string Server, string Why);
