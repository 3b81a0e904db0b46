using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

public sealed class VariantTests
{
    [Fact]
    public async Task Each_format_becomes_variants_of_the_size_that_was_asked_for()
    {
        using WorkerKit kit = new();
        (byte[] Picture, bool HasAlpha)[] pictures =
        [
            (PictureBuilder.Png(300, 200), false),
            (PictureBuilder.Png(300, 200, hasAlpha: true), true),
            (PictureBuilder.Gif(300, 200, 3), false),
            (await kit.EncodedAsync(300, 200, isWebP: false), false),
            (await kit.EncodedAsync(300, 200, isWebP: true), true),
        ];
        foreach ((byte[] picture, bool hasAlpha) in pictures)
        {
            PictureResult result = await kit.MakeAsync(
                picture,
                new VariantSpec(60, 60),
                new VariantSpec(50, 50, VariantFit.Cover),
                new VariantSpec(1_000, 1_000, Quality: 90)
            );
            Assert.Equal(PictureStatus.Done, result.Status);
            Assert.Equal(
                [(60, 40), (50, 50), (300, 200)],
                result.Variants.Select(variant => (variant.Width, variant.Height))
            );
            Assert.All(result.Variants, CheckHeader);
            Assert.All(
                result.Variants,
                one => Assert.Equal(hasAlpha ? PictureFormat.WebP : PictureFormat.Jpeg, one.Format)
            );
        }

        Assert.StartsWith("libvips 8.", kit.Pictures.Facts);
        Assert.Equal(0, kit.Pictures.Summary.Killed);
    }

    [Fact]
    public async Task A_variant_is_upright_and_says_nothing_of_where_it_was_taken()
    {
        using WorkerKit kit = new();
        byte[] jpeg = await kit.EncodedAsync(300, 200, isWebP: false);
        byte[] turned = PictureBuilder.With(
            jpeg,
            PictureBuilder.Segment(0xE1, [.. PictureBuilder.Exif(6), .. "51.5 N 0.1 W"u8])
        );
        PictureResult result = await kit.MakeAsync(turned, new VariantSpec(60, 60));
        Assert.Equal((40, 60), (result.Variants[0].Width, result.Variants[0].Height));
        Assert.Equal(-1, result.Variants[0].Bytes.Span.IndexOf("Exif"u8));
        Assert.Equal(-1, result.Variants[0].Bytes.Span.IndexOf("51.5 N"u8));
    }

    [Fact]
    public async Task A_variant_does_not_depend_on_what_else_was_asked_for()
    {
        using WorkerKit kit = new();
        byte[] jpeg = await kit.EncodedAsync(600, 400, isWebP: false);
        PictureResult alone = await kit.MakeAsync(jpeg, new VariantSpec(64, 64));
        PictureResult beside = await kit.MakeAsync(jpeg, new VariantSpec(300, 300), new VariantSpec(64, 64));
        Assert.True(alone.Variants[0].Bytes.Span.SequenceEqual(beside.Variants[1].Bytes.Span));
    }

    private static void CheckHeader(Variant variant)
    {
        PictureFault fault = PictureHeader.Read(variant.Bytes.Span, PictureLimits.Default, out PictureHeader header);
        Assert.Equal(PictureFault.None, fault);
        Assert.Equal((variant.Format, variant.Width, variant.Height), (header.Format, header.Width, header.Height));
    }
}
