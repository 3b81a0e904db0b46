namespace CamCube.Experiments.Images;

/// <summary>The papers' pictures (HPDC §5.3), of our own making: as many, of lengths around the same mean.</summary>
public static class MadePictures
{
    /// <summary>How many the papers have.</summary>
    public const int Count = 233;

    /// <summary>Bytes of one, in the mean.</summary>
    public const int MeanBytes = 1_470_000;

    // From a third of the mean to five thirds, as the papers' 0.50 to 2.63 MB.
    private const double Least = 0.34;
    private const double BytesPerPixel = 0.25;
    private const int Unit = 16;

    /// <summary>The length of one: spread evenly around the mean.</summary>
    /// <param name="number">Which, from 0.</param>
    /// <param name="count">Of how many.</param>
    /// <param name="meanBytes">Their mean.</param>
    public static int LengthOf(int number, int count, int meanBytes) =>
        count == 1 ? meanBytes : (int)(meanBytes * (Least + (2 * (1 - Least) * number / (count - 1))));

    /// <summary>Pixels of a picture of so many bytes.</summary>
    public static int PixelsOf(int bytes) => (int)Math.Max(bytes / BytesPerPixel, Unit * Unit);

    /// <summary>Makes one: two pixels and more across for three, as cameras do.</summary>
    /// <param name="seed">What is on it.</param>
    /// <param name="bytes">Length that is aimed at.</param>
    public static byte[] Make(int seed, int bytes)
    {
        double pixels = PixelsOf(bytes);
        int height = Rounded(Math.Sqrt(pixels * 2 / 3)),
            width = Rounded(pixels / height);
        return MadeJpeg.Make(seed, width, height, bytes);
    }

    private static int Rounded(double side) => Math.Max((int)Math.Round(side / Unit), 1) * Unit;
}
