using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using CamCube.SystemTests.Cables;

namespace CamCube.SystemTests.Hosts;

/// <summary>The image store's page in a browser: two people put pictures through two servers at once, and what is none
/// is said to be none.</summary>
public sealed class ImagesPageTests : IDisposable
{
    private const int Servers = 3;
    private const string Cards = "document.querySelectorAll('#shown article')";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-page-");

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Pictures_that_are_chosen_are_shown_with_their_variants_and_servers_and_can_be_deleted()
    {
        RequireAll.Program("chromium");
        int port = HostProcess.FreePorts(2 * Servers);
        await using HostProcess host = await HostProcess.StartAsync(
            0,
            0,
            $"--Shape={Servers}x1x1",
            "--Services:kv:Enabled=true",
            "--Services:images:Enabled=true",
            $"--DataFolder={Path.Combine(_folder.FullName, "data")}",
            $"--FrontEnds:kv-http:Port={port}",
            $"--FrontEnds:images:Port={port + Servers}"
        );
        string[] files =
        [
            Write("wide.png", Png(640, 360)),
            Write("none.png", Encoding.ASCII.GetBytes("<svg/>")),
            Write("tall.png", Png(200, 500)),
        ];
        string[] pages = [$"http://127.0.0.1:{port + Servers}/", $"http://localhost:{port + Servers + 1}/"];
        string[] names = await Task.WhenAll(pages.Select(page => PutAsync(page, files)));
        Assert.NotEqual(names[0], names[1]);
        foreach (string name in names)
        {
            using HttpResponseMessage gone = await host.Http.GetAsync($"{pages[0]}images/{name}", Cancel);
            Assert.Equal(System.Net.HttpStatusCode.NotFound, gone.StatusCode);
        }
    }

    // The name of the one that was put, and deleted again.
    private static async Task<string> PutAsync(string page, string[] files)
    {
        await using Browser browser = await Browser.OpenAsync(page);
        await browser.ChooseAsync("#files", files);
        await browser.UntilAsync($"{Cards}.length === 3 && document.querySelectorAll('#shown svg').length === 2");

        // The newest is the first.
        string words = (await browser.GetAsync($"{Cards}[1].innerText"))!.GetValue<string>();
        Assert.Contains("none.png", words, StringComparison.Ordinal);
        Assert.Contains("no JPEG, PNG, WebP or GIF", words, StringComparison.Ordinal);
        await browser.UntilAsync("document.querySelectorAll('#shown li').length >= 2");
        await browser.UntilAsync(
            "[...document.querySelectorAll('#shown img')].every(i => i.complete && i.naturalWidth > 0)"
        );
        string wide = (await browser.GetAsync($"{Cards}[2].innerText"))!.GetValue<string>();
        Assert.Contains("640 × 360", wide, StringComparison.Ordinal);
        Assert.Contains("thumb · 160 × 90", wide, StringComparison.Ordinal);
        Assert.Contains("copies", wide, StringComparison.Ordinal);
        Assert.Equal(
            Servers,
            (await browser.GetAsync($"{Cards}[2].querySelectorAll('circle').length"))!.GetValue<int>()
        );
        string name = (await browser.GetAsync($"{Cards}[2].querySelector('h2').textContent"))!.GetValue<string>();
        if (Environment.GetEnvironmentVariable("CAMCUBE_PAGE_PICTURE") is { Length: > 0 } picture)
        {
            await File.WriteAllBytesAsync(picture, await browser.PictureAsync(), Cancel);
        }

        await browser.GetAsync($"{Cards}[2].querySelector('button.bad').click()");
        await browser.UntilAsync($"{Cards}.length === 2");

        // Of what is none the browser says that it was answered 415, and of nothing else anything.
        Assert.All(browser.Complaints, static words => Assert.Contains("415", words, StringComparison.Ordinal));
        Assert.Single(browser.Complaints);
        return name;
    }

    private string Write(string name, byte[] bytes)
    {
        string path = Path.Combine(_folder.FullName, name);
        File.WriteAllBytes(path, bytes);
        return path;
    }

    // Colours that run from one corner to the other.
    private static byte[] Png(int width, int height)
    {
        using MemoryStream file = new();
        file.Write([0x89, (byte)'P', (byte)'N', (byte)'G', 13, 10, 26, 10]);
        byte[] header = new byte[13];
        BinaryPrimitives.WriteInt32BigEndian(header, width);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(4), height);
        (header[8], header[9]) = (8, 2);
        Chunk(file, "IHDR", header);
        using MemoryStream packed = new();
        using (ZLibStream zlib = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            for (int y = 0; y < height; y++)
            {
                zlib.WriteByte(0);
                for (int x = 0; x < width; x++)
                {
                    zlib.Write([(byte)(255 * x / width), (byte)(255 * y / height), 160]);
                }
            }
        }

        Chunk(file, "IDAT", packed.ToArray());
        Chunk(file, "IEND", []);
        return file.ToArray();
    }

    private static void Chunk(MemoryStream file, string type, byte[] bytes)
    {
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(number, bytes.Length);
        file.Write(number);
        byte[] summed = [.. Encoding.ASCII.GetBytes(type), .. bytes];
        file.Write(summed);
        BinaryPrimitives.WriteUInt32BigEndian(number, Crc(summed));
        file.Write(number);
    }

    // As the format asks for it: bit by bit is fast enough here.
    private static uint Crc(byte[] bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte one in bytes)
        {
            crc ^= one;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB8_8320 : 0);
            }
        }

        return ~crc;
    }
}
