namespace CamCube.Runtime.Workers;

/// <summary>Threads that do what would stop a loop (<c>CamCube:Work</c>): work of services (<see cref="IServer.Work"/>)
/// and their disks.</summary>
public sealed class WorkOptions
{
    /// <summary>Threads of the process for each of the classes Short and Long, 1 to 256; 0, the default, means one less
    /// than processors, at least 1. They are started when there is work for them. More: work takes processors from the
    /// loops.</summary>
    public int Threads { get; set; }

    /// <summary>Threads of the process for files, 1 to 256. Default 4. They wait for disks most of the time.</summary>
    public int DiskThreads { get; set; } = 4;

    /// <summary>Work of the class Short that may wait on one server; more is refused as Busy. Default 1,024.</summary>
    public int ShortLimit { get; set; } = 1_024;

    /// <summary>Work of the class Long that may wait on one server; more is refused as Busy. Default 256.</summary>
    public int LongLimit { get; set; } = 256;

    /// <summary>Operations on files that may wait on one server; more are refused as Busy. Default 4,096.</summary>
    public int DiskLimit { get; set; } = 4_096;

    /// <summary>Threads of each class that are replaced while work that nobody waits for does not give them back, 0 to
    /// 1,024. Default 8. When more are lost, what is left has to do; with none left all that is asked for times
    /// out.</summary>
    public int LostLimit { get; set; } = 8;
}
