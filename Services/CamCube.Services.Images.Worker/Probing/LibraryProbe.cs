using System.Text;
using NetVips;

namespace CamCube.Services.Images.Worker.Probing;

/// <summary>Tries what the library could do beside four loaders and two savers, which is blocked in it before the
/// sandbox begins.</summary>
internal static class LibraryProbe
{
    private static readonly (string Name, byte[] Bytes)[] Pictures =
    [
        ("svg", "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"u8.ToArray()),
        ("ppm", Encoding.ASCII.GetBytes("P6\n2 2\n255\n" + new string('x', 12))),
        ("tiff", Tiff()),
        ("hdr", Encoding.ASCII.GetBytes("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\nabcd")),
    ];

    /// <summary>Adds one line for each thing, as <see cref="Probe.Run"/>.</summary>
    public static void Try(List<string> lines)
    {
        foreach ((string name, byte[] bytes) in Pictures)
        {
            Add(lines, $"load-{name}", () => Image.NewFromBuffer(bytes));
        }

        using Image grey = Image.Black(8, 8, bands: 3).Copy(interpretation: Enums.Interpretation.Srgb);
        Add(lines, "load-file", () => Image.NewFromFile(Environment.ProcessPath!));
        Add(lines, "load-raw", () => Image.Rawload(Environment.ProcessPath!, 8, 8, 1));
        Add(lines, "save-png", () => grey.WriteToBuffer(".png"));
        Add(lines, "save-tiff", () => grey.WriteToBuffer(".tif"));
        Add(lines, "save-file", () => grey.Jpegsave("/tmp/camcube-worker-probe"));
    }

    private static void Add(List<string> lines, string what, Action act)
    {
        try
        {
            act();
            lines.Add($"library {what} ALLOWED");
        }
        catch (VipsException)
        {
            lines.Add($"library {what} refused");
        }
    }

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
