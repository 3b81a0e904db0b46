using CamCube.Services.Files;

namespace CamCube.Experiments.Camdoop;

/// <summary>The file store of one server where only MapReduce is measured: what it has is all servers' and takes no
/// time. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="files">What there is.</param>
[CamCubeService(0x7113, "made-files")]
internal sealed class MadeFilesService(IServer server, MadeFiles files) : CamCubeService, IFiles
{
    /// <inheritdoc/>
    public long MostBytes => long.MaxValue;

    /// <inheritdoc/>
    public ValueTask<FileAnswer> FindAsync(string path) => ValueTask.FromResult(AnswerOf(path));

    /// <inheritdoc/>
    public ValueTask<FileLayout> DescribeAsync(string path)
    {
        var layout = new FileLayout(AnswerOf(path));
        if (files.InputOf(path) is { } input)
        {
            Coordinate home = server.Shape.At(input.Home);
            Key key = Key.OfName(path).WithCoordinate(home);
            layout = layout with { Chunks = [new FileChunk(0, checked((int)input.Length), key) { Servers = [home] }] };
        }

        return ValueTask.FromResult(layout);
    }

    /// <inheritdoc/>
    public ValueTask<IFileReader> OpenReadAsync(string path) =>
        ValueTask.FromResult<IFileReader>(new MadeReader(files, path));

    /// <inheritdoc/>
    public IFileWriter OpenWrite(string path, FileCreation creation = default) =>
        new MadeWriter(server, files, path, creation.At);

    /// <inheritdoc/>
    public ValueTask<FileAnswer> MakeDirectoryAsync(string path) =>
        ValueTask.FromResult(new FileAnswer(FileStatus.Done, new FileEntry(path, IsDirectory: true)));

    /// <inheritdoc/>
    public ValueTask<FileAnswer> DeleteAsync(string path, bool recursive = false, ulong version = 0) =>
        ValueTask.FromResult(new FileAnswer(files.Delete(path) ? FileStatus.Done : FileStatus.NotFound));

    /// <inheritdoc/>
    public ValueTask<FilePage> ListAsync(string directory, string? cursor, int limit) =>
        ValueTask.FromResult(new FilePage(FileStatus.Done) { Entries = [.. files.List(directory)] });

    private FileAnswer AnswerOf(string path) =>
        files.Find(path) is { } entry ? new FileAnswer(FileStatus.Done, entry) : new FileAnswer(FileStatus.NotFound);
}
