namespace CamCube;

/// <summary>Something about a server's cables that people should know.</summary>
/// <param name="IsFault">Whether it needs mending; false: it was mended, or is only worth knowing.</param>
/// <param name="Text">One line in plain words.</param>
public readonly record struct LinkNews(bool IsFault, string Text);
