using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>Keys of all bytes and lengths in the request line, and what is none.</summary>
public sealed class KeyValueKeyTests
{
    public static readonly TheoryData<string, string> Keys = new()
    {
        { "/kv/a", "61" },
        { "/kv/a/b", "612F62" },
        { "/kv/a%2Fb", "612F62" },
        { "/kv/%2F", "2F" },
        { "/kv/{}", "7B7D" },
        { "/kv/%7Ba", "7B61" },
        { "/kv/{a", "7B61" },
        { "/kv/%FF%FE", "FFFE" },
        { "/kv/%C3%BC", "C3BC" },
        { "/kv/a+b%20c", "612B622063" },
        { "/kv/%25", "25" },
        { "/kv/%3F%26%3d", "3F263D" },
        { "/kv/a//b", "612F2F62" },
        { "/kv/a/", "612F" },
        { "/kv/?key=%00a%00", "006100" },
        { "/kv/?key=..", "2E2E" },
        { "/kv/?key=a/b&table=2", "612F62" },
    };

    [Theory]
    [MemberData(nameof(Keys))]
    public async Task A_key_is_the_bytes_of_the_path_that_were_sent(string target, string key)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        Assert.Equal(204, (await cube.PutAsync(target, target)).Status);
        Assert.Equal(key, Convert.ToHexString(await cube.AskAsync(s => s.LastKey)));
        Assert.Equal(target, (await cube.GetAsync(target)).Text);
    }

    [Theory]
    [InlineData("/kv/", "a key has 1 to 65,535 bytes; this one has 0.")]
    [InlineData("/kv/?key=", "a key has 1 to 65,535 bytes; this one has 0.")]
    [InlineData("/kv/%", "two hexadecimal digits follow a percent sign; the sign itself is %25.")]
    [InlineData("/kv/a%2", "two hexadecimal digits follow a percent sign; the sign itself is %25.")]
    [InlineData("/kv/%zz", "two hexadecimal digits follow a percent sign; the sign itself is %25.")]
    public async Task What_is_no_key_is_refused_in_words(string target, string detail)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply reply = await cube.PutAsync(target, "1");
        Assert.Equal((400, detail), (reply.Status, reply.Detail));
        Assert.Equal(0, await cube.AskAsync(s => s.Puts));
    }

    [Fact]
    public async Task The_longest_key_fits_in_any_spelling_and_one_byte_more_does_not()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        string plain = new('k', 65_535),
            encoded = string.Concat(Enumerable.Repeat("%FF", 65_535));
        Assert.Equal(204, (await cube.PutAsync($"/kv/{plain}", "plain")).Status);
        Assert.Equal(204, (await cube.PutAsync($"/kv/{encoded}", "encoded")).Status);
        Assert.Equal("plain", (await cube.GetAsync($"/kv/?key={plain}")).Text);
        Assert.Equal("encoded", (await cube.GetAsync($"/kv/{encoded}")).Text);
        StoreReply longer = await cube.PutAsync($"/kv/{plain}k", "1");
        Assert.Equal((400, "a key has 1 to 65,535 bytes; this one has 65,536."), (longer.Status, longer.Detail));
        Assert.Equal(400, (await cube.PutAsync($"/kv/{encoded}%FF", "1")).Status);
        Assert.Equal(2, await cube.AskAsync(s => s.Keys));
    }

    [Theory]
    [InlineData("GET /kv/%00 HTTP/1.1", "400")]
    [InlineData("GET /kv/a\0b HTTP/1.1", "400")]
    [InlineData("GET /kv/\u00FF HTTP/1.1", "400")]
    [InlineData("GET http://localhost/kv/a%2Fb HTTP/1.1", "404")]
    [InlineData("GET /kv/../x HTTP/1.1", "404")]
    [InlineData("GET * HTTP/1.1", "405")]
    [InlineData("OPTIONS * HTTP/1.1", "404")]
    [InlineData("GET kv/a HTTP/1.1", "400")]
    [InlineData("GET long HTTP/1.1", "414")]
    public async Task Lines_that_no_client_sends_are_answered_too(string line, string status)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        string target = line.Replace(" long ", $" /kv/{new string('a', 300_000)} ", StringComparison.Ordinal);
        Assert.Equal(status, await RawAsync(cube, $"{target}\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        Assert.Equal(404, (await cube.GetAsync("/kv/a")).Status);
    }

    private static async Task<string> RawAsync(StoreCube cube, string text)
    {
        using TcpClient client = new();
        await client.ConnectAsync(cube.FrontEnd.LocalEndpoint!, TestContext.Current.CancellationToken);
        NetworkStream stream = client.GetStream();
        string answer = "";
        try
        {
            await stream.WriteAsync(Encoding.Latin1.GetBytes(text), TestContext.Current.CancellationToken);
            using StreamReader reader = new(stream, Encoding.ASCII);
            answer = await reader.ReadLineAsync().WaitAsync(StoreCube.Generous) ?? "";
        }
        catch (IOException)
        {
            // It was closed before all was sent.
        }

        return answer.Split(' ') is [_, var status, ..] ? status : "closed";
    }
}
