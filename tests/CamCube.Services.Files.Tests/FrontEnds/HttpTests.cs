using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;

namespace CamCube.Services.Files.Tests.FrontEnds;

/// <summary>The file store over HTTP: what clients send, and what they are told.</summary>
public sealed class HttpTests
{
    private const string Uploaded = "/files/a%20b/%C3%BC.bin";

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_file_comes_back_whole_in_parts_and_under_conditions()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        byte[] bytes = RandomNumberGenerator.GetBytes(1_000_000);
        HttpReply put = await cube.SendAsync("PUT", "/files/a%20b/%c3%bc.bin", bytes, "Content-Type: x/y");
        Assert.Equal((201, "/a b/ü.bin"), (put.Status, (string?)put.Json["path"]));
        string sum = Convert.ToHexStringLower(SHA256.HashData(bytes));
        Assert.Equal((sum, 1_000_000), ((string?)put.Json["sha256"], (int?)put.Json["bytes"]));
        string tag = $"\"{put.Json["version"]}\"";
        Assert.Equal(tag, put["ETag"]);

        HttpReply got = await cube.SendAsync("GET", Uploaded, null);
        Assert.Equal((200, "x/y", tag), (got.Status, got["Content-Type"], got["ETag"]));
        Assert.Equal(bytes, got.Body);
        Assert.Equal($"sha-256=:{Convert.ToBase64String(SHA256.HashData(bytes))}:", got["Repr-Digest"]);
        Assert.Contains("sandbox", got["Content-Security-Policy"], StringComparison.Ordinal);
        HttpReply part = await cube.SendAsync("GET", Uploaded, null, "Range: bytes=130000-270000");
        Assert.Equal((206, 140_001), (part.Status, part.Body.Length));
        Assert.Equal(bytes[130_000..270_001], part.Body);
        HttpReply last = await cube.SendAsync("GET", Uploaded, null, "Range: bytes=-5");
        Assert.Equal(bytes[^5..], last.Body);
        Assert.Equal(416, (await cube.SendAsync("GET", Uploaded, null, "Range: bytes=1000000-")).Status);
        Assert.Equal(304, (await cube.SendAsync("GET", Uploaded, null, $"If-None-Match: {tag}")).Status);
        HttpReply head = await cube.SendAsync("HEAD", Uploaded, null);
        Assert.Equal((200, "1000000", 0), (head.Status, head["Content-Length"], head.Body.Length));

        Assert.Equal(412, (await cube.SendAsync("PUT", Uploaded, bytes, "If-None-Match: *")).Status);
        Assert.Equal(412, (await cube.SendAsync("DELETE", Uploaded, null, "If-Match: \"99\"")).Status);
        Assert.Equal(412, (await cube.SendAsync("DELETE", "/files/none", null, "If-Match: *")).Status);
        Assert.Equal(400, (await cube.SendAsync("DELETE", Uploaded, null, "If-Match: rubbish")).Status);
        Assert.Equal(201, (await cube.SendAsync("PUT", "/files/other", [1], "If-None-Match: *")).Status);
        HttpReply other = await cube.SendAsync("HEAD", "/files/other", null);
        Assert.Equal(204, (await cube.SendAsync("DELETE", "/files/other", null, $"If-Match: {other["ETag"]}")).Status);
        Assert.Equal(201, (await cube.SendAsync("PUT", Uploaded, bytes)).Status);
        Assert.Equal(409, (await cube.SendAsync("PUT", Uploaded, [1])).Status);
        Assert.Equal(201, (await cube.SendAsync("PUT", "/files/empty", [])).Status);
        Assert.Equal((200, 0), await StatusAndLengthAsync(cube, "/files/empty"));
        Assert.Equal(204, (await cube.SendAsync("DELETE", "/files/empty", null)).Status);
        Assert.Equal(404, (await cube.SendAsync("DELETE", "/files/empty", null)).Status);
    }

    [Fact]
    public async Task Directories_are_made_listed_in_parts_described_and_deleted()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        Assert.Equal(201, (await cube.SendAsync("PUT", "/files/d/e/", null)).Status);
        Assert.Equal(201, (await cube.SendAsync("PUT", "/files/d/e/", [])).Status);
        Assert.Equal(400, (await cube.SendAsync("PUT", "/files/d/e/", [1])).Status);
        for (int i = 0; i < 25; i++)
        {
            Assert.Equal(201, (await cube.SendAsync("PUT", $"/files/d/f{i}", [(byte)i])).Status);
        }

        HashSet<string> names = [];
        string query = "?limit=7";
        for (int pages = 0; ; pages++)
        {
            HttpReply page = await cube.SendAsync("GET", "/files/d" + query, null);
            Assert.Equal(200, page.Status);
            names.UnionWith(page.Json["entries"]!.AsArray().Select(static one => (string)one!["name"]!));
            if (page.Json["next"] is not JsonNode next)
            {
                Assert.InRange(pages, 2, 30);
                break;
            }

            query = $"?limit=7&cursor={next}";
        }

        Assert.Equal(26, names.Count);
        HttpReply facts = await cube.SendAsync("GET", "/files/d/f3?facts", null);
        Assert.Equal(("file", 1, 1), ((string?)facts.Json["type"], (int?)facts.Json["bytes"], Chunks(facts)));
        Assert.Single(facts.Json["chunkList"]![0]!["servers"]!.AsArray());
        Assert.Equal("directory", (string?)(await cube.SendAsync("GET", "/files/d/?facts", null)).Json["type"]);
        Assert.Equal("/", (string?)(await cube.SendAsync("GET", "/files", null)).Json["path"]);

        Assert.Equal(409, (await cube.SendAsync("DELETE", "/files/d", null)).Status);
        Assert.Equal(409, (await cube.SendAsync("PUT", "/files/d", [1])).Status);
        Assert.Equal(409, (await cube.SendAsync("GET", "/files/d/f3/", null)).Status);
        Assert.Equal(409, (await cube.SendAsync("PUT", "/files/d/f3/below", [1])).Status);
        Assert.Equal(204, (await cube.SendAsync("DELETE", "/files/d?recursive", null)).Status);
        Assert.Empty((await cube.SendAsync("GET", "/files/", null)).Json["entries"]!.AsArray());
    }

    [Fact]
    public async Task What_is_no_request_is_refused_in_words()
    {
        (string Method, string Target, int Status)[] all =
        [
            ("GET", "/", 404),
            ("GET", "/other/a", 404),
            ("GET", "/files/a%2Fb", 400),
            ("GET", "/files/a%2", 400),
            ("GET", "/files/%ff", 400),
            ("GET", "/files/..", 400),
            ("GET", "/files/%2e%2e/a", 400),
            ("GET", "/files/a//b", 400),
            ("GET", "/files//", 400),
            ("GET", "/files/?limit=0", 400),
            ("GET", "/files/?limit=1001", 400),
            ("GET", "/files/?cursor=rubbish", 400),
            ("GET", "/files/?rubbish=1", 400),
            ("DELETE", "/files/", 400),
            ("DELETE", "/files/?recursive", 400),
            ("PUT", "/files/.camdoop/job_1764420000000_0001/job", 403),
            ("PUT", "/files/%2ecamdoop/", 403),
            ("DELETE", "/files/.camdoop?recursive", 403),
            ("PATCH", "/files/a", 405),
            ("POST", "/files/", 405),
        ];
        await using HttpCube cube = await HttpCube.StartAsync();
        foreach ((string method, string target, int status) in all)
        {
            HttpReply reply = await cube.SendAsync(method, target, null);
            Assert.True(status == reply.Status, $"{method} {target}: {reply.Status}");
            Assert.True(((string?)reply.Json["detail"])!.Length > 10);
        }

        // This one the web server refuses by itself.
        Assert.Equal(400, (await cube.SendAsync("GET", "/files/%00", null)).Status);
    }

    [Fact]
    public async Task Bodies_that_are_too_long_encoded_or_parts_are_refused()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        Assert.Equal(413, (await cube.SendAsync("PUT", "/files/a", new byte[(8 << 20) + 1])).Status);
        Assert.Equal(415, (await cube.SendAsync("PUT", "/files/a", [1], "Content-Encoding: gzip")).Status);
        Assert.Equal(400, (await cube.SendAsync("PUT", "/files/a", [1], "Content-Range: bytes 0-0/2")).Status);
        string type = "x/" + new string('y', 200);
        Assert.Equal(400, (await cube.SendAsync("PUT", "/files/a", [1], $"Content-Type: {type}")).Status);

        // One that does not say how long it is.
        using HttpClient client = cube.Client();
        using HttpRequestMessage request = new(HttpMethod.Put, cube.At("/files/a"));
        request.Content = new StreamContent(new MemoryStream(new byte[(8 << 20) + 1]));
        request.Headers.TransferEncodingChunked = true;
        using HttpResponseMessage answer = await client.SendAsync(request, Cancel);
        Assert.Equal(413, (int)answer.StatusCode);
        Assert.Equal(404, (await cube.SendAsync("GET", "/files/a", null)).Status);
    }

    // Many break off in the middle, beside some that do not.
    [Fact]
    public async Task Who_breaks_off_leaves_nothing_and_disturbs_nobody()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        byte[] bytes = RandomNumberGenerator.GetBytes(300_000);
        Task[] all =
        [
            .. Enumerable
                .Range(0, 60)
                .Select(async i =>
                {
                    if (i % 3 == 0)
                    {
                        Assert.Equal(201, (await cube.SendAsync("PUT", $"/files/crowd/{i}", bytes)).Status);
                        Assert.Equal(bytes, (await cube.SendAsync("GET", $"/files/crowd/{i}", null)).Body);
                        return;
                    }

                    using TcpClient client = new();
                    await client.ConnectAsync(cube.FrontEnd.LocalEndpoint!, Cancel);
                    byte[] head = Encoding.ASCII.GetBytes(
                        $"PUT /files/crowd/{i} HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"
                    );
                    await client.GetStream().WriteAsync(head, Cancel);
                    await client.GetStream().WriteAsync(bytes.AsMemory(0, i * 1_000), Cancel);
                }),
        ];
        await Task.WhenAll(all);
        JsonArray entries = (await cube.SendAsync("GET", "/files/crowd", null)).Json["entries"]!.AsArray();
        Assert.Equal(20, entries.Count);
        Assert.All(entries, static one => Assert.Equal(300_000, (int?)one!["bytes"]));
        for (int i = 0; cube.FrontEnd.BodiesTaken > 0; i++)
        {
            Assert.True(i < 3_000, "bodies are still held");
            await Task.Delay(20, Cancel);
        }
    }

    private static int Chunks(HttpReply facts) => facts.Json["chunkList"]!.AsArray().Count;

    private static async Task<(int, int)> StatusAndLengthAsync(HttpCube cube, string target)
    {
        HttpReply reply = await cube.SendAsync("GET", target, null);
        return (reply.Status, reply.Body.Length);
    }
}
