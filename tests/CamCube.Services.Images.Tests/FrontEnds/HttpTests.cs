using System.Text;
using CamCube.Services.Images.FrontEnds.Http;
using CamCube.Services.Images.Tests.Service;

namespace CamCube.Services.Images.Tests.FrontEnds;

/// <summary>The image store over HTTP, in front of a fake one.</summary>
public sealed class HttpTests
{
    private static readonly byte[] Picture = TestPicture.Of(1);

    [Fact]
    public async Task A_picture_that_is_posted_has_a_name_of_its_own_and_may_be_kept_for_ever()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        HttpReply posted = await cube.SendAsync("POST", "/images", Picture);
        string name = (string)posted.Json["name"]!;
        Assert.Equal((201, $"/images/{name}", 40), (posted.Status, posted["Location"], name.Length));
        Assert.NotEqual(name, (string)(await cube.SendAsync("POST", "/images", Picture)).Json["name"]!);
        HttpReply got = await cube.SendAsync("GET", $"/images/{name}", null);
        Assert.Equal((200, posted.Tag, "image/jpeg"), (got.Status, got.Tag, got["Content-Type"]));
        Assert.Equal(Picture, got.Body);
        Assert.Equal("public, max-age=31536000, immutable", got["Cache-Control"]);
        Assert.Equal(400, (await cube.SendAsync("PUT", $"/images/{name}", Picture)).Status);
    }

    [Fact]
    public async Task What_strangers_have_put_there_does_nothing_in_a_browser()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        await cube.SendAsync("PUT", "/images/a", Picture, "Content-Type: text/html");
        foreach (string target in (string[])["/images/a", "/images/a/thumb"])
        {
            HttpReply got = await cube.SendAsync("GET", target, null);
            Assert.Equal(("image/jpeg", "nosniff"), (got["Content-Type"], got["X-Content-Type-Options"]));
            Assert.Equal("default-src 'none'; sandbox", got["Content-Security-Policy"]);
            Assert.Equal(("no-cache", "bytes"), (got["Cache-Control"], got["Accept-Ranges"]));
        }

        HttpReply page = await cube.SendAsync("GET", "/", null);
        Assert.Equal((200, "text/html; charset=utf-8"), (page.Status, page["Content-Type"]));
        Assert.Matches("script-src 'sha256-[A-Za-z0-9+/=]{44}'$", page["Content-Security-Policy"]);
        string text = Encoding.UTF8.GetString(page.Body);
        Assert.DoesNotContain(" style=", text);
        Assert.DoesNotContain(" onclick", text);
        Assert.DoesNotContain("http://", text.Replace("http://www.w3.org/2000/svg", "", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Conditions_and_ranges_are_those_of_HTTP()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        HttpReply put = await cube.SendAsync("PUT", "/images/a", Picture, "If-None-Match: *");
        Assert.Equal(201, put.Status);
        Assert.Equal(412, (await cube.SendAsync("PUT", "/images/a", Picture, "If-None-Match: *")).Status);
        Assert.Equal(412, (await cube.SendAsync("PUT", "/images/a", Picture, "If-Match: \"1\"")).Status);
        Assert.Equal(400, (await cube.SendAsync("PUT", "/images/a", Picture, "If-Match: 1")).Status);
        Assert.Equal(1, await cube.AskAsync(s => s.Puts));
        Assert.Equal(304, (await cube.SendAsync("GET", "/images/a", null, $"If-None-Match: {put.Tag}")).Status);
        Assert.Equal(304, (await cube.SendAsync("GET", "/images/a/thumb", null, $"If-None-Match: {put.Tag}")).Status);
        HttpReply part = await cube.SendAsync("GET", "/images/a", null, "Range: bytes=10-19");
        Assert.Equal((206, $"bytes 10-19/{Picture.Length}"), (part.Status, part["Content-Range"]));
        Assert.Equal(Picture[10..20], part.Body);
        Assert.Equal(416, (await cube.SendAsync("GET", "/images/a", null, "Range: bytes=9999-")).Status);
        HttpReply head = await cube.SendAsync("HEAD", "/images/a", null);
        Assert.Equal((200, $"{Picture.Length}", 0), (head.Status, head["Content-Length"], head.Body.Length));
        HttpReply again = await cube.SendAsync("PUT", "/images/a", TestPicture.Of(2), $"If-Match: \"1\", {put.Tag}");
        Assert.Equal(200, again.Status);
        Assert.Equal(412, (await cube.SendAsync("DELETE", "/images/a", null, $"If-Match: {put.Tag}")).Status);
        Assert.Equal(204, (await cube.SendAsync("DELETE", "/images/a", null, $"If-Match: {again.Tag}")).Status);
        Assert.Equal(404, (await cube.SendAsync("DELETE", "/images/a", null)).Status);
        Assert.Equal(404, (await cube.SendAsync("GET", "/images/a", null)).Status);
    }

    [Fact]
    public async Task A_part_of_a_variant_is_sent_as_one_of_an_original()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        HttpReply put = await cube.SendAsync("PUT", "/images/a", Picture);
        HttpReply part = await cube.SendAsync(
            "GET",
            "/images/a/thumb",
            null,
            "Range: bytes=-3",
            $"If-Range: {put.Tag}"
        );
        Assert.Equal((206, "bytes 7-9/10", put.Tag), (part.Status, part["Content-Range"], part.Tag));
        Assert.Equal(Picture[7..10], part.Body);
        HttpReply other = await cube.SendAsync("GET", "/images/a/thumb", null, "Range: bytes=-3", "If-Range: \"1\"");
        Assert.Equal((200, 10), (other.Status, other.Body.Length));
        HttpReply none = await cube.SendAsync("GET", "/images/a/thumb", null, "Range: bytes=10-");
        Assert.Equal((416, "bytes */10"), (none.Status, none["Content-Range"]));
        HttpReply head = await cube.SendAsync("HEAD", "/images/a/thumb", null);
        Assert.Equal((200, "10", 0), (head.Status, head["Content-Length"], head.Body.Length));
    }

    [Theory]
    [InlineData("bytes=abc")]
    [InlineData("bytes=5-2")]
    [InlineData("bytes=0-0,2-3")]
    [InlineData("pages=1-2")]
    [InlineData("bytes=99999999999999999999-")]
    [InlineData("0-5")]
    public async Task A_range_that_is_not_one_of_bytes_asks_for_all(string range)
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        await cube.SendAsync("PUT", "/images/a", Picture);
        foreach ((string target, int length) in new[] { ("/images/a", Picture.Length), ("/images/a/thumb", 10) })
        {
            HttpReply all = await cube.SendAsync("GET", target, null, $"Range: {range}");
            Assert.Equal((200, length), (all.Status, all.Body.Length));
        }
    }

    [Theory]
    [InlineData("GET", "/images/a%2fb", 400)]
    [InlineData("GET", "/images/%ff", 400)]
    [InlineData("GET", "/images/%zz", 400)]
    [InlineData("GET", "/images/%2e%2e", 400)]
    [InlineData("GET", "/images/..", 400)]
    [InlineData("GET", "/images/a?width=10000", 400)]
    [InlineData("GET", "/images/a/b/c", 404)]
    [InlineData("GET", "/other", 404)]
    [InlineData("GET", "/images/a/huge", 404)]
    [InlineData("GET", "/images", 405)]
    [InlineData("PUT", "/images", 405)]
    [InlineData("POST", "/images/a", 405)]
    [InlineData("PATCH", "/images/a", 405)]
    [InlineData("PUT", "/images/a/thumb", 405)]
    [InlineData("POST", "/", 405)]
    public async Task Other_requests_are_refused_in_words(string method, string target, int status)
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        HttpReply refused = await cube.SendAsync(method, target, method == "GET" ? null : Picture);
        Assert.Equal((status, "application/problem+json"), (refused.Status, refused["Content-Type"]));
        Assert.NotEmpty((string)refused.Json["detail"]!);
        Assert.Equal(status == 405, refused["Allow"].Length > 0);
    }

    [Fact]
    public async Task The_picture_that_browsers_ask_for_unasked_is_answered_and_kept()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        foreach (string method in new[] { "GET", "HEAD" })
        {
            HttpReply none = await cube.SendAsync(method, "/favicon.ico", null);
            Assert.Equal((204, "public, max-age=86400"), (none.Status, none["Cache-Control"]));
        }

        HttpReply refused = await cube.SendAsync("PUT", "/favicon.ico", Picture);
        Assert.Equal((405, "GET, HEAD"), (refused.Status, refused["Allow"]));
        Assert.Equal(0, await cube.AskAsync(static s => s.Puts));
    }

    [Theory]
    [InlineData(ImageStatus.UnknownType, 415, "the bytes are no JPEG, PNG, WebP or GIF; nothing was stored.")]
    [InlineData(
        ImageStatus.Undecodable,
        422,
        "the picture cannot be decoded: it is damaged or cut off, or its worker needs more memory or time than it may "
            + "have; nothing was stored."
    )]
    [InlineData(
        ImageStatus.TooManyPixels,
        422,
        "the picture has too many pixels, or too long a side (settings MostPixels and LongestSide of images); nothing "
            + "was stored."
    )]
    [InlineData(
        ImageStatus.TooLarge,
        413,
        "a picture has 200,000 bytes at most (setting MostBytes of images); nothing was stored."
    )]
    [InlineData(ImageStatus.Busy, 503, "too much waits already; nothing was changed, try again.")]
    [InlineData(ImageStatus.Full, 507, "a disk has no room for it; nothing was changed.")]
    [InlineData(
        ImageStatus.Unavailable,
        503,
        "too few of the servers that have this name answer; nothing was done, and nothing will be."
    )]
    [InlineData(
        ImageStatus.Unknown,
        504,
        "whether it was done is not known: it was done once, is done later, or never. The same request again changes "
            + "nothing twice."
    )]
    public async Task How_a_picture_was_refused_is_said(ImageStatus end, int status, string words)
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        await cube.AskAsync(s => s.Ends = end);
        HttpReply refused = await cube.SendAsync("PUT", "/images/a", Picture);
        Assert.Equal(status, refused.Status);
        Assert.Equal($"{words} the picture says so", (string)refused.Json["detail"]!);
        Assert.Equal(status == 503, refused["Retry-After"].Length > 0);
    }

    [Fact]
    public async Task Bodies_that_cannot_be_taken_never_reach_the_store()
    {
        await using HttpCube cube = await HttpCube.StartAsync(new ImagesHttpOptions { BodyMemory = 64 << 10 });
        Assert.Equal(413, (await cube.SendAsync("PUT", "/images/a", new byte[200_001])).Status);
        Assert.Equal(415, (await cube.SendAsync("PUT", "/images/a", Picture, "Content-Encoding: gzip")).Status);
        Assert.Equal(400, (await cube.SendAsync("PUT", "/images/a", Picture, "Content-Range: bytes 0-1/2")).Status);
        HttpReply full = await cube.SendAsync("PUT", "/images/a", TestPicture.Of(1, length: 190_000));
        Assert.Equal((503, "1"), (full.Status, full["Retry-After"]));
        Assert.Equal(0, await cube.AskAsync(s => s.Puts));
        Assert.Equal(201, (await cube.SendAsync("PUT", "/images/a", Picture)).Status);
        await cube.GivenBackAsync();
        await cube.AskAsync(s => s.Ends = ImageStatus.NoWorkers);
        Assert.Equal(501, (await cube.SendAsync("GET", "/images/a/thumb", null)).Status);
    }

    [Fact]
    public async Task What_there_is_of_an_image_is_said_in_JSON()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        await cube.SendAsync("PUT", "/images/h%C3%B6he%20%7B1%7D", Picture);
        HttpReply info = await cube.SendAsync("GET", "/images/h%C3%B6he%20%7B1%7D/info", null);
        Assert.Equal(200, info.Status);
        Assert.Equal(
            ("höhe {1}", "image/jpeg", 640, "3x1x1", "1,0,0", "pending"),
            (
                (string)info.Json["name"]!,
                (string)info.Json["type"]!,
                (int)info.Json["width"]!,
                (string)info.Json["cube"]!,
                (string)info.Json["root"]!,
                (string)info.Json["variants"]![0]!["state"]!
            )
        );
        Assert.Equal(404, (await cube.SendAsync("GET", "/images/b/info", null)).Status);
    }

    [Fact]
    public async Task Where_a_key_is_set_addresses_are_signed_for_what_they_are_and_end()
    {
        string file = Path.Combine(Path.GetTempPath(), $"camcube-key-{Environment.ProcessId}");
        const string Key = "0123456789abcdef0123456789abcdef";
        await File.WriteAllTextAsync(file, $"{Key}\n");
        try
        {
            await using HttpCube cube = await HttpCube.StartAsync(new ImagesHttpOptions { SigningKey = file });
            long end = cube.Clock.GetUtcNow().ToUnixTimeSeconds() + 60;
            string Signed(string method, string path) =>
                $"/{path}?end={end}&signature={ImageSignature.Of(Encoding.UTF8.GetBytes(Key), method, path, end)}";
            Assert.Equal(403, (await cube.SendAsync("PUT", "/images/a", Picture)).Status);
            Assert.Equal(403, (await cube.SendAsync("PUT", Signed("GET", "images/a"), Picture)).Status);
            Assert.Equal(403, (await cube.SendAsync("PUT", Signed("PUT", "images/b")[..^1], Picture)).Status);
            Assert.Equal(201, (await cube.SendAsync("PUT", Signed("PUT", "images/a"), Picture)).Status);
            HttpReply got = await cube.SendAsync("GET", Signed("GET", "images/a"), null);
            Assert.Equal((200, "max-age=60, private"), (got.Status, got["Cache-Control"]));
            Assert.Equal(200, (await cube.SendAsync("HEAD", Signed("GET", "images/a"), null)).Status);
            string thumb = Signed("GET", "images/a/thumb");
            Assert.Equal(200, (await cube.SendAsync("GET", thumb, null)).Status);
            Assert.Equal(403, (await cube.SendAsync("GET", thumb.Replace($"{end}", $"{end + 1}"), null)).Status);
            cube.Clock.Advance(TimeSpan.FromSeconds(61));
            Assert.Equal(403, (await cube.SendAsync("GET", thumb, null)).Status);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
