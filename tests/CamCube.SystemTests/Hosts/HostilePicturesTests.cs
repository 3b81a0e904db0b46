using System.Buffers.Binary;
using System.Net;
using System.Text;

namespace CamCube.SystemTests.Hosts;

/// <summary>Pictures that mean no good, sent to a real host with real workers: each is refused, others are served, and
/// the host itself decodes nothing.</summary>
public sealed class HostilePicturesTests : IDisposable
{
    private const int Servers = 3;
    private const int MostTries = 60;

    // One white pixel.
    private static readonly byte[] Good = Convert.FromBase64String("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=");

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-hostile-");

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Each_is_refused_and_others_are_served_and_the_host_decodes_none()
    {
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
        string At(int server, string name) => $"http://127.0.0.1:{port + Servers + server}/images/{name}";
        Assert.Equal(HttpStatusCode.Created, await PutAsync(host, At(0, "good"), Good));
        (HttpStatusCode Status, byte[] Picture)[] hostile = [.. Hostile()];
        for (int i = 0; i < hostile.Length; i++)
        {
            HttpStatusCode status = await PutAsync(host, At(i % Servers, $"hostile-{i}"), hostile[i].Picture);
            Assert.Equal((i, hostile[i].Status), (i, status));
            Assert.Equal(HttpStatusCode.NotFound, (await GetAsync(host, At((i + 1) % Servers, $"hostile-{i}"))).Status);
            Assert.Equal(Good, (await GetAsync(host, At((i + 2) % Servers, "good"))).Bytes);
            (HttpStatusCode thumb, byte[] bytes) = await GetAsync(host, At(i % Servers, "good/thumb"));
            Assert.Equal(HttpStatusCode.OK, thumb);
            Assert.NotEmpty(bytes);
        }

        if (OperatingSystem.IsLinux())
        {
            // Workers have it, so it would be seen.
            Assert.Contains(ChildrenOf(host.ProcessId), static child => MapsOf(child).Contains("libvips"));
            Assert.DoesNotContain("libvips", MapsOf(host.ProcessId));
        }
    }

    private static IEnumerable<(HttpStatusCode Status, byte[] Picture)> Hostile()
    {
        string[] others =
        [
            "",
            "x",
            "<svg xmlns='http://www.w3.org/2000/svg'><image href='/etc/passwd'/></svg>",
            "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n",
            "II*\0\b\0\0\0\0\0",
            "MM\0*\0\0\0\b\0\0",
            "BM6\0\0\0\0\0\0\0",
            "push graphic-context\nviewbox 0 0 1 1\nimage over 0,0 0,0 '/etc/passwd'\npop graphic-context\n",
            "<html><script>alert(1)</script></html>",
            "PK\u0003\u0004",
        ];
        foreach (string other in others)
        {
            yield return (HttpStatusCode.UnsupportedMediaType, Encoding.Latin1.GetBytes(other));
        }

        yield return (HttpStatusCode.UnprocessableEntity, Good[..^8]);
        yield return (HttpStatusCode.UnprocessableEntity, Sized(Good, 6, 16_384, isBig: false));
        byte[] jpeg =
        [
            0xFF,
            0xD8,
            0xFF,
            0xC0,
            0,
            11,
            8,
            0,
            0,
            0,
            0,
            1,
            1,
            0x11,
            0,
            0xFF,
            0xDA,
            0,
            8,
            1,
            1,
            0,
            0,
            63,
            0,
        ];
        yield return (HttpStatusCode.UnprocessableEntity, jpeg);
        yield return (HttpStatusCode.UnprocessableEntity, Sized(jpeg, 7, 65_500, isBig: true));
        yield return (HttpStatusCode.UnprocessableEntity, Sized(jpeg, 7, 64, isBig: true));
    }

    // Both sides.
    private static byte[] Sized(byte[] picture, int at, ushort side, bool isBig)
    {
        byte[] changed = [.. picture];
        for (int i = 0; i < 2; i++)
        {
            Span<byte> one = changed.AsSpan(at + (2 * i));
            BinaryPrimitives.WriteUInt16LittleEndian(one, isBig ? BinaryPrimitives.ReverseEndianness(side) : side);
        }

        return changed;
    }

    private static async Task<HttpStatusCode> PutAsync(HostProcess host, string address, byte[] picture) =>
        (await AskAsync(() => host.Http.PutAsync(address, new ByteArrayContent(picture), Cancel))).Status;

    private static Task<(HttpStatusCode Status, byte[] Bytes)> GetAsync(HostProcess host, string address) =>
        AskAsync(() => host.Http.GetAsync(address, Cancel));

    // On a machine that has no time for it a server says when to come again (503), or that it does not know (504).
    private static async Task<(HttpStatusCode Status, byte[] Bytes)> AskAsync(Func<Task<HttpResponseMessage>> ask)
    {
        for (int i = 0; ; i++)
        {
            using HttpResponseMessage answer = await ask();
            byte[] bytes = await answer.Content.ReadAsByteArrayAsync(Cancel);
            bool isLater =
                answer.StatusCode is HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout
                && i < MostTries;
            if (!isLater)
            {
                return (answer.StatusCode, bytes);
            }

            await Task.Delay(answer.Headers.RetryAfter?.Delta ?? TimeSpan.FromSeconds(1), Cancel);
        }
    }

    private static string[] ChildrenOf(int process) =>
        [
            .. Directory
                .GetDirectories($"/proc/{process}/task")
                .SelectMany(static task =>
                    File.ReadAllText($"{task}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries)
                ),
        ];

    private static string MapsOf(object process) => File.ReadAllText($"/proc/{process}/maps");
}
