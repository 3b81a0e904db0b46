namespace CamCube.Hosting.Loading;

/// <summary>Turns what a user wrote for an assembly into the path of a file.</summary>
internal static class PluginFinder
{
    /// <summary>The assembly file.</summary>
    /// <param name="root">Folder that relative paths start from.</param>
    /// <param name="text">A file or a folder.</param>
    /// <param name="path">Full path of the file.</param>
    /// <returns>Null, or what is wrong in words.</returns>
    public static string? TryFind(string root, string text, out string path)
    {
        path = Path.GetFullPath(text, root);
        if (File.Exists(path))
        {
            return null;
        }

        if (!Directory.Exists(path))
        {
            return $"there is no file or folder {path}";
        }

        // A .deps.json stands beside the main assembly only, not beside those it depends on.
        string[] all = [.. Directory.EnumerateFiles(path, "*.dll").Order(StringComparer.Ordinal)];
        string[] main = [.. all.Where(dll => File.Exists(Path.ChangeExtension(dll, ".deps.json")))];
        string[] found = main.Length > 0 ? main : all;
        string folder = path;
        if (found.Length == 1)
        {
            path = found[0];
            return null;
        }

        return found.Length == 0
            ? $"the folder {folder} has no assembly"
            : $"the folder {folder} has several assemblies; "
                + $"name one of {string.Join(", ", found.Select(Path.GetFileName))}";
    }
}
