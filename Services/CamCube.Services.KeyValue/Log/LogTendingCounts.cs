namespace CamCube.Services.KeyValue.Log;

/// <summary>What was done to a log beside appending and reading, in this run.</summary>
internal record struct LogTendingCounts
{
    /// <summary>Segments that were compacted and deleted.</summary>
    public long Compacted { get; set; }

    /// <summary>Bytes of records that were copied.</summary>
    public long CopiedBytes { get; set; }

    /// <summary>Deletes that were dropped.</summary>
    public long DroppedDeletes { get; set; }

    /// <summary>Compactions of a segment that had to stay: something in it was needed still, or it could not be
    /// read.</summary>
    public long Held { get; set; }

    /// <summary>Places that were found rotten.</summary>
    public long Rotten { get; set; }

    /// <summary>Hints that were written.</summary>
    public long Hints { get; set; }
}
