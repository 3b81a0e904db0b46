namespace CamCube.Services.Distribution.Pieces;

/// <summary>How disk operations end, for people.</summary>
internal static class DiskWords
{
    /// <summary>How long is waited where too many operations wait already.</summary>
    public static readonly TimeSpan BusyPause = TimeSpan.FromMilliseconds(10);

    /// <summary>A status in words.</summary>
    public static string Of(DiskStatus status) =>
        status switch
        {
            DiskStatus.Full => "its disk is full",
            DiskStatus.NoDisk => "it has no disk (CamCube:DataFolder)",
            DiskStatus.InUse => "another host has its files",
            DiskStatus.Stopped => "the service stopped",
            DiskStatus.NotFound => "the file is gone",
            _ => "its disk failed",
        };
}
