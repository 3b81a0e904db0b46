using CamCube.Services.Distribution.Pieces;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>The files of one server's folder, as they are brought and taken away from outside. Loop only.</summary>
/// <param name="disk">The server's disk.</param>
internal sealed class FolderFiles(IServerDisk disk)
{
    /// <summary>Adds a part of a file. Its parts come one after the other.</summary>
    /// <param name="name">The file.</param>
    /// <param name="upload">A number that all its parts have.</param>
    /// <param name="offset">Where the part begins.</param>
    /// <param name="bytes">The part.</param>
    /// <param name="isLast">It gets its name, and survives a power failure.</param>
    /// <param name="replaces">Whether a file of this name is replaced.</param>
    /// <returns>What is wrong; null: it is done.</returns>
    public async ValueTask<string?> PutAsync(
        string name,
        long upload,
        long offset,
        ReadOnlyMemory<byte> bytes,
        bool isLast,
        bool replaces
    )
    {
        string temporary = $"{upload:x16}{FileName.Upload}";
        if (FileName.WrongOf(name) is { } wrong)
        {
            return $"'{name}' {wrong}";
        }

        if (!replaces && (offset == 0 || isLast) && await IsThereAsync(name))
        {
            return $"there is a file {name} already";
        }

        DiskResult<IDiskFile> opened = await disk.OpenAsync(temporary, create: offset == 0);
        if (opened.Value is not { } file)
        {
            return DiskWords.Of(opened.Status);
        }

        DiskStatus status = offset == 0 ? await file.SetLengthAsync(0) : DiskStatus.Done;
        if (status == DiskStatus.Done && file.Length != offset)
        {
            file.Close();
            return $"a part begins at {offset:N0}, and {file.Length:N0} bytes are there";
        }

        status = status == DiskStatus.Done ? await file.WriteAsync(offset, bytes, isLast) : status;
        file.Close();
        if (isLast && status == DiskStatus.Done)
        {
            status = await disk.RenameAsync(temporary, name);
            status = status == DiskStatus.Done ? await disk.SyncAsync() : status;
        }

        return status == DiskStatus.Done ? null : DiskWords.Of(status);
    }

    /// <summary>Deletes a file. What is wrong; null: it is done.</summary>
    public async ValueTask<string?> RemoveAsync(string name)
    {
        if (FileName.WrongOf(name) is { } wrong)
        {
            return $"'{name}' {wrong}";
        }

        DiskStatus status = await disk.DeleteAsync(name);
        return status switch
        {
            DiskStatus.Done => null,
            DiskStatus.NotFound => $"there is no file {name}",
            _ => DiskWords.Of(status),
        };
    }

    /// <summary>All files that are whole.</summary>
    public async ValueTask<DiskResult<IReadOnlyList<DiskEntry>>> ListAsync()
    {
        DiskResult<IReadOnlyList<DiskEntry>> listed = await disk.ListAsync();
        return listed.Value is { } entries
            ? new(listed.Status, [.. entries.Where(static entry => FileName.WrongOf(entry.Name) is null)])
            : listed;
    }

    private async ValueTask<bool> IsThereAsync(string name)
    {
        DiskResult<IDiskFile> opened = await disk.OpenAsync(name, create: false);
        opened.Value?.Close();
        return opened.IsDone;
    }
}
