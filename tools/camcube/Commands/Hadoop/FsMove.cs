using System.IO.Compression;
using System.IO.Pipelines;
using CamCube.Services.Files;
using CamCube.Tool.Commands.Files;
using CamCube.Tool.Hosts;

namespace CamCube.Tool.Commands.Hadoop;

/// <summary><c>hadoop fs -put</c>, <c>-get</c>, <c>-cat</c> and <c>-text</c>.</summary>
internal static class FsMove
{
    private const string StandardStream = "-";
    private const string Packed = ".gz";

    /// <summary><c>-put</c>. Directories above the target are made.</summary>
    public static async Task<bool> PutAsync(FsShell shell, FsLine line)
    {
        string[] sources = [.. line.Paths.Take(line.Paths.Count - 1)];
        FsPath target = shell.PathOf(line.Paths[^1]);
        FileFacts? there = await shell.Client.TryDescribeAsync(target.Path, shell.Cancel);
        bool isInto = there is { IsDirectory: true } || (there is null && target.EndsWithSlash);
        return await shell.EachAsync(
            sources,
            async source =>
            {
                if (sources.Length > 1 && !isInto)
                {
                    throw new FsFailure(target.Text, there is null ? FsFailure.None : FsFailure.IsNoDirectory);
                }

                bool isDirectory = source != StandardStream && Directory.Exists(source);
                if (source != StandardStream && !isDirectory && !File.Exists(source))
                {
                    throw new FsFailure(source, FsFailure.None);
                }

                string path = isInto
                    ? FilePath.Join(target.Path, Path.GetFileName(Path.GetFullPath(source)))
                    : target.Path;
                foreach ((string from, string to) in isDirectory ? Below(source, path) : [(source, path)])
                {
                    await PutOneAsync(shell, line, from, to, target.Show(to));
                }
            }
        );
    }

    /// <summary><c>-get</c>.</summary>
    public static async Task<bool> GetAsync(FsShell shell, FsLine line)
    {
        string to = line.Paths.Count > 1 ? line.Paths[^1] : ".";
        string[] sources = line.Paths.Count > 1 ? [.. line.Paths.Take(line.Paths.Count - 1)] : [line.Paths[0]];
        bool isInto = Directory.Exists(to) || to.EndsWith(Path.DirectorySeparatorChar);
        return await shell.EachFoundAsync(
            sources,
            async (_, at) =>
            {
                string place = isInto ? Path.Combine(to, at.Name) : to;
                if (at.IsDirectory)
                {
                    LocalFiles.Try(place, () => Directory.CreateDirectory(place));
                }

                foreach (FileFacts one in await shell.Client.FilesBelowAsync(at, shell.Cancel))
                {
                    string below = one.Path[at.Path.Length..].TrimStart('/');
                    await GetOneAsync(shell, line, one, Path.Combine(place, below).TrimEnd('/'));
                }
            }
        );
    }

    /// <summary><c>-cat</c>.</summary>
    public static Task<bool> CatAsync(FsShell shell, FsLine line) => PrintAsync(shell, line, unpacks: false);

    /// <summary><c>-text</c>.</summary>
    public static Task<bool> TextAsync(FsShell shell, FsLine line) => PrintAsync(shell, line, unpacks: true);

    /// <summary>Makes a file of a stream, which is disposed of.</summary>
    public static async Task StoreAsync(FsShell shell, Stream from, string path)
    {
        var moving = new MovingBytes(static _ => { });
        using var content = new MovingContent(from, moving);
        await shell.Client.PutAsync(path, content, moving, shell.Cancel);
    }

    private static async Task PutOneAsync(FsShell shell, FsLine line, string from, string to, string shown)
    {
        FileFacts? there = await shell.Client.TryDescribeAsync(to, shell.Cancel);
        if (there is { IsDirectory: true })
        {
            throw new FsFailure(shown, FsFailure.IsDirectory);
        }

        if (there is not null && !line.Has("f"))
        {
            throw new FsFailure(shown, FsFailure.Exists);
        }

        Stream source =
            from == StandardStream ? Console.OpenStandardInput() : LocalFiles.Try(from, () => File.OpenRead(from));
        await using (source)
        {
            if (there is not null)
            {
                await shell.Client.DeleteAsync(to, recursive: false, shell.Cancel);
            }

            await StoreAsync(shell, source, to);
        }
    }

    private static async Task GetOneAsync(FsShell shell, FsLine line, FileFacts one, string to)
    {
        if (Path.Exists(to) && !line.Has("f"))
        {
            throw new FsFailure(to, FsFailure.Exists);
        }

        Stream stream = LocalFiles.Try(
            to,
            () =>
            {
                Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(to))!);
                return File.Create(LocalFiles.PartOf(to));
            }
        );
        var moving = new MovingBytes(static _ => { });
        await GetCommands.ReadAsync(shell.Client, one, new HashedStream(stream), moving, shell.Cancel);
        LocalFiles.Finish(to);
    }

    private static Task<bool> PrintAsync(FsShell shell, FsLine line, bool unpacks) =>
        shell.EachFoundAsync(
            line.Paths,
            async (path, one) =>
            {
                if (one.IsDirectory)
                {
                    throw new FsFailure(path.Show(one.Path), FsFailure.IsDirectory);
                }

                Stream output = Console.OpenStandardOutput();
                bool isPacked = unpacks && one.Name.EndsWith(Packed, StringComparison.Ordinal);
                await (isPacked ? UnpackAsync(shell, path, one, output) : ReadAsync(shell, one, output));
            }
        );

    private static Task ReadAsync(FsShell shell, FileFacts one, Stream to) =>
        GetCommands.ReadAsync(shell.Client, one, new HashedStream(to), new MovingBytes(static _ => { }), shell.Cancel);

    // What comes is written into one end of a pipe and unpacked at its other, so that no file is whole in memory.
    private static async Task UnpackAsync(FsShell shell, FsPath path, FileFacts one, Stream to)
    {
        var pipe = new Pipe();
        Task reading = FillAsync(shell, one, pipe.Writer);
        bool isPacked = true;
        try
        {
            await using var unpacked = new GZipStream(pipe.Reader.AsStream(), CompressionMode.Decompress);
            await unpacked.CopyToAsync(to, shell.Cancel);
        }
        catch (InvalidDataException)
        {
            isPacked = false;
        }

        // What went wrong on the way comes before what became of it.
        await reading;
        if (!isPacked)
        {
            throw new FsFailure(path.Show(one.Path), "Not in gzip format");
        }
    }

    private static async Task FillAsync(FsShell shell, FileFacts one, PipeWriter to)
    {
        try
        {
            await ReadAsync(shell, one, to.AsStream(leaveOpen: true));
        }
        finally
        {
            await to.CompleteAsync();
        }
    }

    // In the order of their names, so that two runs do the same.
    private static IEnumerable<(string From, string To)> Below(string source, string path) =>
        LocalFiles.Try(
            source,
            () =>
                Directory
                    .EnumerateFiles(source, "*", SearchOption.AllDirectories)
                    .Order(StringComparer.Ordinal)
                    .Select(one => (one, FilePath.Join(path, Path.GetRelativePath(source, one).Replace('\\', '/'))))
                    .ToArray()
        );
}
