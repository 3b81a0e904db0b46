namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Reads one segment from the beginning to the end and tells torn from rot. Sectors of a segment are written once, over
/// nothing: what is zero or behind the end was never written, what is neither zero nor right was damaged later.
/// </summary>
internal sealed class SegmentScan(LogScan scan, uint segment, IDiskFile file)
{
    private readonly SegmentWindow _window = new(file, scan.Buffer);
    private BatchHead _head;

    /// <summary>Where a write begins that was made in part, or not at all, and has nothing behind it; -1: all is
    /// whole.</summary>
    public long TornAt { get; private set; } = -1;

    public async ValueTask<DiskStatus> Run()
    {
        long at = Sectors.Size;
        while (at < file.Length)
        {
            DiskStatus status = await _window.MoveTo(at, Sectors.Size).ConfigureAwait(true);
            bool isHead = status == DiskStatus.Done && IsHead(at);
            BatchHead head = _head;
            bool isRight = isHead,
                isRotten = false;
            if (status == DiskStatus.Done && !isHead)
            {
                isRotten = !Sectors.IsZero(_window.Span(at, Sectors.Size));
            }
            else if (isHead)
            {
                status = await _window.MoveTo(at, head.Bytes).ConfigureAwait(true);
                isRight =
                    status == DiskStatus.Done
                    && head.AreRight(_window.Span(at, head.Bytes), scan.Log, segment, at, out isRotten);
            }

            if (status != DiskStatus.Done)
            {
                return status;
            }

            if (!isRight)
            {
                (status, long next) = await FindNext(at + (isHead ? head.Bytes : Sectors.Size)).ConfigureAwait(true);
                if (status == DiskStatus.Done && isHead)
                {
                    status = await _window.MoveTo(at, head.Bytes).ConfigureAwait(true);
                }

                if (status != DiskStatus.Done)
                {
                    return status;
                }

                if (!isRotten && next < 0)
                {
                    TornAt = at;
                    return DiskStatus.Done;
                }

                scan.Note(isRotten ? LogDamageKind.Rot : LogDamageKind.Missing, segment, at);
                if (isHead)
                {
                    Take(head, at, isWhole: false);
                }

                at = next < 0 ? file.Length : next;
                continue;
            }

            Take(head, at, isWhole: true);
            at += head.Bytes;
        }

        return DiskStatus.Done;
    }

    private bool IsHead(long at) => BatchHead.TryRead(_window.Span(at, Sectors.Size), scan.Log, segment, at, out _head);

    // The next batch that begins right; -1: there is none.
    private async ValueTask<(DiskStatus Status, long At)> FindNext(long from)
    {
        for (long at = from; at < file.Length; at += Sectors.Size)
        {
            DiskStatus status = await _window.MoveTo(at, Sectors.Size).ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                return (status, -1);
            }

            if (IsHead(at))
            {
                return (DiskStatus.Done, at);
            }
        }

        return (DiskStatus.Done, -1);
    }

    private void Take(in BatchHead head, long at, bool isWhole)
    {
        scan.Follow(head, segment, at);
        ReadOnlySpan<byte> body = _window.Span(at, head.Bytes).Slice(head.Length, head.BodyLength);
        int done = 0;
        while (RecordFormat.LengthOf(body[done..]) is var length and > 0)
        {
            ReadOnlySpan<byte> record = body.Slice(done, length);
            var location = new LogLocation(segment, (uint)(at + head.Length + done), length);
            if (RecordFormat.IsRight(record, Sectors.Seed(scan.Log, segment, location.Offset)))
            {
                scan.Give(record, location);
            }
            else if (isWhole)
            {
                // Its sectors are right, so it was written like this: a mistake of memory or of a program.
                scan.Note(LogDamageKind.Rot, segment, at);
            }

            done += length;
        }
    }
}
