using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using NetVips;

namespace CamCube.Services.Images.Worker.Making;

/// <summary>libvips, with four loaders and two savers and nothing else.</summary>
internal static class Library
{
    private static readonly string[] Allowed =
    [
        "VipsForeignLoadJpegBuffer",
        "VipsForeignLoadPngBuffer",
        "VipsForeignLoadWebpBuffer",
        "VipsForeignLoadNsgifBuffer",
        "VipsForeignSaveJpegBuffer",
        "VipsForeignSaveWebpBuffer",
    ];

    private static readonly byte[] SmallPng = Convert.FromBase64String(
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAEklEQVR42mNwaDjwHx9mGBkKABU2n8EESzAOAAAAAElFTkSuQmCC"
    );

    private static readonly byte[] SmallGif = Convert.FromBase64String(
        "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="
    );

    /// <summary>Its version, as in "8.18.7".</summary>
    public static string Version =>
        $"{NetVips.NetVips.Version(0)}.{NetVips.NetVips.Version(1)}.{NetVips.NetVips.Version(2)}";

    /// <summary>Loads it, blocks what is not needed, and makes a variant of a small picture of each format, so that all
    /// code is there before files are out of reach.</summary>
    /// <exception cref="InvalidOperationException">It is not there for this system, or cannot do what it
    /// must.</exception>
    public static void Begin()
    {
        if (!ModuleInitializer.VipsInitialized)
        {
            throw new InvalidOperationException(
                "libvips cannot be loaded here: " + ModuleInitializer.Exception?.GetBaseException().Message
            );
        }

        NetVips.NetVips.BlockUntrusted = true;
        Operation.Block("VipsForeignLoad", true);
        Operation.Block("VipsForeignSave", true);
        foreach (string name in Allowed)
        {
            Operation.Block(name, false);
        }

        NetVips.NetVips.Concurrency = 1;
        Cache.Max = 0;
        WarmUp(SmallPng, PictureFormat.Png);
        WarmUp(SmallGif, PictureFormat.Gif);
        using Image grey = Image.Black(64, 64, bands: 3).Copy(interpretation: Enums.Interpretation.Srgb);
        WarmUp(grey.JpegsaveBuffer(), PictureFormat.Jpeg);
        WarmUp(grey.WebpsaveBuffer(), PictureFormat.WebP);
    }

    private static void WarmUp(byte[] picture, PictureFormat format)
    {
        PictureFault fault = PictureHeader.Read(picture, PictureLimits.Default, out PictureHeader header);
        PictureResult result =
            fault == PictureFault.None
                ? VariantMaker.Make(header, picture, [new VariantSpec(4, 4), new VariantSpec(4, 4, VariantFit.Cover)])
                : default;
        if (header.Format != format || result.Status != PictureStatus.Done || fault != PictureFault.None)
        {
            throw new InvalidOperationException($"libvips cannot make a variant of {format}: {result.Text}");
        }
    }
}
