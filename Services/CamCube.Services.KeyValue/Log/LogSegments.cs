namespace CamCube.Services.KeyValue.Log;

/// <summary>The segments of a log. Loop only.</summary>
/// <param name="disk">Where they are.</param>
/// <param name="store">The file that says which were deleted.</param>
/// <param name="found">Those that are there at the start.</param>
internal sealed class LogSegments(IServerDisk disk, StoreFile store, SortedDictionary<uint, LogSegment> found)
{
    /// <summary>All, by number.</summary>
    public IReadOnlyCollection<LogSegment> All => found.Values;

    /// <summary>Whose they are.</summary>
    public LogIdentity Log => store.Log;

    /// <summary>The one that is written; null if the next batch begins another.</summary>
    public LogSegment? Head { get; set; }

    public LogSegment? Find(uint number) => found.GetValueOrDefault(number);

    public void Add(LogSegment segment) => found.Add(segment.Number, segment);

    /// <summary>Whether a segment other than this one may have records of a key.</summary>
    public bool MayHold(ulong key, LogSegment except)
    {
        foreach (LogSegment segment in found.Values)
        {
            if (segment != except && segment.Keys.MayHave(key))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Deletes a segment of which nothing is needed. First it is noted as deleted, so that neither the gap
    /// that it leaves nor the segment itself, if its name comes back, is taken for anything else.</summary>
    public async ValueTask<DiskStatus> Delete(LogSegment segment)
    {
        (NumberRanges segments, NumberRanges batches) = (store.Notes.Segments.Copy(), store.Notes.Batches.Copy());
        segments.Add(segment.Number, segment.Number);
        if (segment.First > 0)
        {
            batches.Add(segment.First, segment.Last);
        }

        LogDamage[] damage = [.. store.Notes.Damage.Where(d => d.Segment != segment.Number)];
        DiskStatus status = await store
            .Make(store.Log, store.Notes with { Segments = segments, Batches = batches, Damage = damage })
            .ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return status;
        }

        // Who reads it just now still can.
        found.Remove(segment.Number);
        segment.IsGone = true;
        segment.File.Close();
        if (segment.HasHint)
        {
            await disk.DeleteAsync(SegmentFormat.HintOf(segment.Number)).ConfigureAwait(true);
        }

        status = await disk.DeleteAsync(SegmentFormat.NameOf(segment.Number)).ConfigureAwait(true);
        return status == DiskStatus.Done ? await disk.SyncAsync().ConfigureAwait(true) : status;
    }
}
