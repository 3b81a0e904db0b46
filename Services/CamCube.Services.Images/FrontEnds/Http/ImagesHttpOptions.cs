using CamCube.FrontEnds.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>Settings of the image store's HTTP front end (<c>CamCube:FrontEnds:images</c>), besides those that all
/// front ends over HTTP have.</summary>
public sealed class ImagesHttpOptions : HttpFrontEndOptions
{
    /// <summary>Settings with their defaults; <see cref="HttpFrontEndOptions.BodyMemory"/> is 256 MiB, for pictures
    /// that come are in memory as a whole.</summary>
    public ImagesHttpOptions() => BodyMemory = 256 << 20;

    /// <summary>A file with a key of 32 bytes at least. With it every request for images has to be signed
    /// (<c>camcube images sign</c>). Default: there is none, and whoever reaches the port may do everything.</summary>
    public string SigningKey { get; set; } = "";
}
