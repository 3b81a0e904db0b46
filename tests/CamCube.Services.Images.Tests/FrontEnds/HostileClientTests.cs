using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Services.Images.FrontEnds.Http;
using CamCube.Services.Images.Tests.Service;

namespace CamCube.Services.Images.Tests.FrontEnds;

/// <summary>Clients that do not mean well: they stop, they leave, they lie. Others are served meanwhile, nothing
/// reaches the store, and no memory stays taken.</summary>
public sealed class HostileClientTests
{
    private const int Crowd = 1_000;
    private static readonly byte[] Picture = TestPicture.Of(1, length: 100_000);

    // A picture's beginning, and what its client does then.
    private static readonly string[] Begun =
    [
        "PUT /images/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
        "POST /images HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n8000\r\n",
        "PUT /images/slow HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 200000\r\n\r\n",
    ];

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    private static ImagesHttpOptions Options =>
        new() { MaxConnections = Crowd + 100, SlowGrace = TimeSpan.FromSeconds(1.2) };

    [Fact]
    public async Task A_thousand_that_stop_in_their_pictures_are_given_up_and_others_are_served()
    {
        await using HttpCube cube = await HttpCube.StartAsync(Options);
        List<TcpClient> slow = [];
        for (int i = 0; i < Crowd; i++)
        {
            slow.Add(await SayAsync(cube, Begun[i % Begun.Length], i % 5_000));
        }

        Assert.Equal(201, (await cube.SendAsync("PUT", "/images/good", Picture)).Status);
        Assert.Equal(Picture, (await cube.SendAsync("GET", "/images/good", null)).Body);
        string[] answers = await Task.WhenAll(slow.Select(AnswerAsync));
        Assert.All(answers, answer => Assert.StartsWith("HTTP/1.1 408 ", answer));
        slow.ForEach(one => one.Dispose());
        Assert.Equal(1, await cube.AskAsync(s => s.Puts));
        await cube.GivenBackAsync();
    }

    [Fact]
    public async Task A_thousand_that_leave_in_their_pictures_leave_nothing_and_others_are_served()
    {
        await using HttpCube cube = await HttpCube.StartAsync(
            new ImagesHttpOptions { MaxConnections = Crowd + 100, SlowestBody = 0 }
        );
        List<TcpClient> leaving = [];
        for (int i = 0; i < Crowd; i++)
        {
            leaving.Add(await SayAsync(cube, Begun[i % Begun.Length], i));
        }

        for (int i = 0; i < Crowd; i++)
        {
            // By turns in order, and with a reset.
            leaving[i].LingerState = new LingerOption(i % 2 == 0, 0);
            leaving[i].Dispose();
        }

        Assert.Equal(201, (await cube.SendAsync("PUT", "/images/good", Picture)).Status);
        Assert.Equal(Picture, (await cube.SendAsync("GET", "/images/good", null)).Body);
        await cube.GivenBackAsync();

        Assert.Equal(1, await cube.AskAsync(s => s.Puts));
        Assert.Equal(404, (await cube.SendAsync("GET", "/images/slow", null)).Status);
    }

    [Theory]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Length: -3\r\n\r\nabc", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Length: three\r\n\r\nabc", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nabc", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Length: 2147483648\r\n\r\nabc", 413)]
    [InlineData("PUT /images/a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 501)]
    [InlineData("PUT /images/a HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", 415)]
    [InlineData("PUT /images/a%00b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 400)]
    [InlineData("PUT /images/a%0ab HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 400)]
    [InlineData("PUT /images/%c3%28 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 400)]
    [InlineData("PUT /images/../a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 400)]
    [InlineData("PUT /images/a HTTP/1.1\r\nIf-Match: *, \"1\"\r\nContent-Length: 3\r\n\r\nabc", 412)]
    public async Task A_picture_that_is_sent_wrongly_is_refused_and_its_server_goes_on(string request, int status)
    {
        await using HttpCube cube = await HttpCube.StartAsync(Options);
        using TcpClient client = await SayAsync(cube, Named(request), 0);
        Assert.StartsWith($"HTTP/1.1 {status} ", await AnswerAsync(client));
        Assert.Equal(0, await cube.AskAsync(s => s.Puts));
        Assert.Equal(201, (await cube.SendAsync("PUT", "/images/good", Picture)).Status);
    }

    [Fact]
    public async Task A_picture_that_may_not_be_put_is_refused_before_it_is_sent()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        Assert.Equal(201, (await cube.SendAsync("PUT", "/images/a", Picture)).Status);
        (string Head, int Status)[] refused =
        [
            ("If-None-Match: *\r\nContent-Length: 100000", 412),
            ("If-Match: \"1\"\r\nContent-Length: 100000", 412),
            ("Content-Length: 200001", 413),
            ("Content-Encoding: br\r\nContent-Length: 100000", 415),
        ];
        foreach ((string head, int status) in refused)
        {
            string request = $"PUT /images/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n{head}\r\n\r\n";
            using TcpClient client = await SayAsync(cube, request, 0);
            Assert.StartsWith($"HTTP/1.1 {status} ", await AnswerAsync(client));
        }

        Assert.Equal(1, await cube.AskAsync(s => s.Puts));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Content-Length: 0\r\n")]
    [InlineData("Transfer-Encoding: chunked\r\n")]
    public async Task A_request_without_a_picture_is_one_of_no_bytes(string length)
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        await cube.AskAsync(s => s.Ends = ImageStatus.UnknownType);
        string end = length.StartsWith('T') ? "0\r\n\r\n" : "";
        using TcpClient client = await SayAsync(
            cube,
            $"PUT /images/a HTTP/1.1\r\nHost: localhost\r\n{length}\r\n{end}",
            0
        );
        Assert.StartsWith("HTTP/1.1 415 ", await AnswerAsync(client));
        Assert.Equal(1, await cube.AskAsync(s => s.Puts));
        Assert.Equal(0, await cube.AskAsync(s => s.Longest));
    }

    [Fact]
    public async Task A_name_of_201_bytes_is_refused_and_one_of_200_is_not()
    {
        await using HttpCube cube = await HttpCube.StartAsync();
        Assert.Equal(201, (await cube.SendAsync("PUT", "/images/" + new string('a', 200), Picture)).Status);
        Assert.Equal(400, (await cube.SendAsync("PUT", "/images/" + new string('a', 201), Picture)).Status);
    }

    private static string Named(string request) =>
        request.Insert(request.IndexOf('\n', StringComparison.Ordinal) + 1, "Host: localhost\r\n");

    private static async Task<TcpClient> SayAsync(HttpCube cube, string head, int bytes)
    {
        TcpClient client = new();
        await client.ConnectAsync((IPEndPoint)cube.FrontEnd.LocalEndpoint!, Cancel);
        NetworkStream stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(head), Cancel);
        await stream.WriteAsync(Picture.AsMemory(0, bytes), Cancel);
        return client;
    }

    private static async Task<string> AnswerAsync(TcpClient client)
    {
        byte[] answer = new byte[4_096];
        int read = await client.GetStream().ReadAsync(answer, Cancel);
        return Encoding.ASCII.GetString(answer, 0, read);
    }
}
