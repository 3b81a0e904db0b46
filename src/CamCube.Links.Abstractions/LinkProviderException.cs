namespace CamCube;

/// <summary>Links could not be opened. The message is one line that says what is wrong and how to mend it.</summary>
/// <param name="message">One line for people.</param>
public sealed class LinkProviderException(string message) : Exception(message)
{
    /// <summary>No setting is wrong, and it may work the next time: the disk is full.</summary>
    public bool MayPass { get; init; }
}
