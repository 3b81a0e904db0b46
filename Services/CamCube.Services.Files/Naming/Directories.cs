using System.Buffers;
using CamCube.Services.Files.Counting;
using CamCube.Services.Files.Records;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Naming;

/// <summary>
/// The tree of names, in the key-value store. A name is an entry in the group of its directory. What the two groups of
/// a directory, its parent's and its own, say cannot be changed at once, so it is opened and shut in steps: names are
/// put into it only while its record <see cref="DirectoryKeys.Open"/> is there. Whoever opens it reads
/// <see cref="DirectoryKeys.Shut"/>, makes or <em>renews</em> its entry in the parent, and puts the record only if
/// nobody has shut it meanwhile; whoever deletes it reads its entry, shuts it while it is empty, and deletes the entry
/// only if nobody has renewed it meanwhile. So no name is ever in a directory that nobody sees. Loop only.
/// </summary>
internal sealed class Directories(
    IServer server,
    Dependency<IKeyValueStore> store,
    FilesOptions options,
    FilesCounters counters
)
{
    // Others change the same name at the same time, each time.
    private const int MostTries = 16;

    // Longer than any request that has read it before goes on.
    private static readonly TimeSpan ShutMemory = TimeSpan.FromDays(1);

    /// <summary>A mistake that it makes, for tests.</summary>
    public FilesMistake Mistake { get; set; }

    /// <summary>The time now, as names are stamped with it.</summary>
    public long NowMillis => server.TimeProvider.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>The keys of a directory.</summary>
    public DirectoryKeys KeysOf(string directory) => new(directory, options.Table);

    /// <summary>What there is of a path, and its chunks if somebody wants them.</summary>
    /// <returns>Done, NotFound, Unavailable or DataAway.</returns>
    public async ValueTask<NameFound> FindAsync(string path, bool wantsChunks = false)
    {
        if (path == FilePath.Root)
        {
            return new NameFound(FileStatus.Done, new EntryRecord { IsDirectory = true }, 0, null);
        }

        if (!store.IsAvailable)
        {
            return new NameFound(FileStatus.Unavailable, null, 0, null);
        }

        ArrayBufferWriter<byte> metadata = new(),
            value = new();
        KeyValueAnswer answer = await store.Value.GetAsync(
            DirectoryKeys.Above(path, options.Table).EntryOf(FilePath.NameOf(path)),
            value: wantsChunks ? value : null,
            metadata: metadata
        );
        EntryRecord? record = EntryRecord.Read(metadata.WrittenSpan);
        if (answer.Status != KeyValueStatus.Done || record is null)
        {
            // What somebody else has put there is no file.
            FileStatus status = answer.Status == KeyValueStatus.Done ? FileStatus.NotFound : Of(answer.Status);
            return new NameFound(status, null, 0, null);
        }

        ChunkList? chunks =
            wantsChunks && !record.IsDirectory ? ChunkList.Read(record, value.WrittenSpan, options.Table) : null;
        return wantsChunks && !record.IsDirectory && chunks is null
            ? new NameFound(FileStatus.NotFound, null, 0, null)
            : new NameFound(FileStatus.Done, record, answer.Version, chunks);
    }

    /// <summary>Makes a directory, and those above it.</summary>
    /// <returns>Done: it is there; NotDirectory, Full, Unavailable, DataAway, Busy or Unknown.</returns>
    public async ValueTask<FileStatus> OpenAsync(string directory)
    {
        if (!store.IsAvailable)
        {
            return FileStatus.Unavailable;
        }

        DirectoryKeys keys = KeysOf(directory);
        for (int i = 0; i < MostTries; i++, counters.Retries.Add())
        {
            KeyValueAnswer open = await store.Value.GetAsync(keys.Open);
            if (open.Status != KeyValueStatus.NotFound)
            {
                return Of(open.Status);
            }

            KeyValueAnswer shut = await store.Value.GetAsync(keys.Shut);
            if (shut.Status is not (KeyValueStatus.Done or KeyValueStatus.NotFound))
            {
                return Of(shut.Status);
            }

            if (directory != FilePath.Root && await RenewAsync(directory) is var renewed and not FileStatus.Done)
            {
                if (renewed == FileStatus.Busy)
                {
                    continue;
                }

                return renewed;
            }

            KeyValueBatchAnswer opened = await store.Value.ApplyAsync(
                new KeyValueBatch()
                    .If(keys.Shut, ConditionOf(shut))
                    .Put(keys.Open, "0"u8.ToArray(), new KeyValuePut { Condition = KeyValueCondition.Absent })
            );
            if (opened.Status != KeyValueStatus.Conflict)
            {
                return Of(opened.Status);
            }
        }

        return FileStatus.Busy;
    }

    /// <summary>Puts a file into its directory, which is made if it is not there.</summary>
    /// <param name="path">The file.</param>
    /// <param name="record">What is kept beside its name.</param>
    /// <param name="chunks">Its chunks.</param>
    /// <returns>Done with the version of its name; Exists: there is something of that name; NotDirectory, Full,
    /// Unavailable, Busy or Unknown.</returns>
    public async ValueTask<(FileStatus Status, ulong Version)> AddAsync(
        string path,
        EntryRecord record,
        ChunkList chunks
    )
    {
        string directory = FilePath.DirectoryOf(path);
        for (int i = 0; i < MostTries; i++, counters.Retries.Add())
        {
            (FileStatus status, ulong version, bool isShut) = await AddAsync(directory, path, record, chunks.ToBytes());
            if (!isShut)
            {
                return (status, version);
            }

            FileStatus opened = await OpenAsync(directory);
            if (opened is not (FileStatus.Done or FileStatus.Busy))
            {
                return (opened, 0);
            }
        }

        return (FileStatus.Busy, 0);
    }

    /// <summary>Deletes an entry that is a file.</summary>
    /// <returns>Done; NotFound: another is there, or none; Full, Unavailable or Unknown.</returns>
    public async ValueTask<FileStatus> RemoveFileAsync(string path, EntryRecord record, ulong version)
    {
        DirectoryKeys keys = DirectoryKeys.Above(path, options.Table);
        KeyValueBatchAnswer answer = await store.Value.ApplyAsync(
            new KeyValueBatch()
                .Delete(keys.EntryOf(FilePath.NameOf(path)), KeyValueCondition.Is(version))
                .If(keys.Open, KeyValueCondition.Present)
                .Change(keys.Open, KeyValueChange.Add(-record.Length))
        );
        return answer.Status == KeyValueStatus.Conflict ? FileStatus.NotFound : Of(answer.Status);
    }

    /// <summary>Deletes a directory with nothing in it.</summary>
    /// <param name="path">The directory.</param>
    /// <param name="version">Of its entry, read before; it is deleted only if nobody has renewed it since.</param>
    /// <returns>Done; NotEmpty: also if somebody puts something there just now; Full, Unavailable or Unknown.</returns>
    public async ValueTask<FileStatus> RemoveDirectoryAsync(string path, ulong version)
    {
        DirectoryKeys keys = KeysOf(path);
        KeyValueAnswer open = await store.Value.GetAsync(keys.Open);
        if (open.Status is not (KeyValueStatus.Done or KeyValueStatus.NotFound))
        {
            return Of(open.Status);
        }

        string? cursor = null;
        do
        {
            KeyValuePage page = await store.Value.ListAsync(keys.Entries, cursor, 1);
            if (page.Status != KeyValueStatus.Done || page.Keys.Count > 0)
            {
                return page.Status == KeyValueStatus.Done ? FileStatus.NotEmpty : Of(page.Status);
            }

            cursor = page.Next;
        } while (cursor is not null);
        KeyValueBatch shut = new KeyValueBatch()
            .If(keys.Open, ConditionOf(open))
            .Put(keys.Shut, default, new KeyValuePut { Expires = ShutMemory });
        KeyValueBatchAnswer isShut = await store.Value.ApplyAsync(
            open.Status == KeyValueStatus.Done ? shut.Delete(keys.Open) : shut
        );
        if (isShut.Status != KeyValueStatus.Done)
        {
            return isShut.Status == KeyValueStatus.Conflict ? FileStatus.NotEmpty : Of(isShut.Status);
        }

        KeyValueAnswer gone = await store.Value.DeleteAsync(
            DirectoryKeys.Above(path, options.Table).EntryOf(FilePath.NameOf(path)),
            KeyValueCondition.Is(version)
        );
        return gone.Status == KeyValueStatus.Conflict ? FileStatus.NotEmpty : Of(gone.Status);
    }

    /// <summary>A part of the names in a directory.</summary>
    public async ValueTask<(KeyValuePage Page, DirectoryKeys Keys)> ListAsync(
        string directory,
        string? cursor,
        int limit
    )
    {
        DirectoryKeys keys = KeysOf(directory);
        return store.IsAvailable
            ? (await store.Value.ListAsync(keys.Entries, cursor, limit), keys)
            : (new KeyValuePage(KeyValueStatus.Unavailable), keys);
    }

    private async ValueTask<(FileStatus Status, ulong Version, bool IsShut)> AddAsync(
        string directory,
        string path,
        EntryRecord record,
        ReadOnlyMemory<byte> value
    )
    {
        if (!store.IsAvailable)
        {
            return (FileStatus.Unavailable, 0, false);
        }

        DirectoryKeys keys = KeysOf(directory);
        KeyValueBatchAnswer answer = await store.Value.ApplyAsync(
            new KeyValueBatch()
                .If(keys.Open, KeyValueCondition.Present)
                .Put(
                    keys.EntryOf(FilePath.NameOf(path)),
                    value,
                    new KeyValuePut { Condition = KeyValueCondition.Absent, Metadata = record.ToBytes() }
                )
                .Change(keys.Open, KeyValueChange.Add(record.Length))
        );
        return answer.Status == KeyValueStatus.Conflict
            ? (FileStatus.Exists, 0, answer.Failed == 0)
            : (Of(answer.Status), answer.Version, false);
    }

    // Makes the entry of a directory in its parent, or gives it another version.
    private async ValueTask<FileStatus> RenewAsync(string directory)
    {
        NameFound found = await FindAsync(directory);
        if (found.Status == FileStatus.NotFound)
        {
            var record = new EntryRecord { IsDirectory = true, CreatedMillis = NowMillis };
            string parent = FilePath.DirectoryOf(directory);
            (FileStatus added, _, bool isShut) = await AddAsync(parent, directory, record, default);
            if (isShut)
            {
                FileStatus opened = await OpenAsync(parent);
                return opened == FileStatus.Done ? FileStatus.Busy : opened;
            }

            return added == FileStatus.Exists ? FileStatus.Busy : added;
        }

        if (found.Record is not { } there)
        {
            return found.Status;
        }

        if (!there.IsDirectory)
        {
            return FileStatus.NotDirectory;
        }

        if (Mistake == FilesMistake.RenewsNothing)
        {
            return FileStatus.Done;
        }

        KeyValueAnswer renewed = await store.Value.PutAsync(
            DirectoryKeys.Above(directory, options.Table).EntryOf(FilePath.NameOf(directory)),
            default,
            new KeyValuePut { Condition = KeyValueCondition.Is(found.Version), Metadata = there.ToBytes() }
        );
        return Of(renewed.Status);
    }

    private static FileStatus Of(KeyValueStatus status) => FileStatuses.Of(status);

    private static KeyValueCondition ConditionOf(in KeyValueAnswer found) =>
        found.Version == 0 ? KeyValueCondition.Absent : KeyValueCondition.Is(found.Version);
}
