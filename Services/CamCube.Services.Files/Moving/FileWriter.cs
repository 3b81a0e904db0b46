using System.Security.Cryptography;
using System.Text;
using CamCube.Services.Files.Counting;
using CamCube.Services.Files.Naming;
using CamCube.Services.Files.Records;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Moving;

/// <summary>A file that is written chunk by chunk, each at the next server in turn; its name comes last. Loop
/// only.</summary>
internal sealed class FileWriter(
    string path,
    FileCreation creation,
    UInt128 id,
    IServer server,
    FilesOptions options,
    Directories directories,
    ByteQuota quota,
    Dependency<IKeyValueStore> store,
    FilesCounters counters
) : IFileWriter
{
    // What is hashed in one go holds the loop for some 50 us.
    private const int Slice = 64 << 10;
    private readonly ChunkList _chunks = new(id, options.Table);
    private readonly IncrementalHash _sum = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly ChunkTurn _turn = new(path, creation.At, server);
    private IKeyValueWriter? _chunk;
    private int _tag;
    private long _begunNanos = long.MaxValue;
    private FileStatus _status = WrongOf(path, creation);
    private bool _isOver;

    /// <inheritdoc/>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public async ValueTask<FileStatus> WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        for (int at = 0; at < bytes.Length && _status == FileStatus.Done; )
        {
            _status =
                !store.IsAvailable ? FileStatus.Unavailable
                : Length + bytes.Length - at > options.MostBytes ? FileStatus.TooLarge
                : _chunk is null && _chunks.Count == ChunkList.MostChunks ? FileStatus.TooLarge
                : FileStatus.Done;
            if (_status != FileStatus.Done)
            {
                break;
            }

            IKeyValueWriter chunk = _chunk ??= Begin();
            int take = Math.Min(Math.Min(Slice, bytes.Length - at), (int)(options.ChunkBytes - chunk.Length));
            ReadOnlyMemory<byte> piece = bytes.Slice(at, take);
            _sum.AppendData(piece.Span);
            _status = FileStatuses.Of(await chunk.WriteAsync(piece));
            (at, Length) = (at + take, Length + take);
            counters.Written.Add(take);
            if (_status == FileStatus.Done && chunk.Length == options.ChunkBytes)
            {
                await EndAsync();
            }
        }

        return _status;
    }

    /// <inheritdoc/>
    public async ValueTask<FileAnswer> CommitAsync()
    {
        if (_isOver)
        {
            throw new InvalidOperationException("A file is committed once.");
        }

        _isOver = true;
        if (_status == FileStatus.Done && _chunk is not null)
        {
            await EndAsync();
        }

        // Its chunks may be taken for those of somebody who has died.
        if (_status == FileStatus.Done && IsOlderThan(options.OrphanAge / 2))
        {
            _status = FileStatus.TooSlow;
        }

        if (_status != FileStatus.Done)
        {
            Sweep();
            return new FileAnswer(_status) { Words = WordsOf(path, creation) };
        }

        var record = new EntryRecord
        {
            Id = id,
            Chunks = _chunks.Count,
            Length = Length,
            CreatedMillis = directories.NowMillis,
            MediaType = creation.MediaType ?? "",
            Sha256 = _sum.GetCurrentHash(),
        };
        _status = await quota.TakeAsync(Length);
        if (_status != FileStatus.Done)
        {
            // Nobody has the name, so nothing is unknown but the count.
            Sweep();
            return new FileAnswer(_status == FileStatus.Unknown ? FileStatus.Unavailable : _status);
        }

        (FileStatus added, ulong version) = await directories.AddAsync(path, record, _chunks);
        FileAnswer end =
            added == FileStatus.Done
                ? new FileAnswer(FileStatus.Done, record.ToEntry(path, version))
                : EndOf(
                    record,
                    added,
                    added is FileStatus.Exists or FileStatus.Unknown ? await directories.FindAsync(path) : default
                );
        if (end is not { Status: FileStatus.Done, Entry: { } entry } || added == FileStatus.Exists)
        {
            await quota.GiveBackAsync(end.Status == FileStatus.Unknown ? 0 : Length);
            return end;
        }

        counters.Made.Add();
        return IsOlderThan(options.OrphanAge) ? await LookAgainAsync(record, entry) : end;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isOver)
        {
            _isOver = true;
            Sweep();
        }

        _chunk?.Dispose();
        _chunk = null;
        _sum.Dispose();
    }

    private FileAnswer EndOf(EntryRecord record, FileStatus added, NameFound there)
    {
        // Its own, of an attempt whose answer was lost.
        if (there.Record is { IsDirectory: false } own && own.Id == id)
        {
            return there.ToAnswer(path);
        }

        // Whoever does not know whether its name is there leaves its chunks: the sweep will know.
        if (added == FileStatus.Unknown)
        {
            return new FileAnswer(FileStatus.Unknown);
        }

        Sweep();
        if (added != FileStatus.Exists || there.Record is null)
        {
            return new FileAnswer(added == FileStatus.Exists ? FileStatus.Busy : added);
        }

        if (there.Record.IsDirectory)
        {
            return new FileAnswer(FileStatus.IsDirectory);
        }

        bool isSame = there.Record.Length == Length && there.Record.Sha256.Span.SequenceEqual(record.Sha256.Span);
        counters.Unchanged.Add(isSame ? 1 : 0);
        return there.ToAnswer(path) with { Status = isSame ? FileStatus.Done : FileStatus.Exists };
    }

    // This server stood still for so long, after it had looked at the clock, that its chunks may be swept away.
    private async ValueTask<FileAnswer> LookAgainAsync(EntryRecord record, FileEntry entry)
    {
        for (int i = 0; i < _chunks.Count; i++)
        {
            KeyValueAnswer chunk = store.IsAvailable
                ? await store.Value.GetAsync(_chunks.KeyOf(i))
                : new KeyValueAnswer(KeyValueStatus.Unavailable);
            if (chunk.Status == KeyValueStatus.NotFound)
            {
                FileStatus gone = await directories.RemoveFileAsync(path, record, entry.Version);
                await quota.GiveBackAsync(gone == FileStatus.Done ? Length : 0);
                Sweep();
                return new FileAnswer(
                    gone is FileStatus.Done or FileStatus.NotFound ? FileStatus.TooSlow : FileStatus.Unknown
                );
            }

            if (chunk.Status != KeyValueStatus.Done)
            {
                return new FileAnswer(FileStatus.Unknown);
            }
        }

        return new FileAnswer(FileStatus.Done, entry);
    }

    private IKeyValueWriter Begin()
    {
        _begunNanos = Math.Min(_begunNanos, server.Loop.ReadClock());
        _tag = _chunks.TagFor(_turn.Next(), server.Shape);
        return store.Value.OpenWrite(_chunks.Key(_chunks.Count, _tag));
    }

    // Beside a chunk stands whose it is: who finds it without its file looks there.
    private async ValueTask EndAsync()
    {
        using IKeyValueWriter chunk = _chunk!;
        _chunk = null;
        KeyValueAnswer answer = await chunk.CommitAsync(
            new KeyValuePut { Condition = KeyValueCondition.Absent, Metadata = Encoding.UTF8.GetBytes(path) }
        );
        _status = FileStatuses.Of(answer.Status);

        // Perhaps it is there, so it is to be swept away.
        if (_status is FileStatus.Done or FileStatus.Unknown)
        {
            _chunks.Add((int)chunk.Length, _tag);
        }

        _status = _status == FileStatus.Unknown ? FileStatus.Unavailable : _status;
    }

    // Nobody waits for it: what is left of it the sweep finds.
    private void Sweep()
    {
        if (_chunks.Count == 0)
        {
            return;
        }

        server.Loop.Run(async () =>
        {
            for (int i = 0; i < _chunks.Count && store.IsAvailable; i++)
            {
                await store.Value.DeleteAsync(_chunks.KeyOf(i));
            }
        });
    }

    // By the clock that moves on while the machine is suspended.
    private bool IsOlderThan(TimeSpan age) =>
        _begunNanos != long.MaxValue && server.Loop.ReadClock() - _begunNanos > (long)age.TotalNanoseconds;

    private static FileStatus WrongOf(string path, FileCreation creation) =>
        WordsOf(path, creation) is null ? FileStatus.Done : FileStatus.BadPath;

    private static string? WordsOf(string path, FileCreation creation) =>
        path == FilePath.Root
            ? "'/' is the root directory."
            : FilePath.WrongOf(path) ?? EntryRecord.WrongOfType(creation.MediaType ?? "");
}
