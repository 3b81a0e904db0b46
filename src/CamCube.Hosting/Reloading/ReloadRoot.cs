namespace CamCube.Hosting.Reloading;

/// <summary>The folder below which a reload may be told to take an assembly from.</summary>
internal static class ReloadRoot
{
    private const int MostLinks = 40;

    /// <summary>The file or folder that is meant, with all symbolic links followed.</summary>
    /// <param name="root">The folder.</param>
    /// <param name="text">What somebody wrote, relative to it.</param>
    /// <param name="path">Full path.</param>
    /// <returns>Null, or what is wrong in words.</returns>
    public static string? TryFind(string root, string text, out string path)
    {
        path = "";
        try
        {
            int links = 0;
            string top = Path.TrimEndingDirectorySeparator(Follow(Path.GetFullPath(root), ref links));
            path = Follow(Path.GetFullPath(text, Path.GetFullPath(root)), ref links);
            if (!IsBelow(top, path))
            {
                return $"it is outside of {top} (CamCube:Reload:Root)";
            }

            return Path.Exists(path) ? null : $"there is no file or folder {path}";
        }
        catch (Exception e) when (e is ArgumentException or IOException or UnauthorizedAccessException)
        {
            return $"it is no path that can be followed: {e.Message.TrimEnd('.')}";
        }
    }

    /// <summary>Whether a path, with its links followed, is below the folder, with its own followed.</summary>
    public static bool Holds(string root, string path) => TryFind(root, path, out _) is null;

    private static bool IsBelow(string top, string path) =>
        path == top || path.StartsWith(top + Path.DirectorySeparatorChar, StringComparison.Ordinal);

    private static string Follow(string full, ref int links)
    {
        string at = Path.GetPathRoot(full)!;
        foreach (
            string name in full[at.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries)
        )
        {
            at = Path.Combine(at, name);
            if (Path.Exists(at) && File.ResolveLinkTarget(at, returnFinalTarget: false) is { } target)
            {
                at =
                    ++links > MostLinks
                        ? throw new IOException($"{full} leads through more than {MostLinks} links")
                        : Follow(target.FullName, ref links);
            }
        }

        return at;
    }
}
