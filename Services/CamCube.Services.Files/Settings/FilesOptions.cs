using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Files;

/// <summary>Settings of the file store (<c>CamCube:Services:files</c>). The same on all servers of a cube.</summary>
public sealed class FilesOptions
{
    /// <summary>Table of the key-value store in which files are kept, 0 to 15. Default 0. How many servers keep each
    /// chunk, and how, is said there. Must not be changed once there are files.</summary>
    [Range(0, 15)]
    public int Table { get; set; }

    /// <summary>Most bytes of a chunk, 64 KiB to 1 GiB. Default 64 MiB. At most the longest value of the key-value
    /// store. Smaller: a file is on more servers, and has more names in the store. It may be changed at any time; files
    /// stay as they are.</summary>
    [Range(64 << 10, 1 << 30)]
    public int ChunkBytes { get; set; } = 64 << 20;

    /// <summary>Most bytes of a file, 1 B to 16 TiB. Default 16 TiB. A file has 8,192 chunks at most, so with chunks of
    /// 64 MiB it ends at 512 GiB.</summary>
    [Range(1, 16L << 40)]
    public long MostBytes { get; set; } = 16L << 40;

    /// <summary>Most bytes of all files together, one copy of each, 0 to 8 EiB. Default 0: as many as the disks hold. A
    /// file is looked at when all of it is there. It may be set at any time; what there is already counts after the
    /// next sweep.</summary>
    [Range(0, long.MaxValue)]
    public long Quota { get; set; }

    /// <summary>How long chunks without a file are kept, 1 min to 30 days. Default 1 day: after it they are taken for
    /// those of somebody who has died while writing, and deleted. A file that takes longer than half of it to come is
    /// refused.</summary>
    [Range(typeof(TimeSpan), "00:01:00", "30.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan OrphanAge { get; set; } = TimeSpan.FromDays(1);

    /// <summary>How often chunks without a file are looked for, 10 s to 1 day. Default 1 h. Each time the names of all
    /// chunks are read once.</summary>
    [Range(typeof(TimeSpan), "00:00:10", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan SweepEvery { get; set; } = TimeSpan.FromHours(1);

    /// <summary>Chunks without a file that are remembered until they are old enough to be deleted, 16 to 16 Mi. Default
    /// 100,000, at some 50 bytes each. More are found once some of these are gone.</summary>
    [Range(16, 16 << 20)]
    public int Orphans { get; set; } = 100_000;
}
