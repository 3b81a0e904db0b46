using CamCube.Services.Images.Pictures.Formats;

namespace CamCube.Services.Images.Wire;

/// <summary>What pictures are called in answers.</summary>
internal static class MediaTypes
{
    /// <summary>Null: it is no picture.</summary>
    public static string? Of(PictureFormat format) =>
        format switch
        {
            PictureFormat.Jpeg => "image/jpeg",
            PictureFormat.Png => "image/png",
            PictureFormat.WebP => "image/webp",
            PictureFormat.Gif => "image/gif",
            _ => null,
        };

    public static PictureFormat FormatOf(string? mediaType) =>
        mediaType switch
        {
            "image/jpeg" => PictureFormat.Jpeg,
            "image/png" => PictureFormat.Png,
            "image/webp" => PictureFormat.WebP,
            "image/gif" => PictureFormat.Gif,
            _ => PictureFormat.None,
        };
}
