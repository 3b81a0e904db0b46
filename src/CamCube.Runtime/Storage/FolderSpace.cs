namespace CamCube.Runtime.Storage;

/// <summary>The room on the disk that a folder is on. Any thread.</summary>
internal static class FolderSpace
{
    /// <summary>Room for a folder that may not be there yet: then that of the nearest one above.</summary>
    public static DiskSpace Of(string folder)
    {
        while (!Directory.Exists(folder) && Path.GetDirectoryName(folder) is { } above)
        {
            folder = above;
        }

        // Windows knows drives by their letters, others by any folder.
        DriveInfo drive = new(OperatingSystem.IsWindows() ? Path.GetPathRoot(folder)! : folder);
        return new DiskSpace(drive.AvailableFreeSpace, drive.TotalSize);
    }
}
