namespace CamCube;

/// <summary>The room on the disk that a service's files are on. Others may use the same disk.</summary>
/// <param name="FreeBytes">What can still be written.</param>
/// <param name="TotalBytes">What the disk can hold.</param>
public readonly record struct DiskSpace(long FreeBytes, long TotalBytes);
