using CamCube.Services.Files;
using CamCube.Tool.Hosts;

namespace CamCube.Tool.Commands.Hadoop;

/// <summary><c>hadoop fs -mkdir</c>, <c>-touchz</c> and <c>-rm</c>.</summary>
internal static class FsChange
{
    /// <summary><c>-mkdir</c>.</summary>
    public static Task<bool> MakeDirectoriesAsync(FsShell shell, FsLine line) =>
        shell.EachAsync(
            line.Paths,
            async text =>
            {
                string path = shell.PathOf(text).Path;
                FileFacts? there = await shell.Client.TryDescribeAsync(path, shell.Cancel);
                if (there is { IsDirectory: true } && line.Has("p"))
                {
                    return;
                }

                if (there is not null)
                {
                    throw new FsFailure(text, line.Has("p") ? FsFailure.IsNoDirectory : FsFailure.Exists);
                }

                if (
                    !line.Has("p")
                    && await shell.Client.TryDescribeAsync(FilePath.DirectoryOf(path), shell.Cancel) is null
                )
                {
                    throw new FsFailure(text, FsFailure.None);
                }

                await shell.Client.MakeDirectoryAsync(path, shell.Cancel);
            }
        );

    /// <summary><c>-touchz</c>.</summary>
    public static Task<bool> TouchAsync(FsShell shell, FsLine line) =>
        shell.EachAsync(
            line.Paths,
            async text =>
            {
                string path = shell.PathOf(text).Path;
                switch (await shell.Client.TryDescribeAsync(path, shell.Cancel))
                {
                    case { IsDirectory: true }:
                        throw new FsFailure(text, FsFailure.IsDirectory);
                    case { Bytes: > 0 }:
                        throw new FsFailure(text, "Not a zero-length file");
                    case not null:
                        return;
                    default:
                        await FsMove.StoreAsync(shell, Stream.Null, path);
                        return;
                }
            }
        );

    /// <summary><c>-rm</c>.</summary>
    public static Task<bool> RemoveAsync(FsShell shell, FsLine line)
    {
        bool isRecursive = line.Has("r") || line.Has("R");
        return shell.EachFoundAsync(
            line.Paths,
            line.Has("f"),
            async (path, at) =>
            {
                if (at.Path == FilePath.Root)
                {
                    throw new FsFailure(path.Text, "The root directory stays");
                }

                if (at.IsDirectory && !isRecursive)
                {
                    throw new FsFailure(path.Show(at.Path), FsFailure.IsDirectory);
                }

                await shell.Client.DeleteAsync(at.Path, isRecursive, shell.Cancel);
                shell.Line($"Deleted {path.Show(at.Path)}");
            }
        );
    }
}
