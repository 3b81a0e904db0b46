using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Members;

/// <summary>A server's store: its log, what groups write to it, and the id by which others know it. Loop only.
/// </summary>
/// <param name="records">What its groups write.</param>
/// <param name="failed">Is told that its log takes nothing more.</param>
internal sealed class MemberStore(MemberLog records, Action<DiskStatus> failed) : ILogOwner
{
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
