namespace CamCube;

/// <summary>A setting of a link provider, for people.</summary>
/// <param name="Name">Its name below <c>CamCube:{provider name}</c>.</param>
/// <param name="Default">Its default as it would be written, or "none".</param>
/// <param name="Effect">What it does, in a sentence.</param>
public sealed record LinkSetting(string Name, string Default, string Effect);
