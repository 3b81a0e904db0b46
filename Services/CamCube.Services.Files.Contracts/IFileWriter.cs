namespace CamCube.Services.Files;

/// <summary>A file on its way into the store: its bytes go to disks as they come, and nobody sees any of it before
/// <see cref="CommitAsync"/> was answered. Loop only; one call at a time. It has at most 256 KiB in memory, and makes
/// its caller wait while disks and network are slower.</summary>
public interface IFileWriter : IDisposable
{
    /// <summary>Bytes that were written.</summary>
    long Length { get; }

    /// <summary>Writes the next bytes.</summary>
    /// <param name="bytes">The bytes, lent until this ends.</param>
    /// <returns>Done: go on. BadPath, TooLarge, Full or Unavailable: it came to nothing, and so does every
    /// further call.</returns>
    ValueTask<FileStatus> WriteAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Gives what was written its name, and makes the directories above it that are not there.</summary>
    /// <returns>Done, also if there was such a file with the same bytes already: the answer has it; Exists,
    /// IsDirectory, NotDirectory, BadPath, TooLarge, Full, OverQuota, TooSlow, Unavailable, Busy or Unknown.</returns>
    ValueTask<FileAnswer> CommitAsync();
}
