using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Services.KeyValue.FrontEnds.Http;

namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>Bodies that are too long, stop, lie, or come slowly; clients that go away; little memory.</summary>
public sealed class KeyValueAbuseTests
{
    private const string Begun = "PUT /kv/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nabc";

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_value_that_is_too_long_is_refused_before_all_of_it_has_come()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        string refused = await RawAsync(
            cube,
            "PUT /kv/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741825\r\nExpect: 100-continue\r\n\r\n"
        );
        Assert.StartsWith("HTTP/1.1 413 ", refused, StringComparison.Ordinal);
        StoreReply longer = await cube.SendAsync("PUT", "/kv/a", new byte[FakeStore.Longest + 1]);
        Assert.Equal(
            (413, "a value has 1,048,576 bytes at most; nothing was changed."),
            (longer.Status, longer.Detail)
        );
        using HttpClient client = cube.Client();
        using HttpRequestMessage chunked = new(HttpMethod.Put, "/kv/a")
        {
            Content = new StreamContent(new MemoryStream(new byte[FakeStore.Longest + 1])),
        };
        chunked.Headers.TransferEncodingChunked = true;
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, (await client.SendAsync(chunked, Cancel)).StatusCode);
        Assert.Equal(0, await cube.AskAsync(s => s.Puts));
        await cube.GivenBackAsync();
    }

    [Theory]
    [InlineData("Content-Length: 100000\r\n\r\nabc")]
    [InlineData("Content-Length: -1\r\n\r\nabc")]
    [InlineData("Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc")]
    [InlineData("Content-Length: 99999999999999999999\r\n\r\nabc")]
    [InlineData("Transfer-Encoding: chunked\r\n\r\n5\r\nabc")]
    [InlineData("Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nabc")]
    [InlineData("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")]
    [InlineData("Transfer-Encoding: gzip\r\n\r\nabc")]
    [InlineData("Transfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")]
    [InlineData("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")]
    public async Task Of_a_body_that_stops_or_lies_nothing_is_seen(string rest)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.PutAsync("/kv/a", "before");
        using (TcpClient client = new())
        {
            await client.ConnectAsync(cube.FrontEnd.LocalEndpoint!, Cancel);
            NetworkStream stream = client.GetStream();
            await stream.WriteAsync(Ascii($"PUT /kv/a HTTP/1.1\r\nHost: localhost\r\n{rest}"), Cancel);
            client.Client.Shutdown(SocketShutdown.Send);
            byte[] answer = new byte[4_096];
            int count = 0;
            try
            {
                count = await stream.ReadAsync(answer, Cancel).AsTask().WaitAsync(StoreCube.Generous, Cancel);
            }
            catch (IOException)
            {
                // Nobody is told anything over a connection that is broken off.
            }

            Assert.DoesNotContain(" 20", Encoding.ASCII.GetString(answer, 0, Math.Min(count, 12)));
        }

        Assert.Equal("before", (await cube.GetAsync("/kv/a")).Text);
        Assert.Equal(1, await cube.AskAsync(s => s.Puts));
    }

    [Fact]
    public async Task A_crowd_that_sends_slowly_takes_what_it_has_sent_and_is_given_up()
    {
        const int crowd = 2_000;
        KeyValueHttpOptions options = new()
        {
            SlowestBody = 1_000,
            SlowGrace = TimeSpan.FromSeconds(1.5),
            MaxConnections = crowd + 100,
        };
        await using StoreCube cube = await StoreCube.StartAsync(options);
        TcpClient[] slow = [.. Enumerable.Range(0, crowd).Select(_ => new TcpClient())];
        foreach (TcpClient one in slow)
        {
            await one.ConnectAsync(cube.FrontEnd.LocalEndpoint!, Cancel);
            await one.GetStream()
                .WriteAsync(
                    Ascii("PUT /kv/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc"),
                    Cancel
                );
        }

        for (int i = 0; i < 50; i++)
        {
            Assert.Equal(204, (await cube.PutAsync($"/kv/{i}", $"{i}")).Status);
            Assert.Equal($"{i}", (await cube.GetAsync($"/kv/{i}")).Text);
        }

        // A floor each, and one for each request above: a client has its answer before its body is given back.
        Assert.InRange(cube.FrontEnd.BodiesTaken, 0, (crowd + 100) * 4_096L);
        byte[] answer = new byte[12];
        foreach (TcpClient one in slow)
        {
            await one.GetStream().ReadExactlyAsync(answer, Cancel).AsTask().WaitAsync(StoreCube.Generous, Cancel);
            Assert.Equal("HTTP/1.1 408", Encoding.ASCII.GetString(answer));
            one.Dispose();
        }

        Assert.Equal(404, (await cube.GetAsync("/kv/slow")).Status);
        await cube.GivenBackAsync();
    }

    [Fact]
    public async Task Clients_in_the_middle_of_their_bodies_are_cut_off_with_the_port_and_nobody_is_to_blame()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        TcpClient[] clients = [.. Enumerable.Range(0, 40).Select(_ => new TcpClient())];
        foreach (TcpClient one in clients)
        {
            await one.ConnectAsync(cube.FrontEnd.LocalEndpoint!, Cancel);
            await one.GetStream().WriteAsync(Ascii(Begun), Cancel);
        }

        while (cube.FrontEnd.BodiesTaken < 40 * 4_096)
        {
            await Task.Delay(5, Cancel);
        }

        for (int i = 0; i < 10; i++)
        {
            clients[i].Client.Close(i % 2 == 0 ? 0 : -1);
        }

        await cube.FrontEnd.StopAsync();
        Assert.Equal(0, await cube.AskAsync(s => s.Puts));
        foreach (TcpClient one in clients)
        {
            one.Dispose();
        }
    }

    [Fact]
    public async Task Without_room_for_a_body_the_request_is_refused_and_the_next_one_is_served()
    {
        KeyValueHttpOptions options = new() { BodyMemory = 40_000 };
        await using StoreCube cube = await StoreCube.StartAsync(options);
        StoreReply put = await cube.SendAsync("PUT", "/kv/a", new byte[60_000]);
        Assert.Equal((503, "1"), (put.Status, put.Headers["Retry-After"]));

        // A longer one goes on as it comes.
        Assert.Equal(204, (await cube.SendAsync("PUT", "/kv/long", new byte[200_000])).Status);
        Assert.Equal(204, (await cube.SendAsync("PUT", "/kv/a", new byte[15_000])).Status);
        Assert.Equal(15_000, (await cube.GetAsync("/kv/a")).Body.Length);
        options.BodyMemory = 8_192;
        await cube.FrontEnd.StopAsync();
        await cube.FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), Cancel);
        StoreReply got = await cube.GetAsync("/kv/a");
        Assert.Equal((503, "1"), (got.Status, got.Headers["Retry-After"]));
        Assert.Equal(204, (await cube.PutAsync("/kv/b", "1")).Status);
        Assert.Equal("1", (await cube.GetAsync("/kv/b")).Text);
        await cube.GivenBackAsync();
    }

    [Fact]
    public async Task A_crowd_with_hostile_ones_gets_its_own_bytes_while_the_server_restarts()
    {
        await using StoreCube cube = await StoreCube.StartAsync(new() { MaxConnections = 60, SlowestBody = 0 });
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        Task[] hostile = [.. Enumerable.Range(0, 12).Select(i => HostileAsync(cube, i, end.Token))];
        int wrong = 0,
            served = 0,
            away = 0;
        Task[] clients =
        [
            .. Enumerable
                .Range(0, 16)
                .Select(async i =>
                {
                    using HttpClient client = cube.Client();
                    Random random = new(i);
                    for (int round = 0; round < 40; round++)
                    {
                        byte[] bytes = new byte[random.Next(0, 100_000)];
                        random.NextBytes(bytes);
                        StoreReply put = await cube.SendAsync(client, "PUT", $"/kv/{i}", bytes),
                            got = await cube.SendAsync(client, "GET", $"/kv/{i}", null);
                        if (put.Status == 204 && got.Status == 200)
                        {
                            Interlocked.Increment(ref served);
                            Interlocked.Add(ref wrong, got.Body.AsSpan().SequenceEqual(bytes) ? 0 : 1);
                        }
                        else
                        {
                            // A fake in memory forgets.
                            Interlocked.Increment(ref away);
                            Assert.Contains(put.Status, (int[])[204, 503, 504]);
                            Assert.Contains(got.Status, (int[])[200, 404, 503]);
                        }
                    }
                }),
        ];
        // The fault is in the middle of the crowd's work, however fast that goes.
        Task crowd = Task.WhenAll(clients);
        while (Volatile.Read(ref served) < 100 && !crowd.IsCompleted)
        {
            await Task.Delay(5, Cancel);
        }

        await cube.Cube.StopServerAsync(0);
        while (Volatile.Read(ref away) < 10 && !crowd.IsCompleted)
        {
            await Task.Delay(1, Cancel);
        }

        await cube.Cube.StartServerAsync(0);
        await crowd.WaitAsync(StoreCube.Generous, Cancel);
        await end.CancelAsync();
        await Task.WhenAll(hostile);
        Assert.Equal(0, wrong);
        Assert.InRange(served, 100, 640);
        Assert.Equal(640, served + away);
        Assert.Equal(404, (await cube.GetAsync("/kv/h")).Status);
        await cube.GivenBackAsync(waitsToo: false);
    }

    private static async Task HostileAsync(StoreCube cube, int kind, CancellationToken end)
    {
        string[] words =
        [
            "PUT /kv/h HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nabc",
            "PUT /kv/h HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
            "GET /kv/0 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /kv/1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /kv/h?wait=0&timeout=1min HTTP/1.1\r\nHost: localhost\r\n\r\n",
            $"GET /kv/{new string('a', 100_000)}",
            "\0\0\0\0garbage\r\n\r\n",
        ];
        while (!end.IsCancellationRequested)
        {
            try
            {
                using TcpClient client = new();
                await client.ConnectAsync(cube.FrontEnd.LocalEndpoint!, end);
                await client.GetStream().WriteAsync(Ascii(words[kind % words.Length]), end);
                await Task.Delay(20, end);
                client.Client.Close(kind % 3 == 0 ? 0 : -1);
            }
            catch (Exception e) when (e is OperationCanceledException or SocketException or IOException)
            {
                // Those are its manners.
            }
        }
    }

    private static async Task<string> RawAsync(StoreCube cube, string text)
    {
        using TcpClient client = new();
        await client.ConnectAsync(cube.FrontEnd.LocalEndpoint!, Cancel);
        await client.GetStream().WriteAsync(Ascii(text), Cancel);
        using StreamReader reader = new(client.GetStream(), Encoding.ASCII);
        return await reader.ReadLineAsync(Cancel).AsTask().WaitAsync(StoreCube.Generous, Cancel) ?? "";
    }

    private static byte[] Ascii(string text) => Encoding.ASCII.GetBytes(text);
}
