namespace CamCube.Services.KeyValue.Log;

/// <summary>Sizes of a log.</summary>
internal sealed class LogOptions
{
    /// <summary>The largest buffer.</summary>
    public const int MostBufferBytes = 4 << 20;

    /// <summary>The most that is written ahead.</summary>
    public const int MostAheadBytes = 256 << 10;

    /// <summary>Bytes of a segment, a multiple of 512, to 1 GiB. Default 64 MiB. Smaller: more files; larger:
    /// compaction needs more room at once.</summary>
    public int SegmentBytes { get; init; } = 64 << 20;

    /// <summary>Bytes of records that may wait for the disk, and again as many that are being written: 4 KiB to 4 MiB.
    /// Default 1 MiB. What does not fit is back-pressure. A record needs at most this.</summary>
    public int BufferBytes { get; init; } = 1 << 20;

    /// <summary>Bytes of zeros that are written ahead of the batches, 0 to 256 KiB. Default 256 KiB. What is written
    /// over zeros changes nothing of the file system's own, and is synced in about half the time. More: the sync that
    /// has to write them takes longer; 0: the file grows with each batch.</summary>
    public int AheadBytes { get; init; } = MostAheadBytes;

    /// <summary>Whether hints are written, and read at a start instead of their segments: the owner then gets records
    /// that have a value without it (<see cref="ILogOwner.FoundKey"/>). Default false.</summary>
    public bool UsesHints { get; set; }

    /// <summary>Free segments that a put leaves to deletes and to compaction: with less room on the disk puts are
    /// refused. 1 to 1,000, default 2. Less than 2: compaction may find no room to make any.</summary>
    public int ReserveSegments { get; init; } = 2;

    /// <summary>Compaction begins once the garbage is more than this share of what is needed, in percent: 5 to 90,
    /// default 50. Less: more copies; more: more room.</summary>
    public int GarbagePercent { get; init; } = 50;

    /// <summary>Bytes that compaction reads or copies in a second; more while garbage comes near to what is needed, or
    /// the disk is full. 4 KiB to 4 GiB, default 32 MiB. More: operations wait behind it.</summary>
    public long CompactionBytesPerSecond { get; init; } = 32 << 20;

    /// <summary>Bytes of records that compaction and the scrubber look at before the loop does something else. 4 KiB to
    /// 4 MiB, default 64 KiB. More: longer steps.</summary>
    public int SliceBytes { get; init; } = 64 << 10;

    /// <summary>In which time the scrubber reads all of the log once: a minute to a year, default 14 days. Longer: rot
    /// has longer to befall other copies, too; shorter: more reads.</summary>
    public TimeSpan ScrubPeriod { get; init; } = TimeSpan.FromDays(14);

    /// <summary>Where its files are, if that is not the server's disk. Nobody looks for rot there.</summary>
    public IServerDisk? Disk { get; init; }

    /// <summary>A mistake for tests: rot at the end of the log is cut off, as if it were torn.</summary>
    public bool CutsRot { get; init; }

    /// <summary>Throws unless the sizes can be.</summary>
    /// <exception cref="ArgumentOutOfRangeException">One cannot; says which.</exception>
    public void Check()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(BufferBytes, 4 << 10);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(BufferBytes, MostBufferBytes);
        ArgumentOutOfRangeException.ThrowIfNegative(AheadBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(AheadBytes, MostAheadBytes);
        ArgumentOutOfRangeException.ThrowIfLessThan(ReserveSegments, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ReserveSegments, 1_000);
        ArgumentOutOfRangeException.ThrowIfLessThan(GarbagePercent, 5);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(GarbagePercent, 90);
        ArgumentOutOfRangeException.ThrowIfLessThan(CompactionBytesPerSecond, 4 << 10);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(CompactionBytesPerSecond, 4L << 30);
        ArgumentOutOfRangeException.ThrowIfLessThan(SliceBytes, 4 << 10);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(SliceBytes, 4 << 20);
        ArgumentOutOfRangeException.ThrowIfLessThan(ScrubPeriod, TimeSpan.FromMinutes(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(ScrubPeriod, TimeSpan.FromDays(366));
        ArgumentOutOfRangeException.ThrowIfNotEqual(SegmentBytes % Sectors.Size, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(SegmentBytes, 1 << 30);
        int least = (1 + BatchHead.SectorsFor(BufferBytes)) * Sectors.Size;
        ArgumentOutOfRangeException.ThrowIfLessThan(SegmentBytes, least);
    }
}
