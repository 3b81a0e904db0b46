namespace CamCube.Runtime.Storage;

/// <summary>Another host has the folder of a server's files.</summary>
internal sealed class FolderInUseException(string folder, Exception inner)
    : IOException($"{folder} is used by another process.", inner);
