namespace CamCube.Services.KeyValue.Log;

/// <summary>Opens the log on a server's disk, or makes one there.</summary>
internal static class LogOpener
{
    private const int MostNamed = 3;

    /// <summary>Opens it and gives the owner all records that it has. Loop only.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Sizes.</param>
    /// <param name="owner">Who has it from now on.</param>
    /// <exception cref="ArgumentOutOfRangeException">A size that cannot be.</exception>
    public static async ValueTask<LogOpening> OpenAsync(IServer server, LogOptions options, ILogOwner owner)
    {
        options.Check();
        if (LogMemory.Begin(server) is not { } memory)
        {
            return new LogOpening(
                LogState.Unreadable,
                "the server has no memory left for its log (CamCube:Memory).",
                null
            );
        }

        LogOpening opening = await OpenAsync(server, options, owner, memory).ConfigureAwait(true);
        if (opening.Log is null)
        {
            memory.End();
        }

        return opening;
    }

    private static async ValueTask<LogOpening> OpenAsync(
        IServer server,
        LogOptions options,
        ILogOwner owner,
        LogMemory memory
    )
    {
        IServerDisk disk = options.Disk ?? server.Disk;
        DiskResult<IReadOnlyList<DiskEntry>> list = await disk.ListAsync().ConfigureAwait(true);
        if (list.Value is not { } entries)
        {
            return Unreadable(list.Status);
        }

        var store = new StoreFile(server, disk);
        DiskStatus status = await store.Read().ConfigureAwait(true);
        bool isLost = status == DiskStatus.NotFound || store.IsLost;
        if (isLost && entries.Any(static e => SegmentFormat.TryNumber(e.Name, out _)))
        {
            // The segments say it, too; but not what was deleted, nor under which id it made promises.
            if (await IdentityIn(server, disk, entries).ConfigureAwait(true) is not { } identity)
            {
                return Refused(
                    $"there are segments, but no file '{SegmentFormat.StoreName}' that says whose they are."
                );
            }

            store.Assume(identity);
            status = DiskStatus.Done;
        }
        else if (status == DiskStatus.NotFound)
        {
            isLost = false;
            status = await store.Make(new LogIdentity(server.Coordinate, server.Incarnation)).ConfigureAwait(true);
        }

        if (status != DiskStatus.Done)
        {
            return Unreadable(status) with { IsUntouched = true };
        }

        if (store.Refusal.Length > 0)
        {
            return Refused(store.Refusal);
        }

        if (store.Log.Server != server.Coordinate)
        {
            return Refused($"it is the store of server {store.Log.Server}, and this is {server.Coordinate}.");
        }

        return await Scan(server, options, owner, memory, store, entries, isLost).ConfigureAwait(true);
    }

    // Whose the first segments are; null: they do not say it, or it is not this server's log.
    private static async ValueTask<LogIdentity?> IdentityIn(
        IServer server,
        IServerDisk disk,
        IReadOnlyList<DiskEntry> entries
    )
    {
        byte[] sector = new byte[Sectors.Size];
        LogIdentity? identity = null;
        foreach (DiskEntry entry in entries)
        {
            if (!SegmentFormat.TryNumber(entry.Name, out uint segment))
            {
                continue;
            }

            DiskResult<IDiskFile> opened = await disk.OpenAsync(entry.Name, create: false).ConfigureAwait(true);
            if (opened.Value is not { } file)
            {
                return null;
            }

            DiskResult<int> read = await file.ReadAsync(0, sector).ConfigureAwait(true);
            file.Close();
            bool isRight =
                read is { IsDone: true, Value: Sectors.Size }
                && SegmentFormat.TryRead(
                    sector,
                    SegmentFormat.SegmentMagic,
                    segment,
                    out uint version,
                    out LogIdentity of
                )
                && version == SegmentFormat.Version
                && of.Server == server.Coordinate
                && (identity ??= of) == of;
            bool isOther =
                read.IsDone
                && !isRight
                && SegmentFormat.TryRead(sector, SegmentFormat.SegmentMagic, segment, out _, out _);
            if (isOther || !read.IsDone)
            {
                return null;
            }
        }

        return identity;
    }

    private static async ValueTask<LogOpening> Scan(
        IServer server,
        LogOptions options,
        ILogOwner owner,
        LogMemory memory,
        StoreFile store,
        IReadOnlyList<DiskEntry> entries,
        bool isLost
    )
    {
        LogScan scan = Begin();
        DiskStatus status = await scan.Open(entries).ConfigureAwait(true);
        if (status == DiskStatus.Done && scan.Refusal.Length > 0)
        {
            return Refused(scan.Refusal);
        }

        var snapshot = new SnapshotStart(server, owner, store);
        if (status == DiskStatus.Done && options.UsesHints && scan.Damage.Count == 0)
        {
            await snapshot.Take(entries, scan).ConfigureAwait(true);
        }

        status = status == DiskStatus.Done ? await scan.Run().ConfigureAwait(true) : status;
        if (status == DiskStatus.Done && !snapshot.Fits(scan))
        {
            scan.Close();
            scan = Begin();
            status = await scan.Open(entries).ConfigureAwait(true);
            status = status == DiskStatus.Done ? await scan.Run().ConfigureAwait(true) : status;
        }
        status = status == DiskStatus.Done ? await scan.Settle().ConfigureAwait(true) : status;
        LogIdentity before = store.Id;
        if (status == DiskStatus.Done && scan.Damage.Count > 0)
        {
            // Before anybody can promise anything by it.
            ulong id = Math.Max(server.Incarnation, before.Incarnation + 1);
            status = await store.Change(_ => scan.NotesWith(id)).ConfigureAwait(true);
        }
        else if (status == DiskStatus.Done && store.IsHalf)
        {
            // The other copy says it all. On a full disk it has to do.
            status = await store.Change(static notes => notes).ConfigureAwait(true);
            status = status == DiskStatus.Full ? DiskStatus.Done : status;
        }

        if (status == DiskStatus.Done)
        {
            await scan.Room.Look().ConfigureAwait(true);
        }

        if (status != DiskStatus.Done)
        {
            scan.Close();
            return Unreadable(status);
        }

        bool isDamaged = scan.Damage.Count > 0;
        return new LogOpening(
            isDamaged ? LogState.Damaged : LogState.Whole,
            isDamaged ? WordsOf(scan.Damage, before, store.Id) : "",
            new StoreLog(server, options, owner, scan, memory) { Snapshots = snapshot.Last }
        )
        {
            HasSnapshot = snapshot.IsTaken,
            IgnoredSnapshots = snapshot.Ignored,
            Damage = scan.Damage,
            Torn = scan.Torn,
            Records = scan.Records,
            Store = store.Id,
            Hints = scan.Hints,
            IgnoredHints = scan.IgnoredHints,
        };

        LogScan Begin()
        {
            var begun = new LogScan(server, owner, store, options);
            if (isLost || store.Notes.IsPending)
            {
                begun.Note(new LogDamage(isLost ? LogDamageKind.Lost : LogDamageKind.Pending, 0, 0));
            }

            return begun;
        }
    }

    private static string WordsOf(IReadOnlyList<LogDamage> damage, LogIdentity before, LogIdentity now)
    {
        string more = damage.Count > MostNamed ? $", and {damage.Count - MostNamed} more" : "";
        return $"{string.Join(", ", damage.Take(MostNamed))}{more}: the store {before.Incarnation} may have lost what "
            + $"it promised, and goes on as the new store {now.Incarnation}; what is right in it was found.";
    }

    private static LogOpening Refused(string why) => new(LogState.Refused, why, null);

    private static LogOpening Unreadable(DiskStatus status) =>
        new(
            LogState.Unreadable,
            status switch
            {
                DiskStatus.NoDisk => "there is no disk for it (setting CamCube:DataFolder).",
                DiskStatus.InUse => "another process uses its files.",
                _ => $"the disk answered {status}.",
            },
            null
        )
        {
            Disk = status,
        };
}
