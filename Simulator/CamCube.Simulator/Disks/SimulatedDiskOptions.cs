namespace CamCube.Simulator.Disks;

/// <summary>The disks of simulated servers: one each, which does one operation after the other, in order of
/// asking.</summary>
public sealed class SimulatedDiskOptions
{
    /// <summary>False: servers have no disk (<see cref="DiskStatus.NoDisk"/>). Default true.</summary>
    public bool IsPresent { get; set; } = true;

    /// <summary>Time before the first byte of a read, in nanoseconds. Default 80,000 (flash).</summary>
    public long ReadNanos { get; set; } = 80_000;

    /// <summary>Time before the first byte of a write, in nanoseconds: into the disk's own memory. Default
    /// 20,000.</summary>
    public long WriteNanos { get; set; } = 20_000;

    /// <summary>Time of a sync, in nanoseconds, and of an operation on names. Default 500,000.</summary>
    public long SyncNanos { get; set; } = 500_000;

    /// <summary>Rate of reads and writes. Default 1,000,000,000 bytes per second.</summary>
    public long BytesPerSecond { get; set; } = 1_000_000_000;

    /// <summary>Bytes that all files of a server may have together; beyond it writes end as
    /// <see cref="DiskStatus.Full"/>. Default 1 GiB, most 1 TiB. They are kept in the memory of this process, but for
    /// zeros and <see cref="CountedBytes"/>.</summary>
    public long CapacityBytes { get; set; } = 1L << 30;

    internal void Check()
    {
        ArgumentOutOfRangeException.ThrowIfNegative(ReadNanos);
        ArgumentOutOfRangeException.ThrowIfNegative(WriteNanos);
        ArgumentOutOfRangeException.ThrowIfNegative(SyncNanos);
        ArgumentOutOfRangeException.ThrowIfLessThan(BytesPerSecond, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(CapacityBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(CapacityBytes, 1L << 40);
    }
}
