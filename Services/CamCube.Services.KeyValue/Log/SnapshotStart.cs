namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Looks at a start for a snapshot that fits the log, and takes it in place of the records before its mark: the newest
/// one that fits. Whatever does not fit is ignored: then the records say all of it. Loop only.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="owner">Who takes what is in it.</param>
/// <param name="store">Whose log it is.</param>
internal sealed class SnapshotStart(IServer server, ILogOwner owner, StoreFile store)
{
    // Records that are read one by one lie far from each other, most of them.
    private const int Ahead = 64 << 10;
    private const int MostRecord = LogOptions.MostBufferBytes;
    private readonly SegmentWindow _window = new(Ahead);

    /// <summary>The highest number that a snapshot has.</summary>
    public uint Last { get; private set; }

    /// <summary>One was taken.</summary>
    public bool IsTaken { get; private set; }

    /// <summary>Snapshots that were looked at and do not fit.</summary>
    public int Ignored { get; private set; }

    /// <summary>Looks at those that are there.</summary>
    /// <param name="entries">The files.</param>
    /// <param name="scan">The log, whose segments are open.</param>
    public async ValueTask Take(IReadOnlyList<DiskEntry> entries, LogScan scan)
    {
        List<uint> numbers = [];
        foreach (DiskEntry entry in entries)
        {
            if (SnapshotFormat.TryNumber(entry.Name, out uint number))
            {
                numbers.Add(number);
                Last = Math.Max(Last, number);
            }
        }

        foreach (uint number in numbers.OrderDescending())
        {
            bool isTaken = !IsTaken && await Take(number, scan).ConfigureAwait(true);
            if (isTaken)
            {
                IsTaken = true;
                continue;
            }

            scan.Drop(SnapshotFormat.NameOf(number));
            if (!IsTaken)
            {
                owner.ForgetSnapshot();
                Ignored++;
            }
        }
    }

    /// <summary>Whether what was found behind the mark fits what was taken. If not, nothing that was taken or found
    /// counts.</summary>
    public bool Fits(LogScan scan)
    {
        if (!IsTaken || (scan.Damage.Count == 0 && owner.FitsSnapshot(scan.Segments)))
        {
            return true;
        }

        (IsTaken, Ignored) = (false, Ignored + 1);
        owner.ForgetSnapshot();
        return false;
    }

    private async ValueTask<bool> Take(uint number, LogScan scan)
    {
        DiskResult<IDiskFile> opened = await server
            .Disk.OpenAsync(SnapshotFormat.NameOf(number), create: false)
            .ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return false;
        }

        byte[] sector = new byte[Sectors.Size];
        DiskResult<int> read = await file.ReadAsync(0, sector).ConfigureAwait(true);
        bool isRight =
            read is { IsDone: true, Value: Sectors.Size }
            && SnapshotFormat.IsRight(sector, store.Log, store.Id.Incarnation, number, file.Length);
        if (isRight)
        {
            var reader = new SnapshotReader(file, store.Log, number);
            isRight = await Take(reader, scan).ConfigureAwait(true);
            await reader.End().ConfigureAwait(true);
        }

        file.Close();
        return isRight;
    }

    private async ValueTask<bool> Take(SnapshotReader from, LogScan scan)
    {
        byte[] head = new byte[LogMark.Bytes];
        if (!await from.Read(head).ConfigureAwait(true))
        {
            return false;
        }

        var mark = LogMark.Read(head);
        if (
            await ReadSegments(from, mark, scan).ConfigureAwait(true) is not { } segments
            || await from.ReadLocations().ConfigureAwait(true) is not { } places
            || !await EndsAt(mark, scan).ConfigureAwait(true)
            || !await owner.TakeSnapshot(from).ConfigureAwait(true)
            || !from.IsAtEnd
            || !await Give(places, mark, scan).ConfigureAwait(true)
        )
        {
            return false;
        }

        scan.Begin(mark, segments);
        return true;
    }

    // Null: they are not those that are there up to the mark, or could not be read.
    private async ValueTask<List<MarkedSegment>?> ReadSegments(SnapshotReader from, LogMark mark, LogScan scan)
    {
        if (await from.ReadCount(MarkedSegment.Bytes).ConfigureAwait(true) is not { } count)
        {
            return null;
        }

        List<MarkedSegment> there = [];
        for (; count > 0; count--)
        {
            if (await MarkedSegment.Read(from).ConfigureAwait(true) is not { } marked || marked.Number > mark.Segment)
            {
                return null;
            }

            if (scan.Segments.TryGetValue(marked.Number, out LogSegment? segment))
            {
                there.Add(marked);
                if (segment.File.Length < marked.End)
                {
                    return null;
                }
            }
            else if (!store.Notes.Segments.Contains(marked.Number, marked.Number))
            {
                // It was not deleted, and is not there.
                return null;
            }
        }

        return scan.Segments.Keys.Count(number => number <= mark.Segment) == there.Count ? there : null;
    }

    // The last batch is the one that it was.
    private async ValueTask<bool> EndsAt(LogMark mark, LogScan scan)
    {
        if (!scan.Segments.TryGetValue(mark.Segment, out LogSegment? segment))
        {
            // It was deleted.
            return true;
        }

        DiskStatus status = await _window.MoveTo(segment.File, mark.LastAt, Sectors.Size).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return false;
        }

        ReadOnlySpan<byte> sector = _window.Span(mark.LastAt, Sectors.Size);
        return LogMark.SumOf(sector) == mark.Sum
            && BatchHead.TryRead(sector, store.Log, mark.Segment, mark.LastAt, out BatchHead batch)
            && batch.Number == mark.Last
            && mark.LastAt + batch.Bytes == mark.End;
    }

    // Those records that something else follows from than where a key lies, in the order in which they were written.
    private async ValueTask<bool> Give(LogLocation[] places, LogMark mark, LogScan scan)
    {
        foreach (LogLocation place in places)
        {
            if (!scan.Segments.TryGetValue(place.Segment, out LogSegment? segment))
            {
                // It was deleted once there was a later one.
                continue;
            }

            bool isBehind = place.Segment == mark.Segment && place.Offset + (long)place.Length > mark.End;
            if (isBehind || place.Segment > mark.Segment || place.Length is < RecordFormat.HeadLength or > MostRecord)
            {
                return false;
            }

            DiskStatus status = await _window.MoveTo(segment.File, place.Offset, place.Length).ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                return false;
            }

            ReadOnlySpan<byte> record = _window.Span(place.Offset, place.Length);
            if (
                RecordFormat.LengthOf(record) != place.Length
                || !RecordFormat.IsRight(record, Sectors.Seed(store.Log, place.Segment, place.Offset))
            )
            {
                return false;
            }

            LogRecord of = RecordFormat.Read(record, out Range key, out Range extra, out Range value);
            owner.FoundInSnapshot(of, record[key], record[extra], record[value], place);
        }

        return true;
    }
}
