using CamCube.Tool.Commands.Camdoop.Streaming;

namespace CamCube.Tool.Commands.Hadoop;

/// <summary>A path as it was written, and what is shown of those below it: in the same form.</summary>
/// <param name="Text">As it was written.</param>
/// <param name="Path">In the file store; with patterns.</param>
/// <param name="Home">The user's directory.</param>
internal readonly record struct FsPath(string Text, string Path, string Home)
{
    /// <summary>Whether what it names is a directory, for who wrote it.</summary>
    public bool EndsWithSlash => Text.EndsWith('/');

    /// <summary>Reads one.</summary>
    public static FsPath Of(string text, string home) =>
        new(text, StorePath.Of(text, home, allowsPatterns: true), home);

    /// <summary>How a path that it led to is shown.</summary>
    public string Show(string path)
    {
        if (StorePath.SchemeOf(Text) is null)
        {
            return Text.StartsWith('/') || !path.StartsWith(Home + "/", StringComparison.Ordinal)
                ? path
                : path[(Home.Length + 1)..];
        }

        int begin = StorePath.Scheme.Length + "//".Length;
        bool hasHost = Text.AsSpan(StorePath.Scheme.Length).StartsWith("//");
        int end = hasHost ? Text.IndexOf('/', begin) : StorePath.Scheme.Length;
        return (end < 0 ? Text : Text[..end]) + path;
    }
}
