using System.Globalization;
using CamCube.Tool.Hosts;

namespace CamCube.Tool.Commands.Hadoop;

/// <summary><c>hadoop fs -ls</c>, <c>-du</c> and <c>-test</c>.</summary>
internal static class FsLook
{
    /// <summary>Copies that the file store has of each file, in the columns that are about copies.</summary>
    private const int Copies = 3;

    private const string Owner = "camcube";
    private const string Group = "supergroup";
    private const string Units = "KMGTPE";

    /// <summary><c>-ls</c>.</summary>
    public static Task<bool> ListAsync(FsShell shell, FsLine line) =>
        shell.EachFoundAsync(
            line.Paths.Count == 0 ? ["."] : line.Paths,
            async (path, at) =>
            {
                if (!at.IsDirectory || line.Has("d"))
                {
                    Show(shell, line, path, [at]);
                    return;
                }

                IReadOnlyList<FileFacts> all = await shell.Client.ListAsync(at.Path, shell.Cancel);
                if (all.Count > 0 && !line.Has("R") && !line.Has("C"))
                {
                    shell.Line($"Found {all.Count} items");
                }

                await ShowAsync(shell, line, path, all);
            }
        );

    /// <summary><c>-du</c>.</summary>
    public static async Task<bool> UsageAsync(FsShell shell, FsLine line)
    {
        List<(string Bytes, string WithCopies, string Path)> rows = [];
        bool isWell = await shell.EachFoundAsync(
            line.Paths,
            async (path, at) =>
            {
                IReadOnlyList<FileFacts> shown =
                    at.IsDirectory && !line.Has("s") ? await shell.Client.ListAsync(at.Path, shell.Cancel) : [at];
                foreach (FileFacts one in shown)
                {
                    IReadOnlyList<FileFacts> all = await shell.Client.FilesBelowAsync(one, shell.Cancel);
                    long bytes = all.Sum(static file => file.Bytes);
                    rows.Add((Size(bytes, line), Size(bytes * Copies, line), path.Show(one.Path)));
                }
            }
        );
        int first = rows.Select(static row => row.Bytes.Length).DefaultIfEmpty().Max(),
            second = rows.Select(static row => row.WithCopies.Length).DefaultIfEmpty().Max();
        foreach ((string bytes, string copies, string path) in rows)
        {
            shell.Line($"{bytes.PadRight(first)}  {copies.PadRight(second)}  {path}");
        }

        return isWell;
    }

    /// <summary><c>-test</c>.</summary>
    public static async Task<bool> TestAsync(FsShell shell, FsLine line)
    {
        if (line.Flags.Count != 1)
        {
            throw new FsUsage("-test: One of -d, -e, -f, -s, -z, -r and -w is wanted");
        }

        FileFacts? at = await shell.Client.TryDescribeAsync(shell.PathOf(line.Paths[0]).Path, shell.Cancel);
        return at is not null
            && line.Flags.Single() switch
            {
                "d" => at.IsDirectory,
                "f" => !at.IsDirectory,
                "s" => at.Bytes > 0,
                "z" => at is { IsDirectory: false, Bytes: 0 },
                _ => true,
            };
    }

    private static async Task ShowAsync(FsShell shell, FsLine line, FsPath path, IReadOnlyList<FileFacts> all)
    {
        if (!line.Has("R"))
        {
            Show(shell, line, path, all);
            return;
        }

        foreach (FileFacts one in all)
        {
            Show(shell, line, path, [one]);
            if (one.IsDirectory)
            {
                await ShowAsync(shell, line, path, await shell.Client.ListAsync(one.Path, shell.Cancel));
            }
        }
    }

    // As Hadoop's columns: what reads them looks for the time, and takes what is behind it.
    private static void Show(FsShell shell, FsLine line, FsPath path, IReadOnlyList<FileFacts> all)
    {
        int width = all.Select(one => Size(one.Bytes, line).Length).Append(10).Max();
        foreach (FileFacts one in all)
        {
            if (line.Has("C"))
            {
                shell.Line(path.Show(one.Path));
                continue;
            }

            string mode = one.IsDirectory ? "drwxr-xr-x   -" : $"-rw-r--r--   {Copies}";
            string size = one.IsDirectory ? "0" : Size(one.Bytes, line);
            shell.Line($"{mode} {Owner} {Group} {size.PadLeft(width)} {Time(one.Created)} {path.Show(one.Path)}");
        }
    }

    private static string Time(string? created) =>
        DateTimeOffset.TryParse(
            created,
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out DateTimeOffset made
        )
            ? made.ToLocalTime().ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)
            : "1970-01-01 00:00";

    private static string Size(long bytes, FsLine line)
    {
        if (!line.Has("h") || bytes < 1_024)
        {
            return bytes.ToString(CultureInfo.InvariantCulture);
        }

        double value = bytes;
        int unit = -1;
        while (value >= 1_024)
        {
            (value, unit) = (value / 1_024, unit + 1);
        }

        return $"{value.ToString("0.#", CultureInfo.InvariantCulture)} {Units[unit]}";
    }
}
