namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Who knows which records of a log are needed: the index over it (<see cref="StoreLog.Tend"/>). Called on the loop;
/// must not throw, and answers at once. A segment is deleted only when the owner has been asked about each of its
/// records <em>and</em> says that none of its bytes are needed, so one of the two mistakes alone loses nothing.
/// </summary>
internal interface ILogIndex
{
    /// <summary>What is added to the flags of a record that is copied: so that a start can tell it from one that lies
    /// where it was written first, among its neighbours.</summary>
    byte CopyFlags => 0;

    /// <summary>Bytes of a segment's records that are needed: the sum of their locations' lengths, from the moment at
    /// which the owner was told of a location until it needs that one no more. <see cref="LogUsage"/> counts
    /// them.</summary>
    long NeededBytes(uint segment);

    /// <summary>The same of all segments.</summary>
    long Needed { get; }

    /// <summary>What becomes of a record. One that the owner knows at another location is not needed here: it may stand
    /// in the log twice.</summary>
    /// <param name="record">The head.</param>
    /// <param name="key">Lent for the call.</param>
    /// <param name="location">Where it lies.</param>
    LogNeed NeedOf(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location);

    /// <summary>Whether a hint has the value of a record, too: where a start cannot do without it.</summary>
    bool IsWholeInHint(in LogRecord record) => false;

    /// <summary>A copy of a record is synced. If the owner still needs the one at the old location, it needs the one at
    /// the new location instead; else neither. A start finds copies behind newer records of their key, and records
    /// twice: what is newer is told by index and ballot, not by the order.</summary>
    /// <param name="record">The head, as it was.</param>
    /// <param name="key">Lent for the call.</param>
    /// <param name="from">Where it lay. What is read there later may end as NotFound: look at the index again.</param>
    /// <param name="to">Where it lies now.</param>
    void Moved(in LogRecord record, ReadOnlySpan<byte> key, LogLocation from, LogLocation to);

    /// <summary>A delete goes that every member has passed: nothing older of its key is in the log. The location is
    /// needed no more.</summary>
    void Dropped(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location);

    /// <summary>Bytes of a segment are not as they were written. All records that the owner needs there are to be
    /// written elsewhere, or the segment stays: those that <see cref="StoreLog.ReadAsync"/> calls rotten are fetched
    /// from another member and appended anew, the others copied (<see cref="StoreLog.TryCopy"/>, with the bytes that
    /// were read). Told once in each run, and not of records that a read found rotten.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="from">The first byte.</param>
    /// <param name="to">The byte behind the last one.</param>
    void Rotten(uint segment, long from, long to);
}
