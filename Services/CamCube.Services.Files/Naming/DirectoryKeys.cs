using System.Text;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Naming;

/// <summary>
/// The keys of a directory in the key-value store. All of them have the directory's path as their tag, so the same
/// servers keep them, a batch changes several at once, and a listing asks one group.
/// </summary>
/// <param name="Path">The directory.</param>
/// <param name="Table">The table.</param>
internal sealed record DirectoryKeys(string Path, int Table)
{
    /// <summary>There while names may be put into the directory; its number counts the bytes of the files in it, and
    /// its version changes with each of them.</summary>
    public KeyValueKey Open { get; } = KeyValueKey.Of(ServiceKeys.OpenDirectory + RestOfTag(Path), Table);

    /// <summary>Put by who deletes the directory, for a day: who read it before, to make the directory, has to look
    /// again.</summary>
    public KeyValueKey Shut { get; } = KeyValueKey.Of(ServiceKeys.ShutDirectory + RestOfTag(Path), Table);

    /// <summary>What <see cref="Open"/> of all directories begins with.</summary>
    public static KeyValueKey AllOpen(int table) => KeyValueKey.Of(ServiceKeys.OpenDirectory, table);

    /// <summary>What all names in the directory begin with.</summary>
    public KeyValueKey Entries { get; } = KeyValueKey.Of(ServiceKeys.File + RestOfTag(Path), Table);

    /// <summary>The key of a name in it.</summary>
    public KeyValueKey EntryOf(string name) => KeyValueKey.Of(ServiceKeys.File + RestOfTag(Path) + name, Table);

    /// <summary>The name in a key that begins with <see cref="Entries"/>.</summary>
    public string NameIn(ReadOnlyMemory<byte> key) => Encoding.UTF8.GetString(key.Span[Entries.Bytes.Length..]);

    /// <summary>The keys of the directory that a path is in.</summary>
    public static DirectoryKeys Above(string path, int table) => new(FilePath.DirectoryOf(path), table);

    // A tag ends at the first closing brace, so a path must have none.
    private static string RestOfTag(string path) =>
        $"{path.Replace("%", "%25", StringComparison.Ordinal).Replace("}", "%7D", StringComparison.Ordinal)}}}";
}
