namespace CamCube;

/// <summary>A file in the list of a service's files.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Length">Its bytes.</param>
public readonly record struct DiskEntry(string Name, long Length);
