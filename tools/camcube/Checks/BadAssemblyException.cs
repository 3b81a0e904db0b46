namespace CamCube.Tool.Checks;

/// <summary>A file cannot be scanned. The message is one line for people.</summary>
/// <param name="message">One line for people.</param>
public sealed class BadAssemblyException(string message) : Exception(message);
