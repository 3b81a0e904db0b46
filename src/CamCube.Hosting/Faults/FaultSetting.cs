namespace CamCube.Hosting.Faults;

/// <summary>A fault rule as it stands in the settings.</summary>
/// <param name="Text">As it is written.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="Arguments">Its arguments.</param>
internal sealed record FaultSetting(string Text, string Kind, IReadOnlyDictionary<string, string> Arguments);
