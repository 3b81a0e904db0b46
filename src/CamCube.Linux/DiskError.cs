namespace CamCube.Linux;

/// <summary>What the disk refused, in plain words: what the system says differs by platform, names paths twice, and is
/// not for people.</summary>
public static class DiskError
{
    // Linux's error numbers and Windows's, which the runtime library gives as they are.
    private const int IOError = 5;
    private const int Again = 11;
    private const int TooLong = 27;
    private const int NoSpace = 28;
    private const int ReadOnly = 30;
    private const int QuotaUsedUp = 122;
    private const int WindowsWriteProtected = unchecked((int)0x8007_0013);
    private const int WindowsSharing = unchecked((int)0x8007_0020);
    private const int WindowsHandleFull = unchecked((int)0x8007_0027);
    private const int WindowsDiskFull = unchecked((int)0x8007_0070);

    /// <summary>Whether an exception is the disk's.</summary>
    public static bool Is(Exception e) => e is IOException or UnauthorizedAccessException;

    /// <summary>Whether another process holds the file.</summary>
    public static bool IsHeld(IOException e) => e.HResult is Again or WindowsSharing;

    /// <summary>Whether there is no room, on the disk or for this user.</summary>
    public static bool IsFull(Exception e) =>
        e is IOException && e.HResult is NoSpace or QuotaUsedUp or WindowsDiskFull or WindowsHandleFull;

    /// <summary>"the disk is full".</summary>
    public static string Words(Exception e) =>
        e switch
        {
            UnauthorizedAccessException => "this process has no permission",
            DirectoryNotFoundException or FileNotFoundException => "the folder is gone",
            PathTooLongException => "the path is too long",
            _ => e.HResult switch
            {
                IOError => "the disk failed",
                TooLong => "it is too long",
                NoSpace or WindowsDiskFull or WindowsHandleFull => "the disk is full",
                ReadOnly or WindowsWriteProtected => "the file system is read-only",
                QuotaUsedUp => "the disk quota is used up",
                Again or WindowsSharing => "another process holds it",
                _ => $"error {(e.HResult < 0 ? e.HResult & 0xFFFF : e.HResult)} of the system",
            },
        };
}
