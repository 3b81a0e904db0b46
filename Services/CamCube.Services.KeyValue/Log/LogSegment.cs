namespace CamCube.Services.KeyValue.Log;

/// <summary>A segment that is there.</summary>
/// <param name="number">Its number.</param>
/// <param name="file">Its file, open.</param>
internal sealed class LogSegment(uint number, IDiskFile file)
{
    private readonly NumberRanges _rotten = new();

    public uint Number => number;

    public IDiskFile File => file;

    /// <summary>Its first batch; 0 if it has none.</summary>
    public ulong First { get; private set; }

    /// <summary>Its last batch.</summary>
    public ulong Last { get; private set; }

    /// <summary>Bytes that are synced.</summary>
    public long End { get; set; } = Sectors.Size;

    /// <summary>Keys that it may have records of, also of records that were not told to be synced.</summary>
    public KeyFilter Keys { get; private set; } = new();

    /// <summary>It was deleted.</summary>
    public bool IsGone { get; set; }

    /// <summary>Something in it is not as it was written, or could not be read.</summary>
    public bool IsDamaged { get; set; }

    /// <summary>It has a hint, or one was tried in this run.</summary>
    public bool HasHint { get; set; }

    /// <summary>It is not compacted before this server time.</summary>
    public long HeldUntil { get; set; } = long.MinValue;

    /// <summary>How often it had to stay when it was compacted.</summary>
    public int Holds { get; set; }

    /// <summary>It is not read at the start: a snapshot says what is in it.</summary>
    public void Take(MarkedSegment marked)
    {
        (First, Last, End, Keys) = (marked.First, marked.Last, marked.End, marked.Keys);
        IsDamaged |= marked.IsDamaged;
    }

    /// <summary>It has this batch.</summary>
    public void Note(ulong batch)
    {
        First = First == 0 ? batch : Math.Min(First, batch);
        Last = Math.Max(Last, batch);
    }

    /// <summary>Something is rotten here. False: that is known.</summary>
    public bool NoteRot(long from, long to)
    {
        IsDamaged = true;
        bool isNew = !_rotten.Contains((ulong)from, (ulong)to - 1);
        _rotten.Add((ulong)from, (ulong)to - 1);
        return isNew;
    }
}
