using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tests.Inputs;

/// <summary>One file, which is read in pieces of drawn lengths.</summary>
internal sealed class PieceFiles(byte[] bytes, Random random) : IFiles
{
    public long MostBytes => long.MaxValue;

    public ValueTask<IFileReader> OpenReadAsync(string path) => new(new Reader(bytes, random));

    public ValueTask<FileAnswer> FindAsync(string path) => throw new NotSupportedException();

    public ValueTask<FileLayout> DescribeAsync(string path) => throw new NotSupportedException();

    public IFileWriter OpenWrite(string path, FileCreation creation = default) => throw new NotSupportedException();

    public ValueTask<FileAnswer> MakeDirectoryAsync(string path) => throw new NotSupportedException();

    public ValueTask<FileAnswer> DeleteAsync(string path, bool recursive = false, ulong version = 0) =>
        throw new NotSupportedException();

    public ValueTask<FilePage> ListAsync(string directory, string? cursor = null, int limit = FilePage.MostEntries) =>
        throw new NotSupportedException();

    private sealed class Reader(byte[] bytes, Random random) : IFileReader
    {
        private int _at;
        private int _end = bytes.Length;

        public FileAnswer Answer =>
            new(FileStatus.Done, new FileEntry("/f", IsDirectory: false) { Length = bytes.Length });

        public void Select(long from, long length) =>
            (_at, _end) = ((int)from, (int)Math.Min(bytes.Length, from + length));

        public ValueTask<FilePart> ReadAsync()
        {
            int length = Math.Min(_end - _at, random.Next(1, 40));
            var part = new FilePart(FileStatus.Done, bytes.AsMemory(_at, length));
            _at += length;
            return new(part);
        }

        public void Dispose() { }
    }
}
