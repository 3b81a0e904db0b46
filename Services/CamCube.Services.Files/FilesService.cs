using System.Runtime.InteropServices;
using CamCube.Services.Files.Counting;
using CamCube.Services.Files.Moving;
using CamCube.Services.Files.Naming;
using CamCube.Services.Files.Records;
using CamCube.Services.Files.Sweeping;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files;

/// <summary>
/// The file store (NSDI §3): names and chunks as keys of the key-value store, which has the copies, recovery and
/// checks. It sends no packet of its own. docs/files.md says what is guaranteed. Loop only.
/// </summary>
[CamCubeService(0x0180, "files")]
public sealed class FilesService : CamCubeService, IFiles
{
    // Names of a directory that are looked up at once.
    private const int Window = 32;
    private readonly IServer _server;
    private readonly FilesOptions _options;
    private readonly Dependency<IKeyValueStore> _store;
    private readonly Directories _directories;
    private readonly FilesCounters _counters;
    private readonly OrphanSweep _sweep;
    private readonly ByteQuota _quota;

    /// <summary>The file store of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="store">Keeps names and chunks.</param>
    public FilesService(IServer server, FilesOptions options, Dependency<IKeyValueStore> store)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(options);
        (_server, _options, _store) = (server, options, store);
        _counters = new FilesCounters(server.Counters);
        _directories = new Directories(server, store, options, _counters);
        _quota = new ByteQuota(store, options);
        _sweep = new OrphanSweep(server, options, _directories, _quota, store, _counters);
    }

    /// <inheritdoc/>
    public long MostBytes => Math.Min(_options.MostBytes, (long)_options.ChunkBytes * ChunkList.MostChunks);

    /// <inheritdoc/>
    public override void OnStart() => _sweep.Start();

    /// <summary>A mistake that it makes, for tests; set before it starts.</summary>
    internal FilesMistake Mistake
    {
        set => _directories.Mistake = value;
    }

    /// <summary>Chunks that were found without their file, and are kept yet.</summary>
    internal int Orphans => _sweep.Waiting;

    /// <summary>What is counted.</summary>
    internal FilesCounters Counters => _counters;

    /// <inheritdoc/>
    public async ValueTask<FileAnswer> FindAsync(string path) =>
        BadPathOf(path) ?? (await _directories.FindAsync(path)).ToAnswer(path);

    /// <inheritdoc/>
    public async ValueTask<FileLayout> DescribeAsync(string path)
    {
        if (BadPathOf(path) is { } bad)
        {
            return new FileLayout(bad);
        }

        NameFound found = await _directories.FindAsync(path, wantsChunks: true);
        List<FileChunk> chunks = [];
        var servers = new Coordinate[Math.Min(CopiesOf(), _server.Shape.Count)];
        for ((int i, long at) = (0, 0); i < found.Chunks?.Count; i++)
        {
            Key key = found.Chunks.KeyOf(i).ToKey();
            int live = _server.Topology.GetServersForKey(key, servers);
            chunks.Add(new FileChunk(at, found.Chunks.LengthOf(i), key) { Servers = servers[..live] });
            at += found.Chunks.LengthOf(i);
        }

        return new FileLayout(found.ToAnswer(path)) { Chunks = chunks };
    }

    /// <inheritdoc/>
    public async ValueTask<IFileReader> OpenReadAsync(string path) =>
        new FileReader(
            path,
            BadPathOf(path) is { } bad
                ? new NameFound(bad.Status, null, 0, null)
                : await _directories.FindAsync(path, wantsChunks: true),
            _directories,
            _store,
            _counters
        );

    /// <inheritdoc/>
    public IFileWriter OpenWrite(string path, FileCreation creation = default)
    {
        ArgumentNullException.ThrowIfNull(path);
        UInt128 id = 0;
        _server.Random.FillSecret(MemoryMarshal.AsBytes(new Span<UInt128>(ref id)));
        return new FileWriter(path, creation, id, _server, _options, _directories, _quota, _store, _counters);
    }

    /// <inheritdoc/>
    public async ValueTask<FileAnswer> MakeDirectoryAsync(string path)
    {
        if (BadPathOf(path) is { } bad)
        {
            return bad;
        }

        // A file of this name is seen before anything is made above it.
        NameFound there = await _directories.FindAsync(path);
        if (there.Record is { IsDirectory: false })
        {
            return new FileAnswer(FileStatus.NotDirectory);
        }

        FileStatus made = await _directories.OpenAsync(path);
        if (made != FileStatus.Done)
        {
            return new FileAnswer(made);
        }

        // It was made, whoever has deleted it since.
        NameFound found = await _directories.FindAsync(path);
        return found.Record is { IsDirectory: true }
            ? found.ToAnswer(path)
            : new FileAnswer(FileStatus.Done, new FileEntry(path, IsDirectory: true));
    }

    /// <inheritdoc/>
    public async ValueTask<FileAnswer> DeleteAsync(string path, bool recursive = false, ulong version = 0)
    {
        if (BadPathOf(path) is { } bad)
        {
            return bad;
        }

        if (path == FilePath.Root)
        {
            return new FileAnswer(FileStatus.BadPath) { Words = "the root directory stays." };
        }

        NameFound found = await _directories.FindAsync(path, wantsChunks: true);
        if (found.Record is not { } record)
        {
            return new FileAnswer(found.Status);
        }

        if (version != 0 && version != found.Version)
        {
            return found.ToAnswer(path) with { Status = FileStatus.OtherVersion };
        }

        if (record.IsDirectory && recursive && await EmptyAsync(path) is var left and not FileStatus.Done)
        {
            return new FileAnswer(left);
        }

        FileStatus gone = record.IsDirectory
            ? await _directories.RemoveDirectoryAsync(path, found.Version)
            : await _directories.RemoveFileAsync(path, record, found.Version);
        if (gone != FileStatus.Done)
        {
            return new FileAnswer(gone);
        }

        _counters.Deleted.Add();
        await _quota.GiveBackAsync(record.Length);
        if (found.Chunks is { } chunks)
        {
            await DeleteAsync(chunks);
        }

        return found.ToAnswer(path);
    }

    /// <inheritdoc/>
    public async ValueTask<FilePage> ListAsync(
        string directory,
        string? cursor = null,
        int limit = FilePage.MostEntries
    )
    {
        if (BadPathOf(directory) is { } bad)
        {
            return new FilePage(bad.Status);
        }

        NameFound found = await _directories.FindAsync(directory);
        if (found.Record is not { IsDirectory: true })
        {
            return new FilePage(found.Record is null ? found.Status : FileStatus.NotDirectory);
        }

        (KeyValuePage page, DirectoryKeys keys) = await _directories.ListAsync(
            directory,
            cursor,
            Math.Clamp(limit, 1, FilePage.MostEntries)
        );
        if (page.Status != KeyValueStatus.Done)
        {
            return new FilePage(FileStatuses.Of(page.Status));
        }

        List<FileEntry> entries = [];
        foreach (KeyValueListing[] some in page.Keys.Chunk(Window))
        {
            // All are asked for before the first is awaited.
            string[] paths = [.. some.Select(one => FilePath.Join(directory, keys.NameIn(one.Key)))];
            Task<NameFound>[] asked = [.. paths.Select(path => _directories.FindAsync(path).AsTask())];
            for (int i = 0; i < asked.Length; i++)
            {
                NameFound one = await asked[i];
                if (one.Status is not (FileStatus.Done or FileStatus.NotFound))
                {
                    return new FilePage(one.Status);
                }

                if (one.Record is { } record)
                {
                    entries.Add(record.ToEntry(paths[i], one.Version));
                }
            }
        }

        return new FilePage(FileStatus.Done) { Entries = entries, Next = page.Next };
    }

    // All in a directory, one after the other; what comes meanwhile is seen when the directory is deleted.
    private async ValueTask<FileStatus> EmptyAsync(string directory)
    {
        string? cursor = null;
        do
        {
            FilePage page = await ListAsync(directory, cursor);
            if (page.Status != FileStatus.Done)
            {
                return page.Status;
            }

            foreach (FileEntry entry in page.Entries)
            {
                FileAnswer gone = await DeleteAsync(entry.Path, recursive: true);
                if (gone.Status is not (FileStatus.Done or FileStatus.NotFound))
                {
                    return gone.Status;
                }
            }

            cursor = page.Next;
        } while (cursor is not null);
        return FileStatus.Done;
    }

    // The name is gone already: what is left of these the sweep finds.
    private async ValueTask DeleteAsync(ChunkList chunks)
    {
        foreach (int[] some in Enumerable.Range(0, chunks.Count).Chunk(Window))
        {
            Task<KeyValueAnswer>[] asked = [.. some.Select(i => _store.Value.DeleteAsync(chunks.KeyOf(i)).AsTask())];
            foreach (Task<KeyValueAnswer> one in asked)
            {
                await one;
            }
        }
    }

    private int CopiesOf() => _store.IsAvailable ? Math.Max(1, _store.Value.CopiesOf(_options.Table)) : 1;

    private static FileAnswer? BadPathOf(string path) =>
        FilePath.WrongOf(path) is { } wrong ? new FileAnswer(FileStatus.BadPath) { Words = wrong } : null;
}
