namespace CamCube.Services.Files.Counting;

/// <summary>What one server's file store counts, also read from outside as <c>camcube.files.*</c>. Loop only.</summary>
internal sealed class FilesCounters(IServerCounters counters)
{
    /// <summary>Files that were made through this server.</summary>
    public Counter Made { get; } = counters.Create("made", "{file}");

    /// <summary>Files that were there already, with the same bytes.</summary>
    public Counter Unchanged { get; } = counters.Create("unchanged", "{file}");

    /// <summary>Files and directories that were deleted through this server.</summary>
    public Counter Deleted { get; } = counters.Create("deleted", "{file}");

    /// <summary>Bytes that were written through this server, of files that came to nothing, too.</summary>
    public Counter Written { get; } = counters.Create("written", "By");

    /// <summary>Bytes that were read through this server.</summary>
    public Counter Read { get; } = counters.Create("read", "By");

    /// <summary>Attempts after the first at a name that others changed at the same time.</summary>
    public Counter Retries { get; } = counters.Create("retries", "{attempt}");

    /// <summary>Chunks without a file that were deleted.</summary>
    public Counter Orphans { get; } = counters.Create("orphans", "{chunk}");
}
