using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using CamCube.FrontEnds.Http;

namespace CamCube.FrontEnds.Tests;

/// <summary>Real servers, a port each, one Kestrel: clients in a crowd, hostile ones among them.</summary>
public sealed class HttpFrontEndTests
{
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Every_server_answers_on_its_own_port_and_for_itself()
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions(), servers: 5);
        for (int rank = 0; rank < 5; rank++)
        {
            using HttpClient client = cube.Client(rank);
            Assert.Equal($"{rank},0,0", await client.GetStringAsync("/where", Cancel));
            (await client.PutAsync("/blobs/a", new ByteArrayContent([(byte)rank]), Cancel)).EnsureSuccessStatusCode();
        }

        for (int rank = 0; rank < 5; rank++)
        {
            using HttpClient client = cube.Client(rank);
            Assert.Equal([(byte)rank], await client.GetByteArrayAsync("/blobs/a", Cancel));
        }

        Assert.Equal(5, cube.FrontEnds.Select(one => one.LocalEndpoint!.Port).Distinct().Count());
    }

    [Fact]
    public async Task Bodies_of_any_length_go_through_the_loop_in_a_bounded_window()
    {
        HttpFrontEndOptions options = new() { BodyWindow = 16 << 10 };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        using HttpClient client = cube.Client(0);
        Random random = new(5);
        int[] lengths = [0, 1, 4095, 16_384, 16_385, 3_000_000, random.Next(1, 1 << 20), random.Next(1, 1 << 20)];
        await Task.WhenAll(
            lengths.Select(
                async (length, i) =>
                {
                    byte[] bytes = new byte[length];
                    new Random(i).NextBytes(bytes);
                    HttpContent body =
                        i % 2 == 0 ? new ByteArrayContent(bytes) : new StreamContent(new MemoryStream(bytes));
                    using HttpRequestMessage put = new(HttpMethod.Put, $"/blobs/{i}") { Content = body };
                    put.Headers.TransferEncodingChunked = i % 2 != 0;
                    HttpResponseMessage answer = await client.SendAsync(put, Cancel);
                    Assert.Equal($"{length}", await answer.Content.ReadAsStringAsync(Cancel));
                    Assert.Equal(bytes, await client.GetByteArrayAsync($"/blobs/{i}", Cancel));
                }
            )
        );
        byte[] made = await client.GetByteArrayAsync("/made/5000000", Cancel);

        // A pipe's own awaitable left the loop in one of some thousand waits.
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => client.GetByteArrayAsync("/made/4000000", Cancel)));
        Assert.Equal(5_000_000, made.Length);
        Assert.Equal(-1, Array.FindIndex([.. made.Select((value, at) => value == Blobs.ByteAt(at))], fits => !fits));

        // All that touched the service's pieces was its loop.
        Assert.Equal([await cube.AskAsync(0, s => s.LoopThread)], await cube.AskAsync(0, s => s.Threads.ToArray()));
    }

    [Fact]
    public async Task A_client_that_reads_nothing_makes_the_service_wait_and_others_are_served()
    {
        HttpFrontEndOptions options = new() { BodyWindow = 64 << 10, SlowestBody = 0 };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        using TcpClient hostile = new();
        await hostile.ConnectAsync(cube.FrontEnds[0].LocalEndpoint!, Cancel);
        hostile.ReceiveBufferSize = 4096;
        await hostile.GetStream().WriteAsync(Ascii("GET /made/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"), Cancel);
        using HttpClient client = cube.Client(0);
        long before = -1;
        for (long made = await Made(); made != before || made == 0; made = await Made())
        {
            before = made;
            Assert.Equal("0,0,0", await client.GetStringAsync("/where", Cancel));
            await Task.Delay(100, Cancel);
        }

        // The window, and what the system and Kestrel keep for the connection.
        Assert.InRange(before, 1, 16 << 20);
        hostile.Client.Close(0);
        Assert.Equal(100_000, (await client.GetByteArrayAsync("/made/100000", Cancel)).Length);

        Task<long> Made() => cube.AskAsync(0, s => s.Made);
    }

    [Fact]
    public async Task A_client_that_reads_too_slowly_is_given_up()
    {
        HttpFrontEndOptions options = new() { SlowestBody = 1e9, SlowGrace = TimeSpan.FromSeconds(1.2) };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        using TcpClient slow = new();
        await slow.ConnectAsync(cube.FrontEnds[0].LocalEndpoint!, Cancel);
        await slow.GetStream().WriteAsync(Ascii("GET /made/1000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"), Cancel);

        // Kestrel looks once a second: one that began to read before would get it all.
        while (await cube.AskAsync(0, s => s.Faults.Count) == 0)
        {
            await Task.Delay(10, Cancel);
        }

        byte[] rest = new byte[1 << 16];
        long received = 0;
        await Assert.ThrowsAnyAsync<IOException>(async () =>
        {
            while (true)
            {
                int count = await slow.GetStream().ReadAsync(rest, Cancel);
                received += count;
                if (count == 0)
                {
                    throw new IOException("closed");
                }
            }
        });
        Assert.InRange(received, 1, 900_000_000);
    }

    [Fact]
    public async Task Bodies_over_the_budget_are_refused_until_there_is_room()
    {
        HttpFrontEndOptions options = new()
        {
            BodyWindow = 4096,
            BodyMemory = 3 * 4096,
            MaxBody = 100_000,
            SlowestBody = 0,
        };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        using HttpClient client = cube.Client(0);
        Task<HttpResponseMessage>[] stalled =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(_ => client.PutAsync("/stall", new ByteArrayContent(new byte[50_000]), Cancel)),
        ];
        while (await cube.AskAsync(0, s => s.Stalling) < 3)
        {
            await Task.Delay(10, Cancel);
        }

        HttpResponseMessage refused = await Put(10);

        Assert.Equal(HttpStatusCode.ServiceUnavailable, refused.StatusCode);
        Assert.Equal("1", refused.Headers.RetryAfter!.ToString());
        cube.FrontEnds[0].StallEnds.SetResult();
        foreach (HttpResponseMessage answer in await Task.WhenAll(stalled))
        {
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        }

        Assert.Equal(HttpStatusCode.OK, (await Put(100_000)).StatusCode);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, (await Put(100_001)).StatusCode);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, (await Put(100_001, chunked: true)).StatusCode);
        Assert.Equal(HttpStatusCode.OK, (await Put(100_000, chunked: true)).StatusCode);

        async Task<HttpResponseMessage> Put(int length, bool chunked = false)
        {
            using HttpRequestMessage put = new(HttpMethod.Put, "/blobs/x")
            {
                Content = new ByteArrayContent(new byte[length]),
            };
            put.Headers.TransferEncodingChunked = chunked;
            return await client.SendAsync(put, Cancel);
        }
    }

    [Fact]
    public async Task Conditions_and_ranges_are_those_of_the_standard()
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions());
        using HttpClient client = cube.Client(0);
        await client.PutAsync("/blobs/a", new ByteArrayContent(Ascii("0123456789")), Cancel);
        Assert.Equal("200 \"v1\" 0123456789", await Get());
        Assert.Equal("304 \"v1\" ", await Get(h => h.IfNoneMatch.Add(new("\"v1\""))));
        Assert.Equal("304 \"v1\" ", await Get(h => h.IfNoneMatch.Add(new("\"v1\"", isWeak: true))));
        Assert.Equal("304 \"v1\" ", await Get(h => h.IfNoneMatch.Add(EntityTagHeaderValue.Any)));
        Assert.Equal("200 \"v1\" 0123456789", await Get(h => h.IfNoneMatch.Add(new("\"v2\""))));
        Assert.Equal("412 \"v1\" ", await Get(h => h.IfMatch.Add(new("\"v2\""))));
        Assert.Equal("200 \"v1\" 0123456789", await Get(h => h.IfMatch.Add(new("\"v1\""))));
        Assert.Equal("412 \"v1\" ", await Get(h => h.IfMatch.Add(new("\"v1\"", isWeak: true))));
        Assert.Equal("206 \"v1\" 234", await Get(h => h.Range = new(2, 4)));
        Assert.Equal("206 \"v1\" 89", await Get(h => h.Range = new(null, 2)));
        Assert.Equal("206 \"v1\" 9", await Get(h => h.Range = new(9, null)));
        Assert.Equal("416 \"v1\" ", await Get(h => h.Range = new(10, null)));
        Assert.Equal("200 \"v1\" 0123456789", await Get(h => (h.Range, h.IfRange) = (new(2, 4), new("\"v2\""))));
        Assert.Equal("206 \"v1\" 234", await Get(h => (h.Range, h.IfRange) = (new(2, 4), new("\"v1\""))));
        Assert.Equal("404  ", (await Get(path: "/blobs/none"))[..5]);
        Assert.Equal("200 \"v1\" ", await Get(method: HttpMethod.Head));

        async Task<string> Get(
            Action<HttpRequestHeaders>? set = null,
            HttpMethod? method = null,
            string path = "/blobs/a"
        )
        {
            using HttpRequestMessage request = new(method ?? HttpMethod.Get, path);
            set?.Invoke(request.Headers);
            using HttpResponseMessage answer = await client.SendAsync(request, Cancel);
            string body = await answer.Content.ReadAsStringAsync(Cancel);
            return $"{(int)answer.StatusCode} {answer.Headers.ETag} {body}";
        }
    }

    [Fact]
    public async Task What_a_handler_throws_is_answered_and_half_an_answer_is_none()
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions());
        using HttpClient client = cube.Client(1);
        HttpResponseMessage thrown = await client.GetAsync("/throw", Cancel);
        Assert.Equal(HttpStatusCode.InternalServerError, thrown.StatusCode);
        JsonElement problem = await thrown.Content.ReadFromJsonAsync<JsonElement>(Cancel);
        Assert.Equal(
            "InvalidOperationException: the host's log has the details.",
            problem.GetProperty("detail").GetString()
        );
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.GetStringAsync("/half", Cancel));
        problem = await (await client.GetAsync("/nowhere", Cancel)).Content.ReadFromJsonAsync<JsonElement>(Cancel);
        Assert.Equal("GET /nowhere is not answered here.", problem.GetProperty("detail").GetString());
        using HttpRequestMessage foreign = new(HttpMethod.Get, "/where") { Headers = { Host = "evil.example" } };
        Assert.Equal(HttpStatusCode.MisdirectedRequest, (await client.SendAsync(foreign, Cancel)).StatusCode);
        await cube.Cube.StopServerAsync(1);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, (await client.GetAsync("/blobs/a", Cancel)).StatusCode);
        await cube.Cube.StartServerAsync(1);
        Assert.Equal(HttpStatusCode.NotFound, (await client.GetAsync("/blobs/a", Cancel)).StatusCode);
    }

    [Fact]
    public async Task Draining_lets_requests_end_and_the_others_are_served_on()
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions { SlowestBody = 0 });
        using HttpClient client = cube.Client(0),
            other = cube.Client(1);
        Assert.Equal("0,0,0", await client.GetStringAsync("/where", Cancel));
        Task<HttpResponseMessage> running = client.PutAsync("/stall", new ByteArrayContent(new byte[9]), Cancel);
        while (await cube.AskAsync(0, s => s.Stalling) == 0)
        {
            await Task.Delay(5, Cancel);
        }

        IPEndPoint port = cube.FrontEnds[0].LocalEndpoint!;
        Task drained = cube.FrontEnds[0].DrainAsync(Cancel).AsTask();
        using TcpClient late = new();
        await Assert.ThrowsAnyAsync<SocketException>(async () =>
        {
            while (true)
            {
                using TcpClient next = new();
                await next.ConnectAsync(port, Cancel);
            }
        });
        Assert.False(drained.IsCompleted);
        Assert.Equal("1,0,0", await other.GetStringAsync("/where", Cancel));
        cube.FrontEnds[0].StallEnds.SetResult();
        Assert.Equal(HttpStatusCode.OK, (await running).StatusCode);
        await drained.WaitAsync(BlobCube.Generous, Cancel);
        await cube.FrontEnds[0].StopAsync();
        await cube.FrontEnds[0].StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), Cancel);
        using HttpClient again = cube.Client(0);
        Assert.Equal("0,0,0", await again.GetStringAsync("/where", Cancel));
    }

    [Fact]
    public async Task A_crowd_with_hostile_ones_among_it_and_a_server_that_stops_gets_its_own_bytes()
    {
        HttpFrontEndOptions options = new()
        {
            MaxConnections = 40,
            BodyWindow = 8192,
            SlowestBody = 0,
        };
        await using BlobCube cube = await BlobCube.StartAsync(options, servers: 3);
        int wrong = 0,
            served = 0;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        Task[] hostile = [.. Enumerable.Range(0, 12).Select(i => HostileAsync(cube, i, end.Token))];
        Task[] clients =
        [
            .. Enumerable
                .Range(0, 24)
                .Select(async i =>
                {
                    using HttpClient client = cube.Client(i % 3);
                    Random random = new(i);
                    for (int round = 0; round < 30; round++)
                    {
                        byte[] bytes = new byte[random.Next(0, 40_000)];
                        random.NextBytes(bytes);
                        try
                        {
                            HttpResponseMessage put = await client.PutAsync(
                                $"/blobs/{i}",
                                new ByteArrayContent(bytes),
                                Cancel
                            );
                            HttpResponseMessage got = await client.GetAsync($"/blobs/{i}", Cancel);
                            if (put.IsSuccessStatusCode && got.IsSuccessStatusCode)
                            {
                                byte[] content = await got.Content.ReadAsByteArrayAsync(Cancel);
                                Interlocked.Increment(ref served);
                                Interlocked.Add(ref wrong, content.SequenceEqual(bytes) ? 0 : 1);
                            }
                        }
                        catch (HttpRequestException) when (i % 3 == 2)
                        {
                            // Its server is stopped meanwhile.
                        }
                    }
                }),
        ];
        await cube.FrontEnds[2].StopAsync();
        await cube.Cube.StopServerAsync(2);
        await Task.WhenAll(clients).WaitAsync(TimeSpan.FromSeconds(120), Cancel);
        await end.CancelAsync();
        await Task.WhenAll(hostile);
        Assert.Equal(0, wrong);
        Assert.NotEqual(0, await cube.AskAsync(0, s => s.Broken));
        Assert.All(
            cube.Cube.GetStatus().Servers,
            server => Assert.All(server.Services, one => Assert.Equal(0, one.Faults))
        );
        Assert.InRange(served, 16 * 30, 24 * 30);
        await cube.EmptyAsync();
    }

    [Fact]
    public async Task Over_TLS_clients_see_the_certificate_and_plain_ones_get_nowhere()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=camcube", key, HashAlgorithmName.SHA256);
        using X509Certificate2 own = request.CreateSelfSigned(
            DateTimeOffset.UtcNow.AddDays(-1),
            DateTimeOffset.UtcNow.AddDays(1)
        );
        string file = Path.GetTempFileName();
        await File.WriteAllTextAsync(file, $"{own.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}", Cancel);
        HttpFrontEndOptions options = new() { Tls = true, TlsCertificate = file };
        await using BlobCube cube = await BlobCube.StartAsync(options);
        File.Delete(file);
        string? seen = null;
        using var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            SslOptions =
            {
                RemoteCertificateValidationCallback = (_, certificate, _, _) =>
                {
                    seen = certificate!.GetCertHashString();
                    return true;
                },
            },
        };
        using HttpClient secure = new(handler) { BaseAddress = new Uri($"https://{cube.FrontEnds[1].LocalEndpoint}") };
        Assert.Equal("1,0,0", await secure.GetStringAsync("/where", Cancel));
        Assert.Equal(own.GetCertHashString(), seen);
        using HttpClient plain = cube.Client(1);
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => plain.GetStringAsync("/where", Cancel));
        Assert.Equal("1,0,0", await secure.GetStringAsync("/where", Cancel));
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("/nowhere/cert.pem", "")]
    [InlineData("self", "")]
    public async Task A_bad_certificate_is_one_line_and_nothing_listens(string certificate, string key)
    {
        string file = Path.GetTempFileName();
        await File.WriteAllTextAsync(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", Cancel);
        HttpFrontEndOptions options = new()
        {
            Tls = true,
            TlsCertificate = certificate == "self" ? file : certificate,
            TlsKey = key,
        };
        FrontEndException e = await Assert.ThrowsAsync<FrontEndException>(() => BlobCube.StartAsync(options));
        Assert.StartsWith($"settings TlsCertificate = '{options.TlsCertificate}'", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', e.Message);
        Assert.False(e.IsPortInUse);
        File.Delete(file);
    }

    [Fact]
    public async Task A_port_that_is_taken_is_said_to_be_and_the_front_end_can_be_started_elsewhere()
    {
        await using BlobCube cube = await BlobCube.StartAsync(new HttpFrontEndOptions());
        await cube.FrontEnds[1].StopAsync();
        FrontEndException e = await Assert.ThrowsAsync<FrontEndException>(async () =>
            await cube.FrontEnds[1]
                .StartAsync(new FrontEndEndpoint(IPAddress.Loopback, cube.FrontEnds[0].LocalEndpoint!.Port), Cancel)
        );
        Assert.True(e.IsPortInUse);
        await cube.FrontEnds[1].StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), Cancel);
        using HttpClient client = cube.Client(1);
        Assert.Equal("1,0,0", await client.GetStringAsync("/where", Cancel));
    }

    private static async Task HostileAsync(BlobCube cube, int kind, CancellationToken end)
    {
        string[] words =
        [
            "PUT /blobs/h HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nabc",
            "PUT /blobs/h HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
            "GET /made/100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "\0\0\0\0garbage\r\n\r\n",
        ];
        while (!end.IsCancellationRequested)
        {
            try
            {
                using TcpClient client = new();
                await client.ConnectAsync(cube.FrontEnds[kind % 2].LocalEndpoint!, end);
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

    private static byte[] Ascii(string text) => Encoding.ASCII.GetBytes(text);
}
