namespace CamCube.Services.KeyValue.Log;

/// <summary>Who has a log. Called on the loop; must not throw.</summary>
internal interface ILogOwner
{
    /// <summary>A record that is there at the start, in the order in which records were written. After a sync that
    /// failed records may come twice. The spans are lent for the call.</summary>
    void Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    );

    /// <summary>Records survive a power failure from now on.</summary>
    /// <param name="first">The ticket of the first; the others follow.</param>
    /// <param name="locations">Where they lie, one each, lent for the call.</param>
    void Synced(ulong first, ReadOnlySpan<LogLocation> locations);

    /// <summary>The disk failed twice, and the log takes nothing more: nothing is known of what was not synced. It can
    /// still be read.</summary>
    void Failed(DiskStatus status);
}
