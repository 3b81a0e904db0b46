using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>What variants look like, beside the mean colours of the picture that they are of: by a decoder of our own,
/// and by no library.</summary>
public sealed class LikenessTests
{
    // Of two pictures: below it somebody sees the difference.
    private const double LeastDecibels = 30;
    private const int Width = 1_280;
    private const int Height = 960;
    private const int Factor = 8;

    [Theory]
    [InlineData("png")]
    [InlineData("jpeg")]
    [InlineData("turned")]
    [InlineData("cover")]
    public async Task A_variant_has_the_colours_of_its_picture(string kind)
    {
        using WorkerKit kit = new();
        byte[] picture = PictureBuilder.Png(Width, Height, ColourAt);
        if (kind is "jpeg" or "turned")
        {
            picture = (await kit.MakeAsync(picture, new VariantSpec(Width, Height, Quality: 95)))
                .Variants[0]
                .Bytes.ToArray();
        }

        if (kind == "turned")
        {
            picture = PictureBuilder.With(picture, PictureBuilder.Segment(0xE1, PictureBuilder.Exif(6)));
        }

        VariantSpec spec = kind == "cover" ? new VariantSpec(120, 120, VariantFit.Cover) : new VariantSpec(160, 160);
        PictureResult result = await kit.MakeAsync(picture, spec);
        BaselineJpeg seen = BaselineJpeg.Decode(result.Variants[0].Bytes.Span);
        Assert.Equal(
            kind switch
            {
                "turned" => (120, 160),
                "cover" => (120, 120),
                _ => (160, 120),
            },
            (seen.Width, seen.Height)
        );
        double alike = Decibels(seen, (x, y) => MeanAt(kind, x, y));
        TestContext.Current.TestOutputHelper?.WriteLine($"{kind}: {alike:0.0} dB");
        Assert.InRange(alike, LeastDecibels, double.MaxValue);

        // That it would be seen: mirrored, and two pixels off.
        Assert.InRange(Decibels(seen, (x, y) => MeanAt(kind, seen.Width - 1 - x, y)), 0, LeastDecibels - 5);
        Assert.InRange(
            Decibels(seen, (x, y) => MeanAt(kind, Math.Min(x + 2, seen.Width - 1), y)),
            0,
            LeastDecibels - 1
        );
    }

    // Waves of another length and direction in each colour.
    private static (byte Red, byte Green, byte Blue) ColourAt(int x, int y) =>
        (Wave((x * 0.9) + (y * 0.2), 130), Wave((x * 0.4) - (y * 0.6), 170), Wave((x * 0.7) + (y * 0.5), 210));

    private static byte Wave(double at, double length) => (byte)(128 + (100 * Math.Sin(at * 2 * Math.PI / length)));

    // The mean of all pixels of the picture that become one of the variant.
    private static (double Red, double Green, double Blue) MeanAt(string kind, int x, int y)
    {
        (int left, int top) = kind switch
        {
            // By a quarter, clockwise: what was at the bottom is at the left.
            "turned" => (y, (Height / Factor) - 1 - x),
            "cover" => (x + ((Width - Height) / Factor / 2), y),
            _ => (x, y),
        };
        (double red, double green, double blue) = (0, 0, 0);
        for (int i = 0; i < Factor * Factor; i++)
        {
            var colour = ColourAt((left * Factor) + (i % Factor), (top * Factor) + (i / Factor));
            (red, green, blue) = (red + colour.Red, green + colour.Green, blue + colour.Blue);
        }

        return (red / (Factor * Factor), green / (Factor * Factor), blue / (Factor * Factor));
    }

    private static double Decibels(BaselineJpeg seen, Func<int, int, (double Red, double Green, double Blue)> expected)
    {
        double squares = 0;
        for (int i = 0; i < seen.Width * seen.Height; i++)
        {
            (double red, double green, double blue) = expected(i % seen.Width, i / seen.Width);
            squares += Square(seen.Colours[i * 3] - red);
            squares += Square(seen.Colours[(i * 3) + 1] - green);
            squares += Square(seen.Colours[(i * 3) + 2] - blue);
        }

        return 10 * Math.Log10(255 * 255 / (squares / (seen.Width * seen.Height * 3)));
    }

    private static double Square(double value) => value * value;
}
