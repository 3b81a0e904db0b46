namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>Formats of pictures that are taken. The numbers stand in frames.</summary>
public enum PictureFormat : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>JPEG: ITU-T T.81.</summary>
    Jpeg = 1,

    /// <summary>PNG: the W3C's recommendation, third edition.</summary>
    Png = 2,

    /// <summary>WebP: RFC 9649.</summary>
    WebP = 3,

    /// <summary>GIF89a and GIF87a; its first frame is the picture.</summary>
    Gif = 4,
}
