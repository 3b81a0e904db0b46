using System.Text;

namespace CamCube.Services.Files;

/// <summary>Which paths files may have: <c>/logs/2026/a.txt</c>. A slash in front of each name; names of 1 to 255 bytes
/// of UTF-8 without control characters, none of them <c>.</c> or <c>..</c>; 3,000 bytes at most in all. The root
/// directory is <c>/</c>.</summary>
public static class FilePath
{
    /// <summary>The root directory.</summary>
    public const string Root = "/";

    /// <summary>Most bytes of a path.</summary>
    public const int MostBytes = 3_000;

    /// <summary>Most bytes of a name in it.</summary>
    public const int MostNameBytes = 255;

    /// <summary>What is wrong with a path, in words for people; null: nothing.</summary>
    public static string? WrongOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path == Root)
        {
            return null;
        }

        if (!path.StartsWith('/'))
        {
            return "a path begins with a slash.";
        }

        int bytes = Encoding.UTF8.GetByteCount(path);
        return bytes > MostBytes
            ? $"a path has {MostBytes:N0} bytes at most; this one has {bytes:N0}."
            : path[1..].Split('/').Select(WrongOfName).FirstOrDefault(static wrong => wrong is not null);
    }

    /// <summary>The same of one name.</summary>
    public static string? WrongOfName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        int bytes = Encoding.UTF8.GetByteCount(name);
        return bytes is 0 or > MostNameBytes
                ? $"a name has 1 to {MostNameBytes} bytes of UTF-8; one here has {bytes:N0}."
            : name is "." or ".." ? "'.' and '..' are no names."
            : name.Contains('/', StringComparison.Ordinal) ? "a name has no slash."
            : name.Any(char.IsControl) ? "a name has no control characters."
            : HasLoneSurrogate(name) ? "a name is text that UTF-8 can say."
            : null;
    }

    /// <summary>The directory that a path is in; of the root itself, the root.</summary>
    /// <param name="path">A path with nothing wrong.</param>
    public static string DirectoryOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        int slash = path.LastIndexOf('/');
        return slash <= 0 ? Root : path[..slash];
    }

    /// <summary>The last name of a path; empty of the root.</summary>
    /// <param name="path">A path with nothing wrong.</param>
    public static string NameOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path[(path.LastIndexOf('/') + 1)..];
    }

    /// <summary>The path of a name in a directory.</summary>
    public static string Join(string directory, string name) => directory == Root ? Root + name : $"{directory}/{name}";

    private static bool HasLoneSurrogate(string name)
    {
        for (int i = 0; i < name.Length; i++)
        {
            if (char.IsHighSurrogate(name[i]) && i + 1 < name.Length && char.IsLowSurrogate(name[i + 1]))
            {
                i++;
            }
            else if (char.IsSurrogate(name[i]))
            {
                return true;
            }
        }

        return false;
    }
}
