using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Members;

/// <summary>One of the two stores that a server has: that on its disk, and that in its memory, which is another one
/// after each start of the service. Each has a log of its own, and an id. Loop only.</summary>
/// <param name="isInMemory">Which.</param>
/// <param name="records">What its groups write.</param>
/// <param name="failed">Is told that its log takes nothing more.</param>
internal sealed class MemberStore(bool isInMemory, MemberLog records, Action<DiskStatus> failed) : ILogOwner
{
    public bool IsInMemory => isInMemory;

    /// <summary>Tables of which each change has a write and a sync of its own, one bit each.</summary>
    public ushort Each { get; init; }

    /// <summary>What its groups write.</summary>
    public MemberLog Records => records;

    /// <summary>The log, once it is open.</summary>
    public StoreLog? Log { get; set; }

    /// <summary>Its id.</summary>
    public StoreId Id { get; set; }

    /// <summary>What was found is taken up, and groups are worked for.</summary>
    public bool IsOpen { get; set; }

    /// <summary>The start took a snapshot, and read what is behind it only.</summary>
    public bool HasSnapshot { get; set; }

    /// <summary>Whether each change of a table has a write and a sync of its own.</summary>
    public bool SyncsEach(int table) => (Each >> table & 1) != 0;

    bool ILogOwner.BeginsAnew => true;

    ValueTask<bool> ILogOwner.TakeSnapshot(SnapshotReader from) => records.Snapshot.Read(from);

    bool ILogOwner.FitsSnapshot(IReadOnlyDictionary<uint, LogSegment> segments) => records.Snapshot.Fits(segments);

    void ILogOwner.ForgetSnapshot() => records.Again();

    void ILogOwner.Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    ) => records.Found.Take(record, key, extra, value, location);

    void ILogOwner.FoundInSnapshot(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    ) => records.Found.TakeInSnapshot(record, key, extra, value, location);

    void ILogOwner.FoundKey(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        int valueLength,
        LogLocation location
    ) => records.Found.Take(record, key, extra, default, location, valueLength);

    void ILogOwner.Synced(ulong first, ReadOnlySpan<LogLocation> locations) => records.Recorder.Synced(locations);

    void ILogOwner.Failed(DiskStatus status) => failed(status);
}
