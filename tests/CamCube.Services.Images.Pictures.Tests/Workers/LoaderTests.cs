using System.Text;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>A store whose parser took something for a picture of ours that is none, or of another format: a worker
/// looks for itself. What its library could load then is what SandboxTests asks.</summary>
public sealed class LoaderTests
{
    public static TheoryData<string> Others =>
        ["svg", "ppm", "pfm", "tiff", "big tiff", "pdf", "bmp", "mvg", "hdr", "vips", "csv", "avif", "jxl", "fits"];

    [Theory]
    [MemberData(nameof(Others))]
    public async Task What_is_of_no_format_of_ours_is_refused_by_the_worker_too_and_costs_none(string name)
    {
        using WorkerKit kit = new();
        byte[] other = name switch
        {
            "svg" => Text(
                "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>"
            ),
            "ppm" => [.. "P6\n2 2\n255\n"u8, .. new byte[12]],
            "pfm" => [.. "PF\n2 2\n-1.0\n"u8, .. new byte[48]],
            "tiff" => Tiff(),
            "big tiff" => [.. "II+\0\u0008\0\0\0"u8, .. new byte[64]],
            "pdf" => Text("%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"),
            "bmp" =>
            [
                .. "BM"u8,
                58,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                54,
                0,
                0,
                0,
                40,
                0,
                0,
                0,
                1,
                0,
                0,
                0,
                1,
                0,
                0,
                0,
                1,
                0,
                24,
                .. new byte[28],
            ],
            "mvg" => Text(
                "push graphic-context\nviewbox 0 0 8 8\nimage over 0,0 0,0 '/etc/passwd'\npop graphic-context\n"
            ),
            "hdr" => [.. "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n"u8, 1, 2, 3, 4],
            "vips" => [0x08, 0xF2, 0xA6, 0xB6, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, .. new byte[60]],
            "csv" => Text("1,2,3\n4,5,6\n"),
            "avif" => [0, 0, 0, 24, .. "ftypavif\0\0\0\0avifmif1"u8, .. new byte[40]],
            "jxl" => [0xFF, 0x0A, .. new byte[40]],
            _ => Text("SIMPLE  =                    T".PadRight(80) + "END".PadRight(2_800)),
        };
        Assert.Equal(PictureFault.UnknownType, PictureHeader.Read(other, PictureLimits.Default, out _));
        foreach (PictureFormat format in Enum.GetValues<PictureFormat>())
        {
            var header = new PictureHeader(format, 8, 8, 1);
            if (header.MediaType.Length == 0)
            {
                continue;
            }

            PictureResult result = await kit.Pictures.MakeAsync(header, other, WorkerKit.Thumb);
            Assert.Equal(PictureStatus.ParserDiffers, result.Status);
            Assert.Empty(result.Variants);
        }

        Assert.Equal(PictureStatus.Done, (await kit.MakeAsync(PictureBuilder.Png(30, 20))).Status);
        Assert.Equal(0, kit.Pictures.Summary.Killed);
    }

    [Fact]
    public async Task A_picture_of_another_format_of_ours_than_the_header_says_is_refused()
    {
        using WorkerKit kit = new();
        byte[] png = PictureBuilder.Png(30, 20),
            gif = PictureBuilder.Gif(30, 20);
        PictureResult first = await kit.Pictures.MakeAsync(Header(gif), png, WorkerKit.Thumb),
            second = await kit.Pictures.MakeAsync(Header(png), gif, WorkerKit.Thumb);
        Assert.Equal((PictureStatus.ParserDiffers, PictureStatus.ParserDiffers), (first.Status, second.Status));
        Assert.Equal(0, kit.Pictures.Summary.Killed);
    }

    private static PictureHeader Header(byte[] picture)
    {
        Assert.Equal(PictureFault.None, PictureHeader.Read(picture, PictureLimits.Default, out PictureHeader header));
        return header;
    }

    private static byte[] Text(string text) => Encoding.ASCII.GetBytes(text);

    // One grey pixel; per entry a tag, a type, how many values, and the value.
    private static byte[] Tiff()
    {
        ushort[][] entries =
        [
            [256, 3, 1, 0, 1, 0],
            [257, 3, 1, 0, 1, 0],
            [258, 3, 1, 0, 8, 0],
            [259, 3, 1, 0, 1, 0],
            [262, 3, 1, 0, 1, 0],
            [273, 4, 1, 0, 8, 0],
            [277, 3, 1, 0, 1, 0],
            [278, 3, 1, 0, 1, 0],
            [279, 4, 1, 0, 1, 0],
        ];
        ushort[] words = [0x4949, 42, 10, 0, 0, (ushort)entries.Length, .. entries.SelectMany(static one => one), 0, 0];
        return [.. words.SelectMany(static one => BitConverter.GetBytes(one))];
    }
}
