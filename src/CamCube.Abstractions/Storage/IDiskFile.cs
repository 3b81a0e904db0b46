namespace CamCube;

/// <summary>
/// An open file of a service (<see cref="IServerDisk"/>). Loop only. The buffer of a read or write is the disk's until
/// the task has ended, and for good if it ended as <see cref="DiskStatus.Stopped"/>: it must not be used for something
/// else then. Closed at the latest when the service stops.
/// </summary>
public interface IDiskFile
{
    /// <summary>The name it was opened by.</summary>
    string Name { get; }

    /// <summary>Bytes, as of the operations that have ended; 0 after <see cref="Close"/>.</summary>
    long Length { get; }

    /// <summary>Reads from an offset on.</summary>
    /// <param name="offset">From 0; beyond the end nothing is read.</param>
    /// <param name="buffer">Where to; how much.</param>
    /// <returns>Bytes read: fewer than the buffer has only at the end of the file.</returns>
    ValueTask<DiskResult<int>> ReadAsync(long offset, Memory<byte> buffer);

    /// <summary>Writes at an offset; beyond the end the file grows, and a gap reads as zeros. Appending is writing at
    /// <see cref="Length"/>.</summary>
    /// <param name="offset">From 0.</param>
    /// <param name="bytes">What.</param>
    /// <param name="sync">True: one operation that writes and then syncs as <see cref="SyncAsync"/> does. Done: both
    /// are. Any other answer: nothing is known of either.</param>
    ValueTask<DiskStatus> WriteAsync(long offset, ReadOnlyMemory<byte> bytes, bool sync = false);

    /// <summary>As <see cref="WriteAsync"/>, of several pieces, one behind the other, in one operation.</summary>
    /// <param name="offset">Where the first piece goes, from 0.</param>
    /// <param name="pieces">The pieces in order; the list, too, is the disk's until the task has ended.</param>
    /// <param name="sync">As there.</param>
    ValueTask<DiskStatus> GatherAsync(long offset, IReadOnlyList<ReadOnlyMemory<byte>> pieces, bool sync = false);

    /// <summary>Cuts off the end, or lengthens by zeros.</summary>
    ValueTask<DiskStatus> SetLengthAsync(long length);

    /// <summary>What was written before survives a power failure once this has ended as Done; its name too once
    /// <see cref="IServerDisk.SyncAsync"/> has.</summary>
    ValueTask<DiskStatus> SyncAsync();

    /// <summary>Ends the use of this object. What has not ended yet ends as it would have; what is asked later ends as
    /// Stopped.</summary>
    void Close();
}
