namespace CamCube.Services.KeyValue.Log;

/// <summary>A segment that is there.</summary>
/// <param name="number">Its number.</param>
/// <param name="file">Its file, open.</param>
internal sealed class LogSegment(uint number, IDiskFile file)
{
    public uint Number => number;

    public IDiskFile File => file;

    /// <summary>Its first batch; 0 if it has none.</summary>
    public ulong First { get; private set; }

    /// <summary>Its last batch.</summary>
    public ulong Last { get; private set; }

    /// <summary>Bytes that are synced.</summary>
    public long End { get; set; } = Sectors.Size;

    /// <summary>It has this batch.</summary>
    public void Note(ulong batch)
    {
        First = First == 0 ? batch : Math.Min(First, batch);
        Last = Math.Max(Last, batch);
    }
}
