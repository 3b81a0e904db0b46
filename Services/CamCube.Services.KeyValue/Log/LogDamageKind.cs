namespace CamCube.Services.KeyValue.Log;

/// <summary>What is wrong at a place of a log.</summary>
internal enum LogDamageKind
{
    /// <summary>Bytes that were never written there: rot, or a write that went astray.</summary>
    Rot = 0,

    /// <summary>A write that a later one calls synced is not there: the disk lied, or lost it.</summary>
    Missing = 1,

    /// <summary>The file that says whose the log is, and what was deleted of it. Never noted.</summary>
    Lost = 2,

    /// <summary>The start that found damage before did not come to its end. Never noted.</summary>
    Pending = 3,
}
