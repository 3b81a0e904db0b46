namespace CamCube.Services.KeyValue.Log;

/// <summary>What a record does to the room on the disk, and so how much of it must be left.</summary>
internal enum LogUse
{
    /// <summary>It makes the store larger, as a put does: refused below <see cref="LogOptions.ReserveSegments"/> free
    /// segments.</summary>
    Put = 0,

    /// <summary>It makes the store smaller in the end, as a delete does, or the protocol cannot do without: refused
    /// below half a free segment, which is compaction's.</summary>
    Needed = 1,
}
