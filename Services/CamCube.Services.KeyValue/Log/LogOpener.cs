namespace CamCube.Services.KeyValue.Log;

/// <summary>Opens the log on a server's disk, or makes one there.</summary>
internal static class LogOpener
{
    /// <summary>Opens it and gives the owner all records that it has. Loop only.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Sizes.</param>
    /// <param name="owner">Who has it from now on.</param>
    /// <exception cref="ArgumentOutOfRangeException">A size that cannot be.</exception>
    public static async ValueTask<LogOpening> OpenAsync(IServer server, LogOptions options, ILogOwner owner)
    {
        options.Check();
        IServerDisk disk = server.Disk;
        DiskResult<IReadOnlyList<DiskEntry>> list = await disk.ListAsync().ConfigureAwait(true);
        if (list.Value is not { } entries)
        {
            return Unreadable(list.Status);
        }

        var store = new StoreFile(disk);
        DiskStatus status = await store.Read().ConfigureAwait(true);
        if (status == DiskStatus.NotFound)
        {
            if (entries.Any(static e => SegmentFormat.TryNumber(e.Name, out _)))
            {
                return Refused(
                    $"there are segments, but no file '{SegmentFormat.StoreName}' that says whose they are."
                );
            }

            status = await store.Make(new LogIdentity(server.Coordinate, server.Incarnation)).ConfigureAwait(true);
        }

        if (status != DiskStatus.Done)
        {
            return Unreadable(status);
        }

        if (store.Refusal.Length > 0)
        {
            return Refused(store.Refusal);
        }

        if (store.Log.Server != server.Coordinate)
        {
            return Refused($"it is the store of server {store.Log.Server}, and this is {server.Coordinate}.");
        }

        var scan = new LogScan(disk, owner, store.Log);
        status = await scan.Open(entries).ConfigureAwait(true);
        if (status == DiskStatus.Done && scan.Refusal.Length > 0)
        {
            return Refused(scan.Refusal);
        }

        status = status == DiskStatus.Done ? await scan.Run().ConfigureAwait(true) : status;
        status = status == DiskStatus.Done ? await scan.Settle().ConfigureAwait(true) : status;
        if (status == DiskStatus.Done && store.IsHalf)
        {
            // The other copy says it all.
            status = await store.Make(store.Log).ConfigureAwait(true);
        }

        return status != DiskStatus.Done
            ? Unreadable(status)
            : new LogOpening(
                scan.Damage.Count == 0 ? LogState.Whole : LogState.Damaged,
                "",
                new StoreLog(server, options, owner, scan)
            )
            {
                Damage = scan.Damage,
                Torn = scan.Torn,
                Records = scan.Records,
            };
    }

    private static LogOpening Refused(string why) => new(LogState.Refused, why, null);

    private static LogOpening Unreadable(DiskStatus status) =>
        new(LogState.Unreadable, $"the disk answered {status}.", null);
}
