namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Reads one segment batch by batch and tells torn from rot. Sectors of a segment are written once, over nothing or
/// zeros: what is zero or behind the end was never written, what is neither zero nor right was damaged later. One read
/// at a time; what a batch has can be read until the next move.
/// </summary>
/// <param name="log">Whose it is.</param>
/// <param name="segment">Its number.</param>
/// <param name="file">The file.</param>
/// <param name="end">Where to stop: the file's length, or how far it was synced.</param>
/// <param name="window">The memory to read through, this cursor's until it is done.</param>
/// <param name="from">Where to begin: at a batch.</param>
internal sealed class SegmentCursor(
    LogIdentity log,
    uint segment,
    IDiskFile file,
    long end,
    SegmentWindow window,
    long from = Sectors.Size
)
{
    private BatchHead _head;
    private long _next = from;
    private int _done;
    private bool _isZero;

    /// <summary>What is here.</summary>
    public SegmentPlace Place { get; private set; }

    /// <summary>Where it begins.</summary>
    public long At { get; private set; }

    /// <summary>Where it ends.</summary>
    public long End { get; private set; }

    /// <summary>Whether the head of a batch is here, and so its records, as far as they are right.</summary>
    public bool HasHead { get; private set; }

    /// <summary>That head.</summary>
    public BatchHead Head => _head;

    /// <summary>A sum of the bytes here, if there is a head: what is damaged and was before has the same.</summary>
    public uint Sum => HasHead ? Sectors.Sum(uint.MaxValue, window.Span(At, _head.Bytes)) : 0;

    /// <summary>A sum of the first sector of the batch here.</summary>
    public uint FirstSum => LogMark.SumOf(window.Span(At, Sectors.Size));

    /// <summary>Goes on to the next batch, or damage.</summary>
    public async ValueTask<DiskStatus> MoveNext()
    {
        (At, HasHead, _done, BrokenAt) = (_next, false, 0, -1);
        if (At >= end)
        {
            (Place, End) = (SegmentPlace.End, end);
            return DiskStatus.Done;
        }

        DiskStatus status = await window.MoveTo(file, At, Sectors.Size).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return status;
        }

        HasHead = IsHead(At);
        if (!HasHead)
        {
            _isZero = Sectors.IsZero(window.Span(At, Sectors.Size));
            status = await Skip(At + Sectors.Size, isRotten: !_isZero).ConfigureAwait(true);
            Place = Place == SegmentPlace.Torn && _isZero ? SegmentPlace.Ahead : Place;
            return status;
        }

        BatchHead head = _head;
        (End, _next) = (At + head.Bytes, At + head.Bytes);
        status = await window.MoveTo(file, At, head.Bytes).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return status;
        }

        Place = SegmentPlace.Batch;
        if (head.AreRight(window.Span(At, head.Bytes), log, segment, At, out bool isRotten))
        {
            return status;
        }

        status = await Skip(End, isRotten).ConfigureAwait(true);
        (_head, HasHead) = (head, true);
        return status == DiskStatus.Done ? await window.MoveTo(file, At, head.Bytes).ConfigureAwait(true) : status;
    }

    /// <summary>The record that is here: its bytes, until the next move.</summary>
    public ReadOnlySpan<byte> Record => window.Span(Location.Offset, Location.Length);

    /// <summary>Where it lies.</summary>
    public LogLocation Location { get; private set; }

    /// <summary>Whether it is as it was written; if not, its bytes say nothing.</summary>
    public bool IsRight => RecordFormat.IsRight(Record, Sectors.Seed(log, segment, Location.Offset));

    /// <summary>Where records end that can be told apart: the batch has more, but nobody can say where. -1: all were
    /// told apart.</summary>
    public long BrokenAt { get; private set; } = -1;

    /// <summary>Goes on to the next record of the batch.</summary>
    /// <returns>False: there is none any more.</returns>
    public bool MoveRecord()
    {
        if (!HasHead || Place == SegmentPlace.Torn)
        {
            return false;
        }

        ReadOnlySpan<byte> body = window.Span(At, _head.Bytes).Slice(_head.Length, _head.BodyLength);
        int length = RecordFormat.LengthOf(body[_done..]);
        Location = new LogLocation(segment, (uint)(At + _head.Length + _done), length);
        _done += length;
        BrokenAt = length == 0 && _done < _head.BodyLength ? Location.Offset : -1;
        return length > 0;
    }

    // Something is wrong here: on to the next batch that begins right.
    private async ValueTask<DiskStatus> Skip(long from, bool isRotten)
    {
        (DiskStatus status, long next) = await FindNext(from).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return status;
        }

        Place =
            isRotten ? SegmentPlace.Rot
            : next < 0 ? SegmentPlace.Torn
            : SegmentPlace.Missing;

        // A batch whose head is right says where it ends: what lies behind it may be damaged for itself, and is next.
        End =
            HasHead && Place != SegmentPlace.Torn ? from
            : next < 0 ? end
            : next;
        _next = End;
        return status;
    }

    private bool IsHead(long at) => BatchHead.TryRead(window.Span(at, Sectors.Size), log, segment, at, out _head);

    // The next batch that begins right; -1: there is none.
    private async ValueTask<(DiskStatus Status, long At)> FindNext(long from)
    {
        for (long at = from; at < end; at += Sectors.Size)
        {
            DiskStatus status = await window.MoveTo(file, at, Sectors.Size).ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                return (status, -1);
            }

            if (IsHead(at))
            {
                return (DiskStatus.Done, at);
            }

            _isZero = _isZero && Sectors.IsZero(window.Span(at, Sectors.Size));
        }

        return (DiskStatus.Done, -1);
    }
}
