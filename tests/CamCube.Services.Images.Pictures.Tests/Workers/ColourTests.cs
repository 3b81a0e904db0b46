using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>Pictures with a colour profile, and with inks: their variants are sRGB, look the same, and have no
/// profile.</summary>
public sealed class ColourTests
{
    // Of 255, and each side of it: what a JPEG of high quality makes of one colour.
    private const double Close = 4;

    // Where nobody says which inks: a greenish blue is one.
    private const double Near = 90;
    private const int Factor = 4;

    private static readonly byte[][] Colours =
    [
        [200, 120, 90],
        [110, 160, 110],
        [80, 90, 180],
        [128, 128, 128],
    ];

    // Paper, and each ink alone.
    private static readonly byte[][] Inks =
    [
        [0, 0, 0, 0],
        [255, 0, 0, 0],
        [0, 255, 0, 0],
        [0, 0, 255, 0],
        [0, 0, 0, 255],
    ];

    private static readonly double[][] OfOddPress =
    [
        IccProfile.FromOddPress(null),
        .. Enumerable.Range(0, 4).Select(static ink => IccProfile.FromOddPress(ink)),
    ];

    // Of all presses, more or less.
    private static readonly double[][] OfAnyPress =
    [
        [255, 255, 255],
        [0, 160, 230],
        [230, 0, 130],
        [255, 240, 0],
        [30, 30, 30],
    ];

    [Fact]
    public async Task A_picture_in_Adobe_RGB_looks_the_same_in_sRGB()
    {
        using WorkerKit kit = new();
        double[][] expected = [.. Colours.Select(static one => IccProfile.FromAdobeRgb(one))];

        // That it would be seen if the profile were only taken away.
        Assert.Contains(expected.Zip(Colours), static one => Distance(one.First, one.Second) > 5 * Close);
        byte[] profile = IccProfile.AdobeRgb(),
            rgb = FlatJpeg.Adobe(0);
        await CheckAsync(kit, FlatJpeg.Make(Colours, rgb, IccProfile.InJpeg(profile)), expected, Close);
        await CheckAsync(kit, Png(IccProfile.InPng(profile)), expected, Close);
        await CheckAsync(kit, FlatJpeg.Make(Colours, rgb), AsTheyAre(Colours), Close);
        await CheckAsync(kit, Png(), AsTheyAre(Colours), Close);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(null)]
    public async Task Inks_become_colours_by_the_profile_of_their_press(int? transform)
    {
        using WorkerKit kit = new();
        byte[][] profile = [IccProfile.InJpeg(IccProfile.OddPress())];
        await CheckAsync(kit, InkJpeg(transform, profile), OfOddPress, Close);

        // And by some other press's if it has none, but never inside out.
        await CheckAsync(kit, InkJpeg(transform), OfAnyPress, Near);
    }

    [Fact]
    public async Task A_profile_that_does_not_fit_or_is_none_is_as_if_it_were_not_there()
    {
        using WorkerKit kit = new();
        byte[] rgb = FlatJpeg.Adobe(0),
            cut = IccProfile.AdobeRgb()[..200];
        byte[][] greys =
        [
            [20],
            [90],
            [160],
            [250],
        ];
        foreach (byte[] wrong in new[] { IccProfile.OddPress(), cut, [.. "no profile at all"u8] })
        {
            byte[] inJpeg = IccProfile.InJpeg(wrong);
            await CheckAsync(kit, FlatJpeg.Make(Colours, rgb, inJpeg), AsTheyAre(Colours), Close);
            await CheckAsync(kit, Png(IccProfile.InPng(wrong)), AsTheyAre(Colours), Close);
        }

        await CheckAsync(
            kit,
            FlatJpeg.Make(greys, IccProfile.InJpeg(IccProfile.AdobeRgb())),
            [.. greys.Select(static one => new double[] { one[0], one[0], one[0] })],
            Close
        );
        await CheckAsync(kit, InkJpeg(0, IccProfile.InJpeg(IccProfile.AdobeRgb())), OfAnyPress, Near);
        Assert.Equal(0, kit.Pictures.Summary.Killed);
    }

    [Fact]
    public async Task A_picture_with_alpha_loses_its_profile_too()
    {
        using WorkerKit kit = new();
        byte[] png = PictureBuilder.Png(300, 200, true, IccProfile.InPng(IccProfile.AdobeRgb()));
        PictureResult result = await kit.MakeAsync(png, new VariantSpec(60, 60));
        Assert.Equal(PictureStatus.Done, result.Status);
        Assert.Equal(PictureFormat.WebP, result.Variants[0].Format);
        Assert.Equal(-1, result.Variants[0].Bytes.Span.IndexOf("ICCP"u8));
    }

    private static byte[] Png(params byte[][] extra) =>
        PictureBuilder.Png(
            Colours.Length * FlatJpeg.Side,
            FlatJpeg.Side,
            static (x, _) =>
            {
                byte[] colour = Colours[x / FlatJpeg.Side];
                return (colour[0], colour[1], colour[2]);
            },
            extra
        );

    // Values are inverted, as Adobe writes them; without its marker, too: libvips takes all such for Adobe's.
    private static byte[] InkJpeg(int? transform, params byte[][] profile)
    {
        byte[][] marker = transform is { } kind ? [FlatJpeg.Adobe((byte)kind)] : [];
        return FlatJpeg.Make([.. Inks.Select(ink => Inverted(ink, transform == 2))], [.. marker, .. profile]);
    }

    private static byte[] Inverted(byte[] ink, bool isYcck)
    {
        byte[] light = [.. ink.Select(static part => (byte)(255 - part))];

        // What decoders turn into 255 minus red, green and blue.
        return isYcck ? [.. Ycc(ink[0], ink[1], ink[2]), light[3]] : light;
    }

    private static byte[] Ycc(double red, double green, double blue) =>
        [
            Rounded((0.299 * red) + (0.587 * green) + (0.114 * blue)),
            Rounded(128 - (0.168736 * red) - (0.331264 * green) + (0.5 * blue)),
            Rounded(128 + (0.5 * red) - (0.418688 * green) - (0.081312 * blue)),
        ];

    private static byte Rounded(double value) => (byte)Math.Clamp(Math.Round(value), 0, 255);

    private static double[][] AsTheyAre(byte[][] colours) =>
        [.. colours.Select(static one => one.Select(static part => (double)part).ToArray())];

    private static double Distance(double[] one, byte[] other) =>
        one.Zip(other, static (a, b) => Math.Abs(a - b)).Max();

    private static async Task CheckAsync(WorkerKit kit, byte[] picture, double[][] expected, double most)
    {
        int side = FlatJpeg.Side / Factor;
        PictureResult result = await kit.MakeAsync(
            picture,
            new VariantSpec((ushort)(expected.Length * side), (ushort)side, Quality: 95)
        );
        Assert.Equal((PictureStatus.Done, ""), (result.Status, result.Text));
        ReadOnlySpan<byte> bytes = result.Variants[0].Bytes.Span;
        Assert.Equal(-1, bytes.IndexOf("ICC_PROFILE"u8));
        BaselineJpeg seen = BaselineJpeg.Decode(bytes);
        for (int i = 0; i < expected.Length; i++)
        {
            int at = 3 * ((side / 2 * seen.Width) + (i * side) + (side / 2));
            byte[] colour = seen.Colours[at..(at + 3)];
            Assert.True(
                Distance(expected[i], colour) <= most,
                $"field {i}: {string.Join(' ', colour)}, not "
                    + string.Join(' ', expected[i].Select(static part => $"{part:0}"))
            );
        }
    }
}
