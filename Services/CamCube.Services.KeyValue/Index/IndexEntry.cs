using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Index;

/// <summary>What is known of a key.</summary>
/// <param name="Version">The version of its last change.</param>
/// <param name="Location">Where that lies in the log.</param>
/// <param name="Length">Bytes of the value.</param>
/// <param name="Group">The group it belongs to.</param>
/// <param name="IsDeleted">The change was a delete.</param>
internal readonly record struct IndexEntry(ulong Version, LogLocation Location, int Length, uint Group, bool IsDeleted)
{
    /// <summary>The value lies in pieces.</summary>
    public bool IsInPieces { get; init; }

    /// <summary>When the key ends, by this server's time; 0: when it is deleted.</summary>
    public long DueNanos { get; init; }

    /// <summary>The version as conditions see it: 0 if there is no such key.</summary>
    public ulong Current => IsDeleted ? 0 : Version;
}
