namespace CamCube.Runtime.Workers;

/// <summary>The worker threads of a cube in real time, by class. Made before the servers; no thread runs before there
/// is work.</summary>
internal sealed class WorkerPool
{
    private const int MostCloseMillis = 5_000;
    private readonly WorkOptions _options;
    private readonly WorkLane[] _lanes;

    public WorkerPool(WorkOptions options)
    {
        _options = options;
        int threads = options.Threads > 0 ? options.Threads : Math.Max(1, Environment.ProcessorCount - 1);
        _lanes =
        [
            new WorkLane("short", threads, options.LostLimit, isLow: false),
            new WorkLane("long", threads, options.LostLimit, isLow: true),
            new WorkLane("disk", options.DiskThreads, options.LostLimit, isLow: false),
        ];
    }

    /// <summary>The queues of one run of a server, by class.</summary>
    public WorkQueue[] MakeQueues() =>
        [
            new(_lanes[(int)WorkClass.Short], _options.ShortLimit),
            new(_lanes[(int)WorkClass.Long], _options.LongLimit),
            new(_lanes[(int)WorkClass.Disk], _options.DiskLimit),
        ];

    /// <summary>The cube has ended. Work that does not end keeps its thread, which does not keep the process.</summary>
    /// <returns>True: all that waited for disks has been made. False: a disk takes longer than
    /// <see cref="MostCloseMillis"/>.</returns>
    public bool Close()
    {
        Array.ForEach(_lanes, static lane => lane.Close());
        return _lanes[(int)WorkClass.Disk].WaitForEnd(MostCloseMillis);
    }
}
