using System.Text;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Tests;

namespace CamCube.Services.Images.Pictures.Tests.Formats;

public sealed class PictureHeaderTests
{
    private static readonly PictureLimits Limits = PictureLimits.Default;

    /// <summary>A WebP's frame of 300 x 200, lossy, without its data.</summary>
    private static byte[] LossyWebP =>
        [.. "RIFF"u8, 22, 0, 0, 0, .. "WEBPVP8 "u8, 10, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 44, 1, 200, 0];

    private static byte[] LosslessWebP =>
        [.. "RIFF"u8, 18, 0, 0, 0, .. "WEBPVP8L"u8, 5, 0, 0, 0, 0x2F, 0x2B, 0xC1, 0x31, 0, 0];

    [Fact]
    public void Each_format_says_its_size()
    {
        Assert.Equal(new PictureHeader(PictureFormat.Png, 30, 20, 1), Read(PictureBuilder.Png(30, 20)));
        Assert.Equal(new PictureHeader(PictureFormat.Gif, 300, 200, 1), Read(PictureBuilder.Gif(300, 200)));
        Assert.Equal(new PictureHeader(PictureFormat.Jpeg, 300, 200, 1), Read(PictureBuilder.JpegHeaders(300, 200)));
        Assert.Equal(new PictureHeader(PictureFormat.WebP, 300, 200, 1), Read(LossyWebP));
        Assert.Equal(new PictureHeader(PictureFormat.WebP, 300, 200, 1), Read(LosslessWebP));
    }

    [Theory]
    [InlineData(1, 300, 200)]
    [InlineData(4, 300, 200)]
    [InlineData(6, 200, 300)]
    [InlineData(8, 200, 300)]
    public void An_orientation_turns_the_sides(int orientation, int width, int height)
    {
        byte[] exif = PictureBuilder.Exif(orientation);
        PictureHeader jpeg = Read(PictureBuilder.JpegHeaders(300, 200, PictureBuilder.Segment(0xE1, exif)));
        PictureHeader png = Read(PictureBuilder.Png(300, 200, false, PictureBuilder.Chunk("eXIf", exif[6..])));
        Assert.All(
            [jpeg, png],
            header =>
                Assert.Equal(
                    (orientation, width, height),
                    (header.Orientation, header.UprightWidth, header.UprightHeight)
                )
        );
    }

    [Fact]
    public void An_orientation_that_makes_no_sense_is_none()
    {
        foreach (byte[] exif in new[] { PictureBuilder.Exif(9), PictureBuilder.Exif(0), PictureBuilder.ExifLoop() })
        {
            Assert.Equal(1, Read(PictureBuilder.JpegHeaders(300, 200, PictureBuilder.Segment(0xE1, exif))).Orientation);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("x")]
    [InlineData("<svg xmlns='http://www.w3.org/2000/svg'/>")]
    [InlineData("%PDF-1.7\n")]
    [InlineData("II*\0\u0008\0\0\0")]
    [InlineData("MM\0*\0\0\0\u0008")]
    [InlineData("II+\0\u0008\0\0\0")]
    [InlineData("BM6\0\0\0\0\0\0\0")]
    [InlineData("push graphic-context\nviewbox 0 0 1 1")]
    [InlineData("PK\u0003\u0004")]
    [InlineData("<html><script>")]
    [InlineData("\0\0\0\u0018ftypavif")]
    public void Other_types_are_none(string text) =>
        Assert.Equal(PictureFault.UnknownType, Fault(Encoding.Latin1.GetBytes(text)));

    [Fact]
    public void What_is_too_large_says_by_what()
    {
        Assert.Equal(PictureFault.SideTooLong, Fault(PictureBuilder.JpegHeaders(65_500, 65_500)));
        Assert.Equal(PictureFault.SideTooLong, Fault(PictureBuilder.Gif(16_385, 1)));
        Assert.Equal(PictureFault.TooManyPixels, Fault(PictureBuilder.Gif(16_384, 16_384)));
        Assert.Equal(PictureFault.TooManyPixels, Fault(PictureBuilder.Gif(10_000, 5_001)));
        Assert.Equal(PictureFault.None, Fault(PictureBuilder.Gif(10_000, 5_000)));

        // A bomb of 33 KB.
        byte[] bomb = PictureBuilder.EmptyPng(16_384, 16_384, 1, 0, 16_384L * 2_049);
        Assert.InRange(bomb.Length, 1, 40_000);
        Assert.Equal(PictureFault.TooManyPixels, Fault(bomb));
        Assert.Equal(PictureFault.TooManyBytes, Fault(new byte[(32 << 20) + 1]));
    }

    [Fact]
    public void A_jpeg_of_very_many_scans_is_refused_and_what_stands_behind_its_end_is_not_counted()
    {
        Assert.Equal(PictureFault.TooManyScans, Fault(PictureBuilder.Progressive(2_000, 2_000, 10_000)));
        byte[] ten = PictureBuilder.Progressive(200, 200, 10);
        byte[] behind = [.. Enumerable.Repeat<byte[]>([0xFF, 0xDA], 1_000).SelectMany(bytes => bytes)];
        Assert.Equal(PictureFault.None, Fault([.. ten, .. behind]));
    }

    [Fact]
    public void A_jpeg_with_two_sizes_is_damaged()
    {
        byte[] other = PictureBuilder.Segment(0xC0, 8, 0, 9, 0, 9, 1, 1, 0x11, 0);
        Assert.Equal(PictureFault.Damaged, Fault(PictureBuilder.JpegHeaders(300, 200, other)));
    }

    [Fact]
    public void Every_truncation_of_a_header_is_damaged_or_another_type_and_never_another_size()
    {
        foreach (byte[] whole in Samples())
        {
            PictureHeader header = Read(whole);
            for (int length = 0; length < whole.Length; length++)
            {
                PictureFault fault = PictureHeader.Read(whole.AsSpan(0, length), Limits, out PictureHeader cut);
                Assert.True(fault is PictureFault.Damaged or PictureFault.UnknownType || cut == header);
            }
        }
    }

    [Fact]
    public void No_bytes_make_it_throw_or_allocate()
    {
        byte[][] samples = [.. Samples()];
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < Math.Min(count, 20_000); i++)
                {
                    byte[] bent = random.Bend(samples[i % samples.Length], samples[(i + 1) % samples.Length], 5_000);
                    long before = GC.GetAllocatedBytesForCurrentThread();
                    PictureFault fault = PictureHeader.Read(bent, Limits, out PictureHeader header);
                    if (GC.GetAllocatedBytesForCurrentThread() != before)
                    {
                        // Tables that are made once, when a format is met first: not again for the same bytes.
                        before = GC.GetAllocatedBytesForCurrentThread();
                        _ = PictureHeader.Read(bent, Limits, out _);
                        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
                    }

                    Assert.True(
                        fault != PictureFault.None
                            || (header.Width is > 0 and <= 16_384 && header.Height is > 0 and <= 16_384)
                    );
                }
            }
        );
    }

    private static IEnumerable<byte[]> Samples()
    {
        byte[] exif = PictureBuilder.Exif(6);
        yield return PictureBuilder.Png(30, 20, false, PictureBuilder.Chunk("eXIf", exif[6..]));
        yield return PictureBuilder.Gif(300, 200, 2);
        yield return PictureBuilder.JpegHeaders(300, 200, PictureBuilder.Segment(0xE1, exif));
        yield return PictureBuilder.Progressive(64, 64, 5);
        yield return LossyWebP;
        yield return LosslessWebP;
        yield return
        [
            .. "RIFF"u8,
            56,
            0,
            0,
            0,
            .. "WEBPVP8X"u8,
            10,
            0,
            0,
            0,
            8,
            0,
            0,
            0,
            43,
            1,
            0,
            199,
            0,
            0,
            .. "EXIF"u8,
            26,
            0,
            0,
            0,
            .. exif[6..],
        ];
    }

    private static PictureFault Fault(byte[] picture) => PictureHeader.Read(picture, Limits, out _);

    private static PictureHeader Read(byte[] picture)
    {
        Assert.Equal(PictureFault.None, PictureHeader.Read(picture, Limits, out PictureHeader header));
        return header;
    }
}
