namespace CamCube.Cabling;

/// <summary>What a server keeps for life: small named texts. Called rarely, from the thread that makes the links and from the loop.</summary>
public interface ICablingStore
{
    /// <summary>The text of that name, or null if there is none.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    string? Read(string name);

    /// <summary>Writes a text so that after a crash or a power failure the old or the new one is there, and after the return the new one.
    /// </summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    void Write(string name, string text);

    /// <summary>Where a text of that name is kept, for messages.</summary>
    string PathOf(string name);

    /// <summary>Gives the folder up for other processes.</summary>
    void Close()
    {
    }
}
