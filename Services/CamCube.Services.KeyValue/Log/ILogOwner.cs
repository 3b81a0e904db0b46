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
}
