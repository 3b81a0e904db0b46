using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>How much a thumbnail of the store looks like vipsthumbnail's of the same picture. A store that is fast
/// because its thumbnails are bad would not be one.</summary>
internal static class Likeness
{
    // Of two JPEGs of the same thumbnail: below it somebody sees the difference.
    private const double LeastDecibels = 30;
    private const int Head = 3;

    /// <summary>Compares those of some pictures, and prints the least likeness.</summary>
    /// <exception cref="TestbedException">They do not look alike, or have another size.</exception>
    public static async Task CheckAsync(ImageHost host, string folder, byte[][] pictures)
    {
        if (!OwnProcess.IsInstalled("vips"))
        {
            Console.WriteLine("vips is not installed: thumbnails are not compared");
            return;
        }

        double least = double.PositiveInfinity;
        for (int i = 0; i < pictures.Length; i++)
        {
            string name = $"alike {i}",
                original = Path.Combine(folder, $"alike-{i}.jpg"),
                own = Path.Combine(folder, $"alike-{i}-own.jpg");
            await host.StoreAsync(i % 3, name, pictures[i]);
            await File.WriteAllBytesAsync(original, pictures[i]);
            await File.WriteAllBytesAsync(own, await host.Http.GetByteArrayAsync(host.UrlOf(i % 3, $"{name}/thumb")));
            Programs.Run("vipsthumbnail", ["-s", "160x160", "-o", "%s-peer.jpg", original]);
            least = Math.Min(least, Decibels(Pixels(own), Pixels(Path.ChangeExtension(original, null) + "-peer.jpg")));
        }

        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"PSNR to vipsthumbnail's thumbnails, least of {pictures.Length}: "
            ) + string.Create(CultureInfo.InvariantCulture, $"{least:0.0} dB (asked >= {LeastDecibels})")
        );
        if (least < LeastDecibels)
        {
            throw new TestbedException("The store's thumbnails do not look like vipsthumbnail's.");
        }
    }

    // Three lines say what it is; behind them are the pixels, three bytes each.
    private static (string Head, byte[] Bytes) Pixels(string file)
    {
        string plain = Path.ChangeExtension(file, "ppm");
        Programs.Run("vips", ["copy", file, plain]);
        byte[] all = File.ReadAllBytes(plain);
        int at = 0;
        for (int lines = 0; lines < Head; at++)
        {
            // A comment is a line, too, that does not count.
            bool isComment = at > 0 && all[at - 1] == '\n' && all[at] == '#';
            lines += all[at] == '\n' ? 1 : 0;
            lines -= isComment ? 1 : 0;
        }

        string head = string.Join(
            ' ',
            System.Text.Encoding.ASCII.GetString(all, 0, at).Split('\n').Where(static line => !line.StartsWith('#'))
        );
        return (head, all[at..]);
    }

    private static double Decibels((string Head, byte[] Bytes) own, (string Head, byte[] Bytes) peer)
    {
        if (own.Head != peer.Head || own.Bytes.Length != peer.Bytes.Length)
        {
            throw new TestbedException($"The store's thumbnail is {own.Head}, vipsthumbnail's {peer.Head}.");
        }

        double squares = own.Bytes.Zip(peer.Bytes, static (a, b) => (double)((a - b) * (a - b))).Average();
        return squares == 0 ? double.PositiveInfinity : 10 * Math.Log10(255 * 255 / squares);
    }
}
