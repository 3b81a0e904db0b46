using CamCube.Services.Files;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>Paths as Hadoop writes them, as paths of the file store: <c>hdfs:///x</c>, <c>hdfs://host:9000/x</c> and
/// <c>/x</c> are <c>/x</c>, and <c>x</c> is below the user's directory.</summary>
internal static class StorePath
{
    /// <summary>What stands before a path that the file store is meant with.</summary>
    public const string Scheme = "hdfs:";

    /// <summary>The directory of a user, as Hadoop has it.</summary>
    public static string HomeOf(string user) => $"/user/{user.Replace('/', '_')}";

    /// <summary>What a path is in Hadoop's output.</summary>
    public static string Show(string path) => $"hdfs://{path}";

    /// <summary>Reads a path.</summary>
    /// <param name="text">As it was written.</param>
    /// <param name="home">The user's directory.</param>
    /// <param name="allowsPatterns">Whether it may have <c>*</c>, <c>?</c>, <c>[a-c]</c> and <c>{a,b}</c>.</param>
    /// <exception cref="ToolException">It is none, or of another store.</exception>
    public static string Of(string text, string home, bool allowsPatterns = false)
    {
        if (text.Length == 0)
        {
            throw new ToolException(ExitCode.Usage, "a path has at least one character.");
        }

        if (SchemeOf(text) is { } scheme && scheme != Scheme)
        {
            throw new ToolException(
                ExitCode.Usage,
                $"{text}: only paths of CamCube's file store go here, as in hdfs:///x or /x."
            );
        }

        string path = WithoutScheme(text);
        path = Normal(path.StartsWith('/') ? path : $"{home}/{path}");
        return (allowsPatterns && FilePattern.IsPattern(path)) || FilePath.WrongOf(path) is not { } wrong
            ? path
            : throw new ToolException(ExitCode.Usage, $"{text}: {wrong}");
    }

    /// <summary>What stands before a path, as in <c>hdfs:</c>; null: nothing does.</summary>
    public static string? SchemeOf(string text)
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        bool isScheme =
            colon > 0
            && char.IsAsciiLetter(text[0])
            && text[..colon].All(static c => char.IsAsciiLetterOrDigit(c) || c is '+' or '-' or '.');
        // A name with a colon in it is a name, and so is a pattern with one.
        return isScheme && colon + 1 < text.Length && text[colon + 1] == '/' ? text[..(colon + 1)] : null;
    }

    private static string WithoutScheme(string text)
    {
        if (SchemeOf(text) is null)
        {
            return text;
        }

        string rest = text[Scheme.Length..];
        if (!rest.StartsWith("//", StringComparison.Ordinal))
        {
            return rest;
        }

        // Whatever host is named: there is one file store.
        int slash = rest.IndexOf('/', 2);
        return slash < 0 ? FilePath.Root : rest[slash..];
    }

    private static string Normal(string path)
    {
        List<string> names = [];
        foreach (string name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            if (name == ".." && names.Count > 0)
            {
                names.RemoveAt(names.Count - 1);
            }
            else if (name is not ("." or ".."))
            {
                names.Add(name);
            }
        }

        return FilePath.Root + string.Join('/', names);
    }
}
