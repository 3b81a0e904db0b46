using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>A file of a job's output that an attempt writes, and may be dropped at any time: what is under way then
/// ends first. Loop only; one call at a time.</summary>
/// <param name="writer">The file.</param>
internal sealed class OutputFile(IFileWriter writer)
{
    private bool _isBusy;
    private bool _isDropped;

    /// <summary>Writes the next bytes.</summary>
    public ValueTask<FileStatus> WriteAsync(ReadOnlyMemory<byte> bytes) => DoAsync(() => writer.WriteAsync(bytes));

    /// <summary>Gives it its name.</summary>
    public ValueTask<FileStatus> CommitAsync() => DoAsync(async () => (await writer.CommitAsync()).Status);

    /// <summary>Nobody wants it any more; without a name nothing of it remains.</summary>
    public void Drop()
    {
        bool wasDropped = _isDropped;
        _isDropped = true;
        if (!_isBusy && !wasDropped)
        {
            writer.Dispose();
        }
    }

    private async ValueTask<FileStatus> DoAsync(Func<ValueTask<FileStatus>> work)
    {
        if (_isDropped)
        {
            return FileStatus.Unavailable;
        }

        _isBusy = true;
        FileStatus status = await work();
        _isBusy = false;
        if (_isDropped)
        {
            writer.Dispose();
        }

        return status;
    }
}
