namespace CamCube;

/// <summary>A front end could not start. The message is one line that says what is wrong and how to mend it.</summary>
public sealed class FrontEndException : Exception
{
    /// <summary>Any other reason.</summary>
    /// <param name="message">One line for people.</param>
    public FrontEndException(string message)
        : base(message) { }

    /// <summary>The port is taken.</summary>
    /// <param name="message">One line for people.</param>
    /// <param name="isPortInUse">Whether another process has the port; the host then adds a ready-made
    /// alternative.</param>
    /// <param name="inner">The cause.</param>
    public FrontEndException(string message, bool isPortInUse, Exception inner)
        : base(message, inner) => IsPortInUse = isPortInUse;

    /// <summary>Whether another process has the port.</summary>
    public bool IsPortInUse { get; }
}
