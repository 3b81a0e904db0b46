using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// Requests kept as files in the folder Corpus, one connection each: those that found an error once, and one of each
/// kind to begin with. What a fuzz test finds is added there.
/// </summary>
internal static class Corpus
{
    private static readonly string Folder = Path.Combine(AppContext.BaseDirectory, "Corpus");

    /// <summary>Names of the files, sorted.</summary>
    public static IReadOnlyList<string> Files { get; } =
    [.. Directory.GetFiles(Folder).Select(file => Path.GetFileName(file)).Order(StringComparer.Ordinal)];

    /// <summary>A file in Latin-1: one character, one byte.</summary>
    public static string Read(string file) => Encoding.Latin1.GetString(File.ReadAllBytes(Path.Combine(Folder, file)));
}
