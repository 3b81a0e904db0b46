namespace CamCube.Services.KeyValue.Log;

/// <summary>Reads a hint: at the start, instead of its segment, or, without an owner, to see whether it is right. Loop
/// only.</summary>
internal sealed class HintReader(IServerDisk disk, ILogOwner? owner, LogIdentity log, SegmentWindow window)
{
    /// <summary>The first and the last batch of the segment, once the hint was found to be right so far.</summary>
    public (ulong First, ulong Last) Batches { get; private set; }

    /// <summary>Records that were given.</summary>
    public long Records { get; private set; }

    /// <summary>Whether the hint was right to its end. If not, nothing was given, and the segment has to be
    /// read.</summary>
    public bool IsRight { get; private set; }

    /// <summary>Reads the hint of a segment and gives its records.</summary>
    public async ValueTask<DiskStatus> Read(LogSegment segment)
    {
        (IsRight, Records) = (false, 0);
        DiskResult<IDiskFile> opened = await disk.OpenAsync(SegmentFormat.HintOf(segment.Number), create: false)
            .ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        // Looked at as a whole before anything of it is given: so no record comes twice.
        DiskStatus status = await Read(segment, file, isGiven: false).ConfigureAwait(true);
        if (status == DiskStatus.Done && IsRight && owner is not null)
        {
            (IsRight, Records) = (false, 0);
            status = await Read(segment, file, isGiven: true).ConfigureAwait(true);
        }

        file.Close();
        return status;
    }

    private async ValueTask<DiskStatus> Read(LogSegment segment, IDiskFile file, bool isGiven)
    {
        DiskStatus status = await window.MoveTo(file, 0, Sectors.Size).ConfigureAwait(true);
        if (
            status != DiskStatus.Done
            || !HintFormat.TryRead(
                window.Span(0, Sectors.Size),
                log,
                segment,
                out var batches,
                out long records,
                out long length
            )
            || length != file.Length
        )
        {
            return status;
        }

        Batches = batches;
        for (long at = Sectors.Size; at < length; )
        {
            status = await window.MoveTo(file, at, HintFormat.ChunkHead).ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                return status;
            }

            int chunk = HintFormat.LengthOf(window.Span(at, HintFormat.ChunkHead));
            if (chunk == 0 || at + chunk > length)
            {
                return status;
            }

            status = await window.MoveTo(file, at, chunk).ConfigureAwait(true);
            if (status != DiskStatus.Done || !HintFormat.IsRight(window.Span(at, chunk), log, segment.Number, at))
            {
                return status;
            }

            Give(segment, window.Span(at, chunk)[HintFormat.ChunkHead..], isGiven);
            at += chunk;
        }

        IsRight = records == Records;
        return status;
    }

    private void Give(LogSegment segment, ReadOnlySpan<byte> rest, bool isGiven)
    {
        while (!rest.IsEmpty)
        {
            ReadOnlySpan<byte> record = HintFormat.Next(
                ref rest,
                segment.Number,
                out LogLocation location,
                out bool isWhole
            );
            Records++;
            if (!isGiven || owner is null)
            {
                continue;
            }

            LogRecord head = RecordFormat.Read(record, out Range key, out Range extra, out Range value);
            segment.Keys.Add(KeyFilter.Hash(head.Group, record[key]));
            int length = value.End.Value - value.Start.Value;
            if (length == 0 || isWhole)
            {
                owner.Found(head, record[key], record[extra], isWhole ? record[value] : default, location);
            }
            else
            {
                owner.FoundKey(head, record[key], record[extra], length, location);
            }
        }
    }
}
