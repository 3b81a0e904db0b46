namespace CamCube.Swarm.Files;

/// <summary>What a client of the file store does.</summary>
internal enum FilesVerb
{
    /// <summary>Writes a file.</summary>
    Put,

    /// <summary>Writes a part of a file, and goes away.</summary>
    PutHalf,

    /// <summary>Reads a file.</summary>
    Get,

    /// <summary>Deletes a file.</summary>
    Delete,

    /// <summary>Makes a directory.</summary>
    MakeDirectory,

    /// <summary>Deletes a directory if it is empty.</summary>
    RemoveDirectory,

    /// <summary>Lists a directory.</summary>
    List,
}
