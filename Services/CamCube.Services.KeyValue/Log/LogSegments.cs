namespace CamCube.Services.KeyValue.Log;

/// <summary>The segments of a log. Loop only.</summary>
/// <param name="server">Whose.</param>
/// <param name="store">The file that says which were deleted.</param>
/// <param name="found">Those that are there at the start.</param>
internal sealed class LogSegments(IServer server, StoreFile store, SortedDictionary<uint, LogSegment> found)
{
    private long _bytes = found.Values.Sum(static segment => segment.End);

    /// <summary>All, by number.</summary>
    public IReadOnlyCollection<LogSegment> All => found.Values;

    /// <summary>Whose they are.</summary>
    public LogIdentity Log => store.Log;

    /// <summary>The one that is written; null if the next batch begins another.</summary>
    public LogSegment? Head { get; set; }

    /// <summary>Bytes of memory that the filters of keys have.</summary>
    public long FilterBytes
    {
        get
        {
            long bytes = 0;
            foreach (LogSegment segment in found.Values)
            {
                bytes += segment.Keys.Bytes;
            }

            return bytes;
        }
    }

    /// <summary>Bytes of all. Counted, for it is looked at with each batch, and there may be thousands.</summary>
    public long Bytes => _bytes;

    /// <summary>The number of the first one that is there; 0: there is none.</summary>
    public uint Oldest => found.Count == 0 ? 0 : found.Keys.Min();

    public LogSegment? Find(uint number) => found.GetValueOrDefault(number);

    public void Add(LogSegment segment)
    {
        found.Add(segment.Number, segment);
        _bytes += segment.End;
    }

    /// <summary>So many bytes more of a segment are synced.</summary>
    public void Grow(LogSegment segment, int bytes)
    {
        segment.End += bytes;
        _bytes += bytes;
    }

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
        DiskStatus status = await store.Change(notes => Without(notes, segment)).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return status;
        }

        // Who reads it just now still can.
        found.Remove(segment.Number);
        _bytes -= segment.End;
        segment.IsGone = true;
        segment.File.Close();
        if (segment.HasHint)
        {
            await store.Disk.DeleteAsync(SegmentFormat.HintOf(segment.Number)).ConfigureAwait(true);
        }

        status = await store.Disk.DeleteAsync(SegmentFormat.NameOf(segment.Number)).ConfigureAwait(true);
        return status == DiskStatus.Done ? await store.Disk.SyncAsync().ConfigureAwait(true) : status;
    }

    /// <summary>Whether a sector is the first of a segment.</summary>
    public bool IsFirstOf(LogSegment segment, ReadOnlySpan<byte> sector) =>
        SegmentFormat.TryRead(sector, SegmentFormat.SegmentMagic, segment.Number, out uint version, out LogIdentity of)
        && version == SegmentFormat.Version
        && of == store.Log;

    /// <summary>Looks whether both copies in the file that says whose the log is are right, and makes them
    /// so.</summary>
    public async ValueTask CheckStore()
    {
        var copy = new StoreFile(server, store.Disk);
        // A change in the middle of this makes it right, too.
        DiskStatus status = await copy.Read().ConfigureAwait(true);
        if (status == DiskStatus.NotFound || (status == DiskStatus.Done && (copy.IsHalf || copy.Refusal.Length > 0)))
        {
            await store.Change(static notes => notes).ConfigureAwait(true);
        }
    }

    private static StoreNotes Without(StoreNotes notes, LogSegment segment)
    {
        (NumberRanges segments, NumberRanges batches) = (notes.Segments.Copy(), notes.Batches.Copy());
        segments.Add(segment.Number, segment.Number);
        if (segment.First > 0)
        {
            batches.Add(segment.First, segment.Last);
        }

        return notes with
        {
            Segments = segments,
            Batches = batches,
            Damage = [.. notes.Damage.Where(d => d.Segment != segment.Number)],
        };
    }
}
