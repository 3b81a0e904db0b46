namespace CamCube.Hosting.Settings;

/// <summary>A setting as <c>--help</c> and the documentation show it.</summary>
/// <param name="Path">Full name, with {name} where the user chooses one.</param>
/// <param name="Default">Default, as one would write it; empty if there is none.</param>
/// <param name="Effect">What it does and what is allowed, in a sentence or two.</param>
public sealed record SettingDescription(string Path, string Default, string Effect);
