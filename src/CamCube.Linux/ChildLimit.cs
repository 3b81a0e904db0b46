namespace CamCube.Linux;

/// <summary>What of a process can be limited; the numbers are the system's.</summary>
public enum ChildLimit
{
    /// <summary>RLIMIT_CPU: seconds of processor time.</summary>
    ProcessorSeconds = 0,

    /// <summary>RLIMIT_FSIZE: bytes of the longest file it may write.</summary>
    FileLength = 1,

    /// <summary>RLIMIT_DATA: bytes of memory of its own that it may write to.</summary>
    Data = 2,

    /// <summary>RLIMIT_CORE: bytes of what is kept of its memory when it dies.</summary>
    Core = 4,

    /// <summary>RLIMIT_NOFILE: descriptors.</summary>
    Descriptors = 7,
}
