using CamCube.Services.Files;

namespace CamCube.Experiments.Camdoop;

/// <summary>Writes into <see cref="MadeFiles"/>: output is looked at, small files are kept.</summary>
/// <param name="server">Who writes.</param>
/// <param name="files">The files.</param>
/// <param name="path">The path.</param>
/// <param name="at">Where it is to lie.</param>
internal sealed class MadeWriter(IServer server, MadeFiles files, string path, Coordinate? at) : IFileWriter
{
    private readonly MadeOutput? _output = at is null ? null : files.Begin(path, at, server.NowNanos);
    private byte[] _bytes = [];

    /// <inheritdoc/>
    public long Length => _output?.Length ?? _bytes.Length;

    /// <inheritdoc/>
    public ValueTask<FileStatus> WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        if (_output is null)
        {
            _bytes = [.. _bytes, .. bytes.Span];
            return ValueTask.FromResult(FileStatus.Done);
        }

        _output.Add(bytes.Span, server.NowNanos);
        return ValueTask.FromResult(FileStatus.Done);
    }

    /// <inheritdoc/>
    public ValueTask<FileAnswer> CommitAsync()
    {
        _output?.IsCommitted = true;
        bool isNew = files.Keep(path, _bytes);
        FileStatus status =
            isNew || files.Read(path).AsSpan().SequenceEqual(_bytes) ? FileStatus.Done : FileStatus.Exists;
        return ValueTask.FromResult(new FileAnswer(status, files.Find(path)));
    }

    /// <inheritdoc/>
    public void Dispose() => _bytes = [];
}
