using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using CamCube.Host;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Live;

/// <summary>Commands over HTTP, with a live cube and a service that has one of every kind; every way to ask
/// wrongly.</summary>
public sealed class CommandTests
{
    [Fact]
    public async Task Commands_are_listed_with_what_they_take()
    {
        await using TestHost host = await StartAsync();
        JsonElement list = await host
            .Http.GetFromJsonAsync<JsonElement>("/api/servers/1/services/subject/commands")
            .SoonAsync();
        Assert.Equal(
            """
            {"server":"1,0,0","service":"subject","commands":[
            {"name":"greet","description":"Says hello.","changes":false,"takesBody":false,"arguments":[
            {"name":"name","type":"text","isRequired":true,"description":"who"},
            {"name":"times","type":"whole number, 1 to 3","isRequired":false,"default":"1","description":""}]},
            {"name":"break","description":"Throws.","changes":false,"takesBody":false,"arguments":[]},
            """.ReplaceLineEndings(""),
            list.GetRawText()[..list.GetRawText().IndexOf("""{"name":"wait""", StringComparison.Ordinal)]
        );
        Assert.Equal(
            ["greet", "break", "wait", "set", "turn", "large"],
            Subject(await host.StatusAsync()).GetProperty("commands").EnumerateArray().Select(name => name.GetString())
        );
        Assert.Equal(
            """{"from":"1,0,0","words":["hello you"]}""",
            await (await PostAsync(host, "greet?name=you", at: "1")).Content.ReadAsStringAsync()
        );
    }

    [Theory]
    [InlineData("services/nobody/greet", "server 0,0,0 has no service 'nobody'; there are link-state, echo, subject.")]
    [InlineData(
        "services/subjet/commands",
        "server 0,0,0 has no service 'subjet'; did you mean subject? There are link-state, echo, subject.",
        "GET"
    )]
    [InlineData(
        "services/subjet/start",
        "server 0,0,0 has no service 'subjet'; did you mean subject? There are link-state, echo, subject."
    )]
    [InlineData(
        "services/subject/gret",
        "service 'subject' has no command 'gret'; did you mean greet? There are greet, break, wait, set, turn, large."
    )]
    [InlineData("services/echo/greet", "service 'echo' has no commands.")]
    public async Task What_is_not_there_is_named(string path, string says, string method = "POST")
    {
        await using TestHost host = await StartAsync();
        using HttpResponseMessage answer = await host
            .Http.SendAsync(new(new HttpMethod(method), $"/api/servers/0/{path}"))
            .SoonAsync();
        Assert.Equal((HttpStatusCode.NotFound, says), (answer.StatusCode, await DetailAsync(answer)));
    }

    [Fact]
    public async Task A_command_that_throws_a_hundred_times_hurts_nobody_and_is_told_counted_and_logged()
    {
        await using TestHost host = await StartAsync();
        for (int i = 0; i < 100; i++)
        {
            using HttpResponseMessage answer = await PostAsync(host, "break");
            Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
            Assert.Equal("break threw FormatException: as it was told", await DetailAsync(answer));
        }

        JsonElement status = await host.StatusAsync(),
            subject = Subject(status);
        Assert.Equal(
            ("running", 0),
            (subject.GetProperty("state").GetString(), subject.GetProperty("faults").GetInt32())
        );
        Assert.Equal(
            (100, 100),
            (subject.GetProperty("commandFaults").GetInt32(), subject.GetProperty("commandRuns").GetInt32())
        );
        Assert.Equal(
            """{"status":"ready","reasons":[]}""",
            await host.Http.GetStringAsync("/health/ready").SoonAsync()
        );
        Assert.All(
            status.GetProperty("servers").EnumerateArray().SelectMany(s => s.GetProperty("services").EnumerateArray()),
            service => Assert.Equal(0, service.GetProperty("faults").GetInt32())
        );
        using EchoClient client = await host.ConnectAsync(0);
        Assert.Equal("echo 0,0,0 hi", await client.AskAsync("hi"));
    }

    [Fact]
    public async Task Mistakes_in_arguments_are_said_all_at_once()
    {
        await using TestHost host = await StartAsync();
        using HttpResponseMessage answer = await PostAsync(host, "greet?nam=x&times=4&times=5&%0a=y");
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Equal(
            "nam is no argument of greet; did you mean name? times=4: allowed is 1 to 3.   is no argument of greet; "
                + "there are name, times. "
                + "name is missing (who). times is given 2 times.",
            await DetailAsync(answer)
        );

        // More than a host takes, and as much as it reads before it says so: who is still sending by then may see the
        // connection end instead.
        using HttpResponseMessage longest = await PostAsync(host, $"greet?name={new string('x', 32 << 10)}");
        Assert.Equal(HttpStatusCode.RequestUriTooLong, longest.StatusCode);
        using HttpResponseMessage fits = await PostAsync(host, $"greet?name={new string('x', 5_000)}");
        Assert.Equal("name has 5,000 characters; at most 4,096 are allowed.", await DetailAsync(fits));
    }

    [Fact]
    public async Task Bytes_go_in_and_out_and_too_many_are_refused()
    {
        await using TestHost host = await StartAsync("--Http:CommandBodyLimit=64KiB");
        byte[] most = new byte[64 * 1024];
        most[^1] = 7;
        using HttpResponseMessage turned = await PostAsync(host, "turn", new ByteArrayContent(most));
        Assert.Equal(
            (HttpStatusCode.OK, "application/x-turned"),
            (turned.StatusCode, turned.Content.Headers.ContentType?.MediaType)
        );
        Assert.Equal(7, (await turned.Content.ReadAsByteArrayAsync())[0]);

        using HttpResponseMessage more = await PostAsync(host, "turn", new ByteArrayContent(new byte[(64 * 1024) + 1]));
        Assert.Equal(
            (HttpStatusCode.RequestEntityTooLarge, "the body has more than 64 KiB (CamCube:Http:CommandBodyLimit)."),
            (more.StatusCode, await DetailAsync(more))
        );
        using HttpRequestMessage unsaid = new(HttpMethod.Post, "/api/servers/0/services/subject/turn")
        {
            Content = new ByteArrayContent(new byte[70_000]),
        };
        unsaid.Headers.TransferEncodingChunked = true;
        using HttpResponseMessage chunked = await host.Http.SendAsync(unsaid).SoonAsync();
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, chunked.StatusCode);
        using HttpResponseMessage unwanted = await PostAsync(host, "greet?name=x", new ByteArrayContent([1]));
        Assert.Equal(
            (HttpStatusCode.BadRequest, "greet takes no body."),
            (unwanted.StatusCode, await DetailAsync(unwanted))
        );
        using HttpResponseMessage large = await PostAsync(host, "large");
        Assert.Equal(
            (
                HttpStatusCode.InternalServerError,
                "the answer has 70,000 bytes, more than the 65,536 of CamCube:Http:CommandBodyLimit."
            ),
            (large.StatusCode, await DetailAsync(large))
        );
    }

    [Theory]
    [InlineData("greet?name=x", "HTTP/1.1 400 ", "greet takes no body.")]
    [InlineData("turn", "HTTP/1.1 413 ", "the body has more than 1 MiB (CamCube:Http:CommandBodyLimit).")]
    [InlineData("tunr", "HTTP/1.1 404 ", "service 'subject' has no command 'tunr'; did you mean turn?")]
    public async Task Who_is_still_sending_a_body_nobody_wants_comes_to_reading_why(
        string order,
        string status,
        string detail
    )
    {
        await using TestHost host = await StartAsync("--Http:CommandBodyLimit=1MiB");
        using Socket client = await ConnectAsync(host);
        byte[] body = new byte[(1 << 20) + 1];
        await client.SendAsync(
            Encoding.ASCII.GetBytes(
                $"POST /api/servers/0/services/subject/{order} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + $"Content-Length: {body.Length}\r\n\r\n"
            )
        );

        // The answer is there before the body is: what comes after it must not cost it.
        Assert.Equal(1, await client.ReceiveAsync(new byte[1], SocketFlags.Peek).SoonAsync());

        for (int sent = 0; sent < body.Length; )
        {
            sent += await client.SendAsync(body.AsMemory(sent)).AsTask().SoonAsync();
        }

        string answer = await ReadAsync(client);
        Assert.StartsWith(status, answer, StringComparison.Ordinal);
        Assert.Contains(detail, answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_body_that_is_cut_or_never_sent_takes_a_place_for_a_while_only()
    {
        await using TestHost host = await StartAsync("--Http:CommandBodyTimeout=500ms", "--Http:CommandsAtOnce=4");
        const string Head =
            "POST /api/servers/0/services/subject/turn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nsome";
        for (int i = 0; i < 8; i++)
        {
            // Cut: the client goes in the middle of its body.
            using Socket cut = await ConnectAsync(host);
            await cut.SendAsync(Encoding.ASCII.GetBytes(Head));
        }

        await Task.WhenAll(
                Enumerable
                    .Range(0, 4)
                    .Select(async _ =>
                    {
                        string answer;
                        do
                        {
                            // Never sent. Those that were cut may have the places for another moment.
                            using Socket silent = await ConnectAsync(host);
                            await silent.SendAsync(Encoding.ASCII.GetBytes(Head));
                            answer = await ReadAsync(silent);
                        } while (answer.StartsWith("HTTP/1.1 429 ", StringComparison.Ordinal));
                        Assert.StartsWith("HTTP/1.1 408 ", answer, StringComparison.Ordinal);
                        Assert.Contains(
                            "the body did not come within 500 ms (CamCube:Http:CommandBodyTimeout).",
                            answer,
                            StringComparison.Ordinal
                        );
                    })
            )
            .SoonAsync();
        await FreeAsync(host);
    }

    [Fact]
    public async Task Only_some_commands_run_at_once_and_a_client_that_goes_makes_room()
    {
        await using TestHost host = await StartAsync("--Http:CommandsAtOnce=3");
        using CancellationTokenSource gone = new();
        Task<HttpResponseMessage>[] waiting =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(_ => host.Http.PostAsync("/api/servers/0/services/subject/wait", null, gone.Token)),
        ];
        await CounterAsync(host, "waiting", 3);

        using HttpResponseMessage busy = await PostAsync(host, "greet?name=x");
        Assert.Equal(HttpStatusCode.TooManyRequests, busy.StatusCode);
        Assert.Equal("1", busy.Headers.RetryAfter?.ToString());
        Assert.Equal(
            "3 commands run on server 0,0,0 already (CamCube:Http:CommandsAtOnce); try again later.",
            await DetailAsync(busy)
        );
        using HttpResponseMessage elsewhere = await PostAsync(host, "greet?name=x", at: "1,0,0");
        Assert.Equal(HttpStatusCode.OK, elsewhere.StatusCode);

        await gone.CancelAsync();
        foreach (Task<HttpResponseMessage> one in waiting)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one.SoonAsync());
        }

        await CounterAsync(host, "ended", 3);
        await FreeAsync(host);
    }

    [Fact]
    public async Task A_thousand_commands_at_once_are_answered_or_refused_and_the_service_goes_on()
    {
        await using TestHost host = await StartAsync();
        HttpStatusCode[] answers = await Task.WhenAll(
                Enumerable
                    .Range(0, 1_000)
                    .Select(async i =>
                    {
                        using HttpResponseMessage answer = await host.Http.PostAsync(
                            $"/api/servers/{i % 2}/services/subject/{(i % 3 == 0 ? "break" : "greet?name=x")}",
                            null
                        );
                        return answer.StatusCode;
                    })
            )
            .SoonAsync();
        Assert.All(
            answers,
            status =>
                Assert.Contains(
                    status,
                    new[] { HttpStatusCode.OK, HttpStatusCode.InternalServerError, HttpStatusCode.TooManyRequests }
                )
        );
        Assert.Contains(HttpStatusCode.OK, answers);
        await FreeAsync(host);
        Assert.Equal(0, Subject(await host.StatusAsync()).GetProperty("faults").GetInt32());
    }

    [Fact]
    public async Task A_service_that_stopped_says_why_and_is_started_again()
    {
        await using TestHost host = await StartAsync("--Logging:LogLevel:Default=None");
        using EchoClient client = await host.ConnectAsync(0);
        Task<HttpResponseMessage> waits = host.Http.PostAsync("/api/servers/0/services/subject/wait", null);
        await CounterAsync(host, "waiting", 1);
        using HttpResponseMessage stop = await host.Http.PostAsync("/api/servers/0/stop", null).SoonAsync();
        using HttpResponseMessage cut = await waits.SoonAsync();
        Assert.Equal(
            (HttpStatusCode.ServiceUnavailable, "service 'subject' on server 0,0,0 stopped while wait ran."),
            (cut.StatusCode, await DetailAsync(cut))
        );
        foreach (
            (HttpMethod method, string path) in ((HttpMethod, string)[])
                [(HttpMethod.Get, "commands"), (HttpMethod.Post, "greet?name=x"), (HttpMethod.Post, "start")]
        )
        {
            using HttpResponseMessage none = await host
                .Http.SendAsync(new(method, $"/api/servers/0/services/subject/{path}"))
                .SoonAsync();
            Assert.Equal(
                (HttpStatusCode.ServiceUnavailable, "server 0,0,0 is stopped."),
                (none.StatusCode, await DetailAsync(none))
            );
        }

        using EchoClient other = await host.ConnectAsync(1);
        Assert.StartsWith("error ", await other.AskAsync("throw"), StringComparison.Ordinal);
        using HttpResponseMessage faulted = await host
            .Http.GetAsync("/api/servers/1/services/echo/commands")
            .SoonAsync();
        if (faulted.StatusCode == HttpStatusCode.ServiceUnavailable)
        {
            // Unless it runs again already.
            Assert.Contains(
                "InvalidOperationException: asked to throw",
                await DetailAsync(faulted),
                StringComparison.Ordinal
            );
        }

        using HttpResponseMessage start = await host
            .Http.PostAsync("/api/servers/1/services/echo/start", null)
            .SoonAsync();
        Assert.Equal(
            "running",
            (await start.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("state").GetString()
        );
        Assert.Equal("echo 1,0,0 hi", await other.AskAsync("hi"));
    }

    private static Task<TestHost> StartAsync(params string[] arguments) =>
        TestHost.StartAsync(
            new SimulatorCubeFactory(TimeProvider.System),
            ["--shape=2x1x1", "--Services:subject:Assembly=echo", .. arguments],
            ports: 2
        );

    private static JsonElement Subject(JsonElement status) =>
        status
            .GetProperty("servers")[0]
            .GetProperty("services")
            .EnumerateArray()
            .Single(s => s.GetProperty("name").GetString() == "subject");

    private static async Task<HttpResponseMessage> PostAsync(
        TestHost host,
        string order,
        HttpContent? body = null,
        string at = "0"
    ) => await host.Http.PostAsync($"/api/servers/{at}/services/subject/{order}", body).SoonAsync();

    private static async Task<string?> DetailAsync(HttpResponseMessage answer) =>
        (await answer.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("detail").GetString();

    private static async Task FreeAsync(TestHost host)
    {
        long began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            Assert.True(TimeProvider.System.GetElapsedTime(began) < TimeSpan.FromSeconds(30), "no place gets free");
            using HttpResponseMessage answer = await PostAsync(host, "greet?name=x");
            if (answer.StatusCode == HttpStatusCode.OK)
            {
                return;
            }

            Assert.Equal(HttpStatusCode.TooManyRequests, answer.StatusCode);
        }
    }

    private static async Task CounterAsync(TestHost host, string name, long wanted)
    {
        JsonElement status;
        long began = TimeProvider.System.GetTimestamp();
        do
        {
            Assert.True(
                TimeProvider.System.GetElapsedTime(began) < TimeSpan.FromSeconds(30),
                $"{name} does not become {wanted}"
            );
            status = await host.StatusAsync();
        } while (
            Subject(status)
                .GetProperty("counters")
                .EnumerateArray()
                .Single(c => c.GetProperty("name").GetString() == name)
                .GetProperty("value")
                .GetInt64() < wanted
        );
    }

    private static async Task<Socket> ConnectAsync(TestHost host)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, host.HttpPort).SoonAsync();
        return socket;
    }

    private static async Task<string> ReadAsync(Socket socket)
    {
        byte[] bytes = new byte[4_096];
        string text = "";
        while (!text.Contains("\"detail\"", StringComparison.Ordinal))
        {
            int n = await socket.ReceiveAsync(bytes).SoonAsync();
            Assert.NotEqual(0, n);
            text += Encoding.ASCII.GetString(bytes, 0, n);
        }

        return text;
    }
}
