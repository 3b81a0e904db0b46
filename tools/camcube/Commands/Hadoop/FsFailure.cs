namespace CamCube.Tool.Commands.Hadoop;

/// <summary>What cannot be done with one path, as Hadoop says it; the others follow.</summary>
/// <param name="shown">The path as it was written.</param>
/// <param name="words">Why.</param>
internal sealed class FsFailure(string shown, string words) : Exception($"`{shown}': {words}")
{
    /// <summary>There is nothing.</summary>
    public const string None = "No such file or directory";

    /// <summary>There is something.</summary>
    public const string Exists = "File exists";

    /// <summary>A file is wanted.</summary>
    public const string IsDirectory = "Is a directory";

    /// <summary>A directory is wanted.</summary>
    public const string IsNoDirectory = "Is not a directory";
}
