using CamCube.SystemTests.Cables;
using CamCube.Testbed;

namespace CamCube.SystemTests.Hosts;

/// <summary>The image store of a real host as curl sees it, which waits for a word before it sends much.</summary>
public sealed class ImagesCurlTests : IDisposable
{
    private const int Servers = 3;

    // One white pixel, and much behind it: curl waits for 100 Continue from 1 MiB on.
    private static readonly byte[] Picture =
    [
        .. Convert.FromBase64String("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="),
        .. new byte[2 << 20],
    ];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-curl-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_picture_is_put_through_one_server_and_read_in_every_way_through_others()
    {
        RequireAll.Program("curl");
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
        string file = Path.Combine(_folder.FullName, "picture"),
            got = Path.Combine(_folder.FullName, "got");
        await File.WriteAllBytesAsync(file, Picture, TestContext.Current.CancellationToken);
        string At(int server, string name) => $"http://127.0.0.1:{port + Servers + server}/images/{name}";
        Assert.Equal("201", Curl(got, "-T", file, At(0, "a%20b.gif")));
        Assert.Equal("200", Curl(got, "-T", file, At(1, "a%20b.gif")));
        Assert.Equal("412", Curl(got, "-H", "If-None-Match: *", "-T", file, At(2, "a%20b.gif")));
        Assert.Equal("415", Curl(got, "-H", "Content-Encoding: gzip", "-T", file, At(2, "zipped")));
        Assert.Equal("200", Curl(got, At(1, "a%20b.gif")));
        Assert.Equal(Picture, await File.ReadAllBytesAsync(got, TestContext.Current.CancellationToken));
        Assert.Equal("206", Curl(got, "-r", "0-5", At(2, "a%20b.gif")));
        Assert.Equal("GIF89a", await File.ReadAllTextAsync(got, TestContext.Current.CancellationToken));
        Assert.Equal("416", Curl(got, "-r", "9999999-", At(2, "a%20b.gif")));
        Assert.Equal("200", Curl(got, At(2, "a%20b.gif/thumb")));
        byte[] thumb = await File.ReadAllBytesAsync(got, TestContext.Current.CancellationToken);
        Assert.InRange(thumb.Length, 1, 2_000);
        string tags = Path.Combine(_folder.FullName, "tags");
        Assert.Equal("200", Curl(got, "--etag-save", tags, At(0, "a%20b.gif/thumb")));
        Assert.Equal("304", Curl(got, "--etag-compare", tags, At(1, "a%20b.gif/thumb")));
        Assert.Equal("204", Curl(got, "-X", "DELETE", At(1, "a%20b.gif")));
        Assert.Equal("404", Curl(got, At(0, "a%20b.gif/thumb")));
    }

    // Who is told to come again later does so.
    private static string Curl(string into, params string[] arguments) =>
        Programs.Run("curl", ["-s", "--retry", "60", "-o", into, "-w", "%{http_code}", .. arguments]).Trim();
}
