using CamCube.Services.Files.Counting;
using CamCube.Services.Files.Naming;
using CamCube.Services.Files.Records;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Moving;

/// <summary>A file that is read chunk by chunk, each from the first server that has it. What was written once is never
/// old, so nobody has to confirm it. Loop only.</summary>
internal sealed class FileReader(
    string path,
    NameFound found,
    Directories directories,
    Dependency<IKeyValueStore> store,
    FilesCounters counters
) : IFileReader
{
    private readonly ChunkList? _chunks = found.Chunks;
    private IKeyValueReader? _chunk;
    private int _index;
    private long _skip;
    private long _left = found.Record?.Length ?? 0;

    /// <inheritdoc/>
    public FileAnswer Answer { get; } =
        found.Record is { IsDirectory: true }
            ? found.ToAnswer(path) with
            {
                Status = FileStatus.IsDirectory,
            }
            : found.ToAnswer(path);

    /// <inheritdoc/>
    public void Select(long from, long length)
    {
        long whole = found.Record?.Length ?? 0;
        long start = Math.Clamp(from, 0, whole);
        (_index, _skip, _left) = (0, start, Math.Clamp(length, 0, whole - start));
        while (_chunks is not null && _index < _chunks.Count && _skip >= _chunks.LengthOf(_index))
        {
            _skip -= _chunks.LengthOf(_index++);
        }

        Close();
    }

    /// <inheritdoc/>
    public async ValueTask<FilePart> ReadAsync()
    {
        if (Answer.Status != FileStatus.Done || _chunks is null)
        {
            return new FilePart(Answer.Status, default);
        }

        while (_left > 0)
        {
            if (_chunk is null && await OpenAsync() is var opened and not FileStatus.Done)
            {
                return new FilePart(opened, default);
            }

            KeyValuePart part = await _chunk!.ReadAsync();
            if (part.Status != KeyValueStatus.Done)
            {
                return new FilePart(await WhyAsync(part.Status), default);
            }

            if (!part.Bytes.IsEmpty)
            {
                _left -= part.Bytes.Length;
                counters.Read.Add(part.Bytes.Length);
                return new FilePart(FileStatus.Done, part.Bytes);
            }

            Close();
            _index++;
        }

        return new FilePart(FileStatus.Done, default);
    }

    /// <inheritdoc/>
    public void Dispose() => Close();

    private async ValueTask<FileStatus> OpenAsync()
    {
        if (!store.IsAvailable)
        {
            return FileStatus.Unavailable;
        }

        if (_index >= _chunks!.Count)
        {
            return FileStatus.DataAway;
        }

        // The first server that has it, else whoever a majority knows.
        KeyValueReads[] ways = [KeyValueReads.Any, KeyValueReads.Latest];
        KeyValueStatus last = default;
        foreach (KeyValueReads way in ways)
        {
            IKeyValueReader reader = await store.Value.OpenReadAsync(_chunks.KeyOf(_index), way);
            if (reader.Answer.Status == KeyValueStatus.Done && reader.Answer.Length == _chunks.LengthOf(_index))
            {
                reader.Select(_skip, Math.Min(_left, _chunks.LengthOf(_index) - _skip));
                (_chunk, _skip) = (reader, 0);
                return FileStatus.Done;
            }

            last = reader.Answer.Status;
            reader.Dispose();
        }

        return await WhyAsync(last);
    }

    // A chunk that is gone is that of a file that was deleted, or lost.
    private async ValueTask<FileStatus> WhyAsync(KeyValueStatus status)
    {
        Close();
        if (status is not (KeyValueStatus.NotFound or KeyValueStatus.DataAway))
        {
            return FileStatuses.Of(status);
        }

        NameFound now = await directories.FindAsync(path);
        return now.Status == FileStatus.Done && now.Version == found.Version ? FileStatus.DataAway
            : now.Status == FileStatus.Done ? FileStatus.NotFound
            : now.Status;
    }

    private void Close()
    {
        _chunk?.Dispose();
        _chunk = null;
    }
}
