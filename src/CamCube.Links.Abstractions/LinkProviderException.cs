namespace CamCube;

/// <summary>Links could not be opened. The message is one line that says what is wrong and how to mend it.</summary>
/// <param name="message">One line for people.</param>
public sealed class LinkProviderException(string message) : Exception(message);
