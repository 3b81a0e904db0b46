namespace CamCube.Cabling;

/// <summary>What a server keeps for life: small named texts. Called rarely: read by the thread that makes the links,
/// before the loop, and written by the loop, which never waits for it.</summary>
public interface ICablingStore
{
    /// <summary>The text of that name, or null if there is none.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    string? Read(string name);

    /// <summary>Begins to write a text so that after a crash or a power failure the old or the new one is there, and
    /// from the end of the task on the new one. One at a time. The task ends with an <see cref="IOException"/> or
    /// <see cref="UnauthorizedAccessException"/> if it cannot be written, and as late as the disk likes.</summary>
    Task WriteAsync(string name, string text);

    /// <summary>Where a text of that name is kept, for messages.</summary>
    string PathOf(string name);

    /// <summary>Gives the folder up for other processes.</summary>
    void Close() { }
}
