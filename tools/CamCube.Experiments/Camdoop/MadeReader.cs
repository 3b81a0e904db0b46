using CamCube.Services.Files;

namespace CamCube.Experiments.Camdoop;

/// <summary>Reads what <see cref="MadeFiles"/> has. Input is read as a whole.</summary>
/// <param name="files">The files.</param>
/// <param name="path">The path.</param>
internal sealed class MadeReader(MadeFiles files, string path) : IFileReader
{
    private const int PieceBytes = 256 << 10;
    private readonly Func<Memory<byte>, int>? _input = files.InputOf(path)?.Open();
    private byte[] _piece = [];
    private bool _isRead;

    /// <inheritdoc/>
    public FileAnswer Answer { get; } =
        files.Find(path) is { } entry ? new FileAnswer(FileStatus.Done, entry) : new FileAnswer(FileStatus.NotFound);

    /// <inheritdoc/>
    public void Select(long from, long length) => ArgumentOutOfRangeException.ThrowIfNotEqual(from, 0);

    /// <inheritdoc/>
    public ValueTask<FilePart> ReadAsync()
    {
        if (Answer.Status != FileStatus.Done)
        {
            return ValueTask.FromResult(new FilePart(Answer.Status, default));
        }

        if (_input is not null)
        {
            _piece = _piece.Length == 0 ? new byte[PieceBytes] : _piece;
            return ValueTask.FromResult(new FilePart(FileStatus.Done, _piece.AsMemory(0, _input(_piece))));
        }

        byte[] bytes = _isRead ? [] : files.Read(path);
        _isRead = true;
        return ValueTask.FromResult(new FilePart(FileStatus.Done, bytes));
    }

    /// <inheritdoc/>
    public void Dispose() => _piece = [];
}
