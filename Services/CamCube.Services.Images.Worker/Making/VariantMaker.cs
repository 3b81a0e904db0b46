using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using NetVips;

namespace CamCube.Services.Images.Worker.Making;

/// <summary>
/// Makes variants. Each comes from the picture itself, so that its bytes are a function of the picture, of what was
/// asked for and of the library's version, whatever else was asked for at the same time.
/// </summary>
internal static class VariantMaker
{
    private const int UsualQuality = 80;

    // For the loader: thumbnail's own fail_on does not get there with libvips 8.18, and what is missing becomes grey.
    private const string FailWhenCutOff = "[fail_on=truncated]";

    /// <summary>Makes all variants, or says why not.</summary>
    /// <param name="header">What the store's parser said of it.</param>
    /// <param name="picture">The picture.</param>
    /// <param name="specs">What is asked for.</param>
    public static PictureResult Make(PictureHeader header, byte[] picture, VariantSpec[] specs)
    {
        try
        {
            if (Look(header, picture, out bool needsProfile) is { } refusal)
            {
                return refusal;
            }

            Variant[] variants = new Variant[specs.Length];
            for (int i = 0; i < specs.Length; i++)
            {
                variants[i] = Make(picture, specs[i], needsProfile);
            }

            return new PictureResult(PictureStatus.Done, variants, "");
        }
        catch (VipsException e)
        {
            // For the log; who sent the picture gets words of ours.
            Console.Error.WriteLine(e.Message.ReplaceLineEndings(" "));
            return Refused(PictureStatus.Damaged, "the picture cannot be decoded");
        }
    }

    /// <summary>Reads the header by the library's eyes.</summary>
    private static PictureResult? Look(PictureHeader header, byte[] picture, out bool needsProfile)
    {
        needsProfile = false;
        Image seen;
        try
        {
            seen = Image.NewFromBuffer(picture, access: Enums.Access.Sequential);
        }
        catch (VipsException e) when (e.Message.Contains("not in a known format", StringComparison.Ordinal))
        {
            return Refused(PictureStatus.NotThisFormat, "the library does not know the picture's format");
        }

        using (seen)
        {
            string loader = seen.Get("vips-loader") as string ?? "";
            if (!loader.StartsWith(LoaderOf(header.Format), StringComparison.Ordinal))
            {
                return Refused(PictureStatus.NotThisFormat, $"the library takes the picture for one of {loader}");
            }

            if (seen.Width != header.Width || seen.Height != header.Height)
            {
                return Refused(
                    PictureStatus.ParserDiffers,
                    $"{header.Width} x {header.Height} by its header, {seen.Width} x {seen.Height} by the library"
                );
            }

            needsProfile = seen.Interpretation == Enums.Interpretation.Cmyk || seen.GetTypeOf("icc-profile-data") != 0;
            return null;
        }
    }

    private static Variant Make(byte[] picture, VariantSpec spec, bool needsProfile)
    {
        using Image made = Image.ThumbnailBuffer(
            picture,
            spec.Width,
            optionString: FailWhenCutOff,
            height: spec.Height,
            size: Enums.Size.Down,
            crop: spec.Fit == VariantFit.Cover ? Enums.Interesting.Centre : null,
            outputProfile: needsProfile ? "srgb" : null
        );
        int quality = spec.Quality is >= 1 and <= 100 ? spec.Quality : UsualQuality;
        bool hasAlpha = made.HasAlpha();
        byte[] bytes = hasAlpha
            ? made.WebpsaveBuffer(q: quality, keep: Enums.ForeignKeep.None)
            : made.JpegsaveBuffer(q: quality, keep: Enums.ForeignKeep.None);
        return new Variant(hasAlpha ? PictureFormat.WebP : PictureFormat.Jpeg, made.Width, made.Height, bytes);
    }

    private static string LoaderOf(PictureFormat format) =>
        format switch
        {
            PictureFormat.Jpeg => "jpegload",
            PictureFormat.Png => "pngload",
            PictureFormat.WebP => "webpload",
            _ => "gifload",
        };

    private static PictureResult Refused(PictureStatus status, string text) => new(status, [], text);
}
