using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.FrontEnds.Http;
using CamCube.Testing;

namespace CamCube.FrontEnds.Tests;

/// <summary>Bodies both ways between real clients, one Kestrel and the loops of servers: crowds, clients that stop, lie
/// or never read, and ends in the middle.</summary>
public sealed class HttpBodyTests
{
    private const int Large = 10 << 20;
    private static readonly byte[] Bytes = [.. Enumerable.Range(0, Large).Select(at => Blobs.ByteAt(at))];

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Fifty_large_bodies_at_once_stay_within_their_memory_while_others_are_hostile()
    {
        HttpFrontEndOptions options = new() { BodyMemory = 4 << 20, SlowestBody = 0 };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        TcpClient[] hostile =
        [
            await SayAsync(cube, "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc"),
            await SayAsync(
                cube,
                "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n0123456789\r\n"
            ),
            await SayAsync(cube, "PUT /stall HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc"),
            await SayAsync(cube, "GET /made/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            await SayAsync(cube, "GET /lent/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ];
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        Task<long> most = MostTakenAsync(cube, end.Token);
        using HttpClient client = cube.Client(0);
        await Task.WhenAll(
            Enumerable
                .Range(0, 50)
                .Select(async i =>
                {
                    if (i % 2 == 0)
                    {
                        using HttpResponseMessage answer = await client.PutAsync(
                            "/compared",
                            new ByteArrayContent(Bytes),
                            Cancel
                        );
                        Assert.Equal($"{Large}", await answer.Content.ReadAsStringAsync(Cancel));
                    }
                    else
                    {
                        string kind = i % 4 == 1 ? "made" : "lent";
                        byte[] made = await client.GetByteArrayAsync($"/{kind}/{Large}", Cancel);
                        Assert.True(made.AsSpan().SequenceEqual(Bytes));
                    }
                })
        );
        await end.CancelAsync();

        // Who saw that there is room may take what one connection has read.
        Assert.InRange(await most, 1, options.BodyMemory + (55 * ServerPort.ReadAhead));
        Array.ForEach(hostile, one => one.Client.Close(0));
        cube.FrontEnds[0].StallEnds.SetResult();
        await cube.EmptyAsync();
        Assert.Contains(BodyFault.ClientGone, await cube.AskAsync(0, s => s.Faults.ToArray()));
        Assert.Equal([await cube.AskAsync(0, s => s.LoopThread)], await cube.AskAsync(0, s => s.Threads.ToArray()));
        Assert.All(cube.Cube.GetStatus().Servers, one => Assert.All(one.Services, s => Assert.Equal(0, s.Faults)));
    }

    [Fact]
    public async Task A_thousand_clients_that_stop_in_their_bodies_cost_little_and_others_are_served()
    {
        HttpFrontEndOptions options = new() { MaxConnections = 1_100, SlowestBody = 0 };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        List<TcpClient> slow = [];
        for (int i = 0; i < 1_000; i++)
        {
            slow.Add(
                await SayAsync(cube, "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc")
            );
        }

        while (await cube.AskAsync(0, s => s.Stalling) < 1_000)
        {
            await Task.Delay(10, Cancel);
        }

        Assert.Equal(1_000 * BodyBudget.Floor, cube.FrontEnds[0].BodiesTaken);
        using HttpClient client = cube.Client(0);
        using HttpResponseMessage answer = await client.PutAsync("/compared", new ByteArrayContent(Bytes), Cancel);
        Assert.Equal($"{Large}", await answer.Content.ReadAsStringAsync(Cancel));
        slow.ForEach(one => one.Client.Close(0));
        await cube.EmptyAsync();
        Assert.Equal(1_000, await cube.AskAsync(0, s => s.Faults.Count(f => f == BodyFault.ClientGone)));
    }

    [Fact]
    public async Task An_answer_waits_for_no_body_and_the_next_request_of_the_connection_is_read_right()
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions { SlowestBody = 0 });
        using TcpClient client = await SayAsync(
            cube,
            "PUT /early HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\nPUT /where"
        );
        StreamReader answers = new(client.GetStream(), Encoding.ASCII);
        Assert.Equal("HTTP/1.1 409 Conflict", await answers.ReadLineAsync(Cancel));
        await ReadToAsync(answers, "}");

        // The rest of the body, two requests behind it at once, and one whose body is not read either.
        byte[] rest = new byte[300_000 - "PUT /where".Length];
        await client.GetStream().WriteAsync(rest, Cancel);
        const string Where = "GET /where HTTP/1.1\r\nHost: localhost\r\n\r\n";
        const string Early = "PUT /early HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello";
        await client.GetStream().WriteAsync(Ascii(Where + Early + Where), Cancel);
        await ReadToAsync(answers, "HTTP/1.1 200 OK");
        await ReadToAsync(answers, "HTTP/1.1 409 Conflict");
        await ReadToAsync(answers, "HTTP/1.1 200 OK");
    }

    [Fact]
    public async Task Why_a_body_ended_is_told_to_the_service()
    {
        HttpFrontEndOptions options = new()
        {
            MaxBody = 2_000_000,
            SlowestBody = 1e6,
            SlowGrace = TimeSpan.FromSeconds(1.2),
        };
        TestClock clock = new();
        await using BlobCube cube = await BlobCube.StartAsync(options, time: clock);
        using HttpClient client = cube.Client(0);
        using TcpClient gone = await SayAsync(
            cube,
            "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"
        );
        await StalledAsync(cube, 1);
        gone.Client.Shutdown(SocketShutdown.Send);
        Assert.Equal(BodyFault.ClientGone, await NextAsync(cube, 0));
        using TcpClient slow = await SayAsync(
            cube,
            "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"
        );
        Assert.Equal(BodyFault.TooSlow, await NextAsync(cube, 1));
        Assert.StartsWith("HTTP/1.1 408", await new StreamReader(slow.GetStream()).ReadLineAsync(Cancel));
        using HttpRequestMessage put = new(HttpMethod.Put, "/compared") { Content = new ByteArrayContent(Bytes) };
        put.Headers.TransferEncodingChunked = true;
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, (await client.SendAsync(put, Cancel)).StatusCode);
        Assert.Equal(BodyFault.TooLong, await NextAsync(cube, 2));

        // Of an answer: by the front end's own clock, which only goes on now.
        foreach (BodyFault fault in new[] { BodyFault.ClientGone, BodyFault.TooSlow })
        {
            using TcpClient reader = await SayAsync(cube, "GET /made/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            if (fault == BodyFault.ClientGone)
            {
                Assert.True(await reader.GetStream().ReadAsync(new byte[100], Cancel) > 0);
                reader.Client.Close(0);
            }

            while (await cube.AskAsync(0, s => s.Faults.Count) < (fault == BodyFault.ClientGone ? 4 : 5))
            {
                await Task.Delay(10, Cancel);
                clock.Advance(fault == BodyFault.ClientGone ? TimeSpan.Zero : options.SlowGrace);
            }

            Assert.Equal(fault, await cube.AskAsync(0, s => s.Faults[^1]));
        }

        Assert.Equal([BodyFault.ClientGone, BodyFault.TooSlow], await SentAsync(cube, 2));
    }

    [Theory]
    [InlineData("made")]
    [InlineData("lent")]
    public async Task A_port_that_closes_ends_the_bodies_and_says_so(string kind)
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions { SlowestBody = 0 });
        using TcpClient up = await SayAsync(
            cube,
            "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"
        );
        using TcpClient down = await SayAsync(cube, $"GET /{kind}/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await StalledAsync(cube, 1);
        while (await cube.AskAsync(0, s => s.Made) == 0)
        {
            await Task.Delay(10, Cancel);
        }

        await cube.FrontEnds[0].StopAsync().AsTask().WaitAsync(BlobCube.Generous, Cancel);
        BodyFault[] faults = [await NextAsync(cube, 0), await NextAsync(cube, 1)];
        Assert.Equal([BodyFault.ServerStopping, BodyFault.ServerStopping], faults);
    }

    [Theory]
    [InlineData("made")]
    [InlineData("lent")]
    public async Task A_server_that_stops_in_the_middle_keeps_no_client_and_no_memory(string kind)
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions { SlowestBody = 0 });
        using TcpClient up = await SayAsync(
            cube,
            "PUT /compared HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"
        );
        using TcpClient down = await SayAsync(cube, $"GET /{kind}/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await StalledAsync(cube, 1);
        await cube.Cube.StopServerAsync(0);
        using HttpClient client = cube.Client(0);
        Assert.Equal(
            HttpStatusCode.ServiceUnavailable,
            (await client.PutAsync("/compared", new ByteArrayContent(Bytes), Cancel)).StatusCode
        );
        Assert.Equal(HttpStatusCode.ServiceUnavailable, (await client.GetAsync($"/{kind}/5", Cancel)).StatusCode);
        await up.GetStream().WriteAsync(new byte[997], Cancel);
        down.Client.Close(0);
        await cube.EmptyAsync();
        using HttpClient other = cube.Client(1);
        Assert.Equal("1,0,0", await other.GetStringAsync("/where", Cancel));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000_000)]
    public async Task An_answer_that_the_service_gives_up_never_looks_whole(int length)
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions { BodyWindow = 8192 });
        using HttpClient client = cube.Client(0);
        if (length == 0)
        {
            using HttpResponseMessage answer = await client.GetAsync("/given-up/0", Cancel);
            Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
            Assert.Null(answer.Headers.ETag);
        }
        else
        {
            await Assert.ThrowsAnyAsync<HttpRequestException>(() =>
                client.GetStringAsync($"/given-up/{length}", Cancel)
            );
        }

        Assert.Equal([BodyFault.ServiceAborted], await SentAsync(cube, 1));
        await cube.EmptyAsync();
    }

    [Theory]
    [InlineData(16 << 10)]
    [InlineData(256 << 10)]
    public async Task A_piece_costs_the_loop_no_allocation(int window)
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions { BodyWindow = window });
        using HttpClient client = cube.Client(0);

        // Blocks are made as long as more of them are on their way than ever before.
        Assert.True(await ComesToNothingAsync(() => client.PutAsync("/compared", new ByteArrayContent(Bytes), Cancel)));
        Assert.True(await ComesToNothingAsync(() => client.GetByteArrayAsync($"/made/{Large}", Cancel)));
        Assert.True(await ComesToNothingAsync(() => client.GetByteArrayAsync($"/lent/{Large}", Cancel)));

        async Task<bool> ComesToNothingAsync(Func<Task> ask)
        {
            for (int round = 0; round < 30; round++)
            {
                await ask();
                if (await cube.AskAsync(0, s => s.TakeAllocated()) == 0)
                {
                    return true;
                }
            }

            return false;
        }
    }

    [Fact]
    public async Task Curl_sends_and_gets_bodies()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/curl"), "needs curl");
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions());
        string file = Path.GetTempFileName();
        await File.WriteAllBytesAsync(file, Bytes, Cancel);
        string url = $"http://{cube.FrontEnds[0].LocalEndpoint}";
        Assert.Equal($"{Large}", await CurlAsync($"-T {file} {url}/compared"));
        Assert.Equal($"{Large}", await CurlAsync($"-H Transfer-Encoding:chunked -T {file} {url}/compared"));
        Assert.Equal("409", await CurlAsync($"-o /dev/null -w %{{http_code}} -T {file} {url}/early"));
        Assert.Equal("200", await CurlAsync($"-o {file} -w %{{http_code}} {url}/made/{Large}"));
        byte[] whole = await File.ReadAllBytesAsync(file, Cancel);
        Assert.True(whole.AsSpan().SequenceEqual(Bytes));
        foreach (string kind in new[] { "made", "lent" })
        {
            Assert.Equal("206", await CurlAsync($"-r 100-199 -o {file} -w %{{http_code}} {url}/{kind}/{Large}"));
            byte[] part = await File.ReadAllBytesAsync(file, Cancel);
            Assert.Equal(Bytes[100..200], part);
        }

        File.Delete(file);
    }

    private static async Task<string> CurlAsync(string arguments)
    {
        using var curl = Process.Start(
            new ProcessStartInfo("/usr/bin/curl", $"-s --noproxy * --max-time 60 {arguments}")
            {
                RedirectStandardOutput = true,
            }
        )!;
        string said = await curl.StandardOutput.ReadToEndAsync(Cancel);
        await curl.WaitForExitAsync(Cancel);
        return said;
    }

    private static async Task<TcpClient> SayAsync(BlobCube cube, string words)
    {
        TcpClient client = new() { ReceiveBufferSize = 4096 };
        await client.ConnectAsync(cube.FrontEnds[0].LocalEndpoint!, Cancel);
        await client.GetStream().WriteAsync(Ascii(words), Cancel);
        return client;
    }

    private static async Task StalledAsync(BlobCube cube, int bodies)
    {
        while (await cube.AskAsync(0, s => s.Stalling) < bodies)
        {
            await Task.Delay(10, Cancel);
        }
    }

    private static async Task<BodyFault> NextAsync(BlobCube cube, int at)
    {
        while (await cube.AskAsync(0, s => s.Faults.Count) <= at)
        {
            await Task.Delay(10, Cancel);
        }

        return await cube.AskAsync(0, s => s.Faults[at]);
    }

    // A client has its answer before the handler learns that it was sent.
    private static async Task<BodyFault[]> SentAsync(BlobCube cube, int count)
    {
        while (cube.FrontEnds[0].Sent.Count < count)
        {
            await Task.Delay(5, Cancel);
        }

        return [.. cube.FrontEnds[0].Sent];
    }

    private static async Task<long> MostTakenAsync(BlobCube cube, CancellationToken end)
    {
        long most = 0;
        while (!end.IsCancellationRequested)
        {
            most = Math.Max(most, cube.FrontEnds[0].BodiesTaken);
            await Task.Delay(1, CancellationToken.None);
        }

        return most;
    }

    private static async Task ReadToAsync(StreamReader answers, string words)
    {
        StringBuilder read = new();
        char[] next = new char[1];
        while (!read.ToString().EndsWith(words, StringComparison.Ordinal))
        {
            Assert.True(await answers.ReadAsync(next, Cancel) > 0, $"no '{words}' in: {read}");
            read.Append(next[0]);
        }
    }

    private static byte[] Ascii(string text) => Encoding.ASCII.GetBytes(text);
}
