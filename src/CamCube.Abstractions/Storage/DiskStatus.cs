namespace CamCube;

/// <summary>How an operation of a disk ended. Disks fail, so this is an answer and no exception.</summary>
public enum DiskStatus
{
    /// <summary>As asked.</summary>
    Done = 0,

    /// <summary>No file of that name.</summary>
    NotFound = 1,

    /// <summary>The disk failed. Of a write any part may have been made; after a failed sync nothing is known to be
    /// safe.</summary>
    Failed = 2,

    /// <summary>No room. Of a write any part may have been made.</summary>
    Full = 3,

    /// <summary>The service has stopped, or the file is closed: the operation may or may not have been made.</summary>
    Stopped = 4,

    /// <summary>This host gives its services no disk.</summary>
    NoDisk = 5,

    /// <summary>Another host has the files of this server: two were given one data folder and one coordinate. Nothing
    /// was made.</summary>
    InUse = 6,

    /// <summary>Too many operations wait on this server already (<c>CamCube:Work:DiskLimit</c>): back-pressure. Nothing
    /// was made.</summary>
    Busy = 7,
}
