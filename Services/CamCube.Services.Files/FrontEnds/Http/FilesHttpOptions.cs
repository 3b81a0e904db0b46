using CamCube.FrontEnds.Http;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>Settings of the file store's HTTP front end (<c>CamCube:FrontEnds:files</c>), besides those that all front
/// ends over HTTP have.</summary>
public sealed class FilesHttpOptions : HttpFrontEndOptions
{
    /// <summary>Settings with their defaults; <see cref="HttpFrontEndOptions.MaxBody"/> is 16 TiB, for files are never
    /// in memory as a whole.</summary>
    public FilesHttpOptions() => MaxBody = 16L << 40;
}
