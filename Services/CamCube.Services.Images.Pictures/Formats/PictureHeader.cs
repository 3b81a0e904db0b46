namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>What a picture's own header says.</summary>
/// <param name="Format">Its format, from its bytes.</param>
/// <param name="Width">Pixels, as they are stored.</param>
/// <param name="Height">Pixels, as they are stored.</param>
/// <param name="Orientation">EXIF's orientation, 1 to 8; 1 if it says none.</param>
public readonly record struct PictureHeader(PictureFormat Format, int Width, int Height, int Orientation)
{
    /// <summary>Width as it is looked at: with the orientation applied.</summary>
    public int UprightWidth => Orientation >= 5 ? Height : Width;

    /// <summary>Height as it is looked at.</summary>
    public int UprightHeight => Orientation >= 5 ? Width : Height;

    /// <summary>The media type, as in "image/jpeg"; empty of none.</summary>
    public string MediaType =>
        Format switch
        {
            PictureFormat.Jpeg => "image/jpeg",
            PictureFormat.Png => "image/png",
            PictureFormat.WebP => "image/webp",
            PictureFormat.Gif => "image/gif",
            _ => "",
        };

    /// <summary>
    /// Reads a header and holds it against the limits. Nothing is decoded and nothing allocated; its time is that of
    /// one look at each segment in front of the size. Any thread.
    /// </summary>
    /// <param name="picture">The whole picture.</param>
    /// <param name="limits">How large it may be.</param>
    /// <param name="header">What it says; of faults by size, too.</param>
    public static PictureFault Read(ReadOnlySpan<byte> picture, PictureLimits limits, out PictureHeader header)
    {
        header = default;
        if (picture.Length > limits.Bytes)
        {
            return PictureFault.TooManyBytes;
        }

        PictureFormat format = TypeOf(picture);
        PictureFault fault = format switch
        {
            PictureFormat.Jpeg => new JpegHeader(picture).Read(out header),
            PictureFormat.Png => new PngHeader(picture).Read(out header),
            PictureFormat.WebP => new WebPHeader(picture).Read(out header),
            PictureFormat.Gif => new GifHeader(picture).Read(out header),
            _ => PictureFault.UnknownType,
        };
        return fault != PictureFault.None ? fault
            : header.Width > limits.Side || header.Height > limits.Side ? PictureFault.SideTooLong
            : (long)header.Width * header.Height > limits.Pixels ? PictureFault.TooManyPixels
            : PictureFault.None;
    }

    /// <summary>The format by the first bytes, whatever anybody says about it.</summary>
    /// <param name="picture">Its beginning; 12 bytes are enough.</param>
    public static PictureFormat TypeOf(ReadOnlySpan<byte> picture) =>
        picture.StartsWith(JpegHeader.Magic) ? PictureFormat.Jpeg
        : picture.StartsWith(PngHeader.Magic) ? PictureFormat.Png
        : picture.StartsWith("GIF87a"u8) || picture.StartsWith("GIF89a"u8) ? PictureFormat.Gif
        : picture.Length >= 12 && picture.StartsWith("RIFF"u8) && picture[8..].StartsWith("WEBP"u8) ? PictureFormat.WebP
        : PictureFormat.None;
}
