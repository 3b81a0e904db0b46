namespace CamCube.Services.KeyValue.Log;

/// <summary>Who has a log. Called on the loop; must not throw.</summary>
internal interface ILogOwner
{
    /// <summary>Nothing that was found in a damaged store counts for its owner, which notes that in the log and says so
    /// then (<see cref="StoreLog.BeganAnew"/>). Until then each start finds the store damaged.</summary>
    bool BeginsAnew => false;

    /// <summary>A record that is there at the start, in the order in which records were written. The spans are lent for
    /// the call. Records may come twice: after a sync that failed, a crash in the middle of a compaction, and if a hint
    /// is damaged.</summary>
    void Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    );

    /// <summary>As <see cref="Found"/>, of a record that has a value, which was not read: where hints are used
    /// (<see cref="LogOptions.UsesHints"/>). The value can be read by its place later.</summary>
    void FoundKey(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        int valueLength,
        LogLocation location
    ) => throw new NotSupportedException("Who uses hints takes records without their values.");

    /// <summary>Records survive a power failure from now on.</summary>
    /// <param name="first">The ticket of the first; the others follow.</param>
    /// <param name="locations">Where they lie, one each, lent for the call.</param>
    void Synced(ulong first, ReadOnlySpan<LogLocation> locations);

    /// <summary>The disk failed twice, and the log takes nothing more: nothing is known of what was not synced. It can
    /// still be read.</summary>
    void Failed(DiskStatus status);

    /// <summary>Takes what it had added to a snapshot (<see cref="SnapshotWriter"/>), in place of the records before
    /// the mark. Those of them that the snapshot names are found next, and then those behind the mark; among these are
    /// some that it has taken already.</summary>
    /// <param name="from">The snapshot, where the owner's part begins; to be read to its end.</param>
    /// <returns>False: it cannot be.</returns>
    ValueTask<bool> TakeSnapshot(SnapshotReader from) => new(false);

    /// <summary>As <see cref="Found"/>, of a record that a snapshot names which was taken: that has what follows from
    /// it already, so nothing that was taken ends with it.</summary>
    void FoundInSnapshot(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    ) => Found(record, key, extra, value, location);

    /// <summary>All records behind the mark were found. The owner drops what it has of segments that are not there any
    /// more, and is needed no more.</summary>
    /// <returns>False: it knows of a record that is not there.</returns>
    bool FitsSnapshot(IReadOnlyDictionary<uint, LogSegment> segments) => true;

    /// <summary>Nothing that was taken or found counts: all is found once more.</summary>
    void ForgetSnapshot() { }
}
