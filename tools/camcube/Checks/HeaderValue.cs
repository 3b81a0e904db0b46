namespace CamCube.Tool.Checks;

/// <summary>A named value of an enum.</summary>
/// <param name="Value">The value.</param>
/// <param name="Name">Its name.</param>
internal readonly record struct HeaderValue(decimal Value, string Name);
