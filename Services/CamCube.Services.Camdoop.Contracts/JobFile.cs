namespace CamCube.Services.Camdoop;

/// <summary>A file in the working folder of programs.</summary>
/// <param name="Path">Its path in the file store.</param>
/// <param name="Name">Its name in the working folder.</param>
public sealed record JobFile(string Path, string Name)
{
    /// <summary>Whether it is an archive (zip, jar, tar, tar.gz, tgz), which is unpacked into a folder of that
    /// name.</summary>
    public bool IsArchive { get; init; }
}
