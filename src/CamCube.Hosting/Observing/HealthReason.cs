namespace CamCube.Hosting.Observing;

/// <summary>Something that is not as it should be.</summary>
/// <param name="Level">How bad it is.</param>
/// <param name="Text">What it is, in a line for people.</param>
internal readonly record struct HealthReason(HealthLevel Level, string Text);
