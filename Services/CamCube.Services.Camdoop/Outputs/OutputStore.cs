using CamCube.Services.Camdoop.Records;

namespace CamCube.Services.Camdoop.Outputs;

/// <summary>Where a server keeps the runs of its map tasks: in memory while there is room, then on its disk. Loop
/// only.</summary>
/// <param name="server">The server.</param>
/// <param name="options">How much memory.</param>
internal sealed class OutputStore(IServer server, CamdoopOptions options)
{
    private const string Prefix = "run-";
    private IMemoryClaim? _claim;
    private long _files;

    /// <summary>Files of an earlier run of this server are nobody's.</summary>
    public async ValueTask CleanAsync()
    {
        DiskResult<IReadOnlyList<DiskEntry>> listed = await server.Disk.ListAsync();
        foreach (DiskEntry entry in listed.Value ?? [])
        {
            if (
                entry.Name.StartsWith(Prefix, StringComparison.Ordinal)
                && !entry.Name.Contains(Own, StringComparison.Ordinal)
            )
            {
                await server.Disk.DeleteAsync(entry.Name);
            }
        }
    }

    /// <summary>Keeps a run.</summary>
    /// <param name="run">The run.</param>
    /// <param name="onBroken">Told in words when it cannot be read back.</param>
    /// <returns>It, or why not, in words.</returns>
    public async ValueTask<(KeptRun? Run, string? Words)> KeepAsync(SortedRun run, Action<string> onBroken)
    {
        int length = run.Bytes.Length;
        if (_claim is null && !server.Memory.TryClaim("outputs", 0, out _claim))
        {
            return (null, "the service has stopped");
        }

        if (_claim.Bytes + length <= options.OutputMemory && _claim.TryGrow(length))
        {
            return (new MemoryRun(run, _claim), null);
        }

        string name = $"{Prefix}{Own}{_files++:x}";
        (DiskStatus status, DiskRun? kept) = await DiskRun.WriteAsync(server, name, run, onBroken);
        return status switch
        {
            DiskStatus.Done => (kept, null),
            DiskStatus.Full => (null, "the disk is full (output of map tasks)"),
            DiskStatus.NoDisk => (
                null,
                "the output of map tasks has no room in memory (CamCube:Services:camdoop:OutputMemory), and the host "
                    + "has no disk for it (CamCube:DataFolder)"
            ),
            _ => (null, $"the output of map tasks cannot be written: {status}"),
        };
    }

    // Different in each run of the server.
    private string Own => $"{server.Incarnation:x}-";
}
