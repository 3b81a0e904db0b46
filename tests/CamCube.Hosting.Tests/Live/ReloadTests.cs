using System.Collections.Concurrent;
using System.Net;
using System.Text;
using System.Text.Json;
using CamCube.Administration;
using CamCube.Administration.Answers;
using CamCube.Hosting.Tests.Kit;
using static CamCube.Hosting.Tests.Kit.ReloadKit;

namespace CamCube.Hosting.Tests.Live;

/// <summary>The reload of a service in a host that runs, and every way in which it is refused or ends early.</summary>
public sealed class ReloadTests
{
    [Fact]
    public async Task New_code_answers_on_every_server_with_settings_as_they_are_now_and_its_front_ends_with_it()
    {
        await using TestHost host = await StartAsync();
        string assembly = Path.Combine(host.Folder.ServiceFolder("one"), $"{Builds.Name}.dll"),
            before = Builds.HashOf(assembly);
        Assert.Equal([before, before], await HashesAsync(host));
        using (EchoClient client = await host.ConnectAsync(1))
        {
            Assert.Equal("echo 1,0,0 hi", await client.AskAsync("hi"));
        }

        Assert.Equal("hello you", await GreetAsync(host, 1));
        Builds.Make(host.Folder, "one", "hallo");
        await File.WriteAllTextAsync(
            host.Folder.SettingsFile,
            """{ "CamCube": { "Services": { "echo": { "Greeting": "again" } } } }"""
        );

        JsonElement answer = await ReloadAsync(host, "subject");

        string after = Builds.HashOf(assembly);
        Assert.NotEqual(before, after);
        Assert.Equal(
            $$$"""
            {"service":"subject","version":"{{{Version(
                answer
            )}}}","hash":"{{{after}}}","servers":[{"rank":0,"server":"0,0,0","code":"new","version":"{{{Version(
                answer
            )}}}","hash":"{{{after}}}"},{"rank":1,"server":"1,0,0","code":"new","version":"{{{Version(
                answer
            )}}}","hash":"{{{after}}}"}],"also":["echo"],"notes":[]}
            """,
            answer.GetRawText()
        );
        Assert.Equal([after, after], await HashesAsync(host));
        Assert.Equal("hallo you", await GreetAsync(host, 0));
        Assert.Equal("hallo you", await GreetAsync(host, 1));
        using EchoClient next = await host.ConnectAsync(1);
        Assert.Equal("again 1,0,0 hi", await next.AskAsync("hi"));

        // What counted goes on counting.
        JsonElement echo = Service(await host.StatusAsync(), 1, "echo");
        Assert.Equal(2, echo.GetProperty("counters")[0].GetProperty("value").GetInt64());
        Assert.Equal(0, echo.GetProperty("faults").GetInt64());
        Assert.DoesNotContain(host.Errors.Lines, line => line.Contains("Exception", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_program_asks_for_a_reload_by_the_client_of_hosts()
    {
        await using TestHost host = await StartAsync();
        using HostClient client = new(host.Http.BaseAddress!);
        ReloadAnswer done = await client.ReloadServiceAsync("subject", null, TimeSpan.FromMinutes(1)).SoonAsync();
        Assert.Null(done.Problem);
        Assert.Equal(["new", "new"], done.Servers.Select(server => server.Code));
        HostException refused = await Assert.ThrowsAsync<HostException>(() =>
            client.ReloadServiceAsync("subject", "a b&c", TimeSpan.FromMinutes(1)).SoonAsync()
        );
        Assert.Contains("'a b&c': there is no file or folder", refused.Message, StringComparison.Ordinal);
    }

    public static TheoryData<string, string> Misfits =>
        new()
        {
            { "nothing", "there is no file or folder" },
            { "../../elsewhere", "it is outside of" },
            { "leads-out", "it is outside of" },
            { "/", "it is outside of" },
            { "loop", "it is no path that can be followed" },
            { "text", "this is not a .NET assembly" },
            { "cut", "this is not a .NET assembly" },
            { "empty", "has no assembly" },
            { "contract-alone", "has no public class that implements ICamCubeService" },
            { "other-name", "has no service named 'subject'" },
            { "other-id", "a service that is reloaded keeps its id" },
            { "no-contract", "it cannot be loaded: Could not load file or assembly 'CamCube.TestServicez.Contracts" },
            { "other-contract", "a contract is loaded once for all services" },
            { "no-front-end", "the new assembly has no front end 'echo' with a port" },
        };

    [Theory]
    [MemberData(nameof(Misfits))]
    public async Task What_cannot_take_its_place_is_refused_in_a_line_and_nothing_has_changed(string from, string says)
    {
        await using TestHost host = await StartAsync();
        using EchoClient client = await host.ConnectAsync(0);
        Assert.Equal("echo 0,0,0 hi", await client.AskAsync("hi"));
        Prepare(host.Folder, from);
        string[] hashes = await HashesAsync(host);

        (HttpStatusCode status, string detail) = await RefusedAsync(host, "subject", from);

        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Contains(says, detail, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', detail);
        Assert.Equal(hashes, await HashesAsync(host));

        // Not even its clients have noticed.
        Assert.Equal("echo 0,0,0 hi", await client.AskAsync("hi"));
        Assert.Equal("hello you", await GreetAsync(host, 1));
        Builds.Make(host.Folder, "good", "salve");
        await ReloadAsync(host, "subject", "good");
        Assert.Equal("salve you", await GreetAsync(host, 1));
    }

    [Fact]
    public async Task Who_asks_wrongly_is_told()
    {
        await using TestHost host = await StartAsync();
        Assert.Equal(
            (
                HttpStatusCode.NotFound,
                "server 0,0,0 has no service 'subjct'; did you mean subject? There are diagnostics, echo, subject."
            ),
            await RefusedAsync(host, "subjct")
        );
        Assert.Equal(
            (HttpStatusCode.BadRequest, "form is no argument of reload; there is from."),
            await RefusedAsync(host, "subject?form=x", query: true)
        );
        Assert.Equal(
            (HttpStatusCode.BadRequest, "from is given 2 times."),
            await RefusedAsync(host, "subject?from=x&from=y", query: true)
        );
        FakeCubeFactory real = new() { CanControl = false };
        await using TestHost other = await TestHost.StartAsync(real);
        (HttpStatusCode status, string detail) = await RefusedAsync(other, "echo");
        Assert.Equal(HttpStatusCode.Conflict, status);
        Assert.Contains("only with CamCube:AllowControl=true", detail, StringComparison.Ordinal);
        Assert.DoesNotContain(real.Journal.Entries, line => line.Contains("replaced", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_constructor_that_throws_or_hangs_is_found_beside_the_servers()
    {
        await using TestHost host = await StartAsync("--Reload:Timeout=1s");
        await SetAsync(host, "ThrowsAt", "0,0,0");
        Assert.Equal(
            (HttpStatusCode.BadRequest, "echo threw FormatException: as it was told"),
            await RefusedAsync(host, "subject")
        );

        string file = Path.Combine(host.Folder.Path, "hang");
        await File.WriteAllTextAsync(file, "");
        await SetAsync(host, "HangWhile", file);
        Assert.Equal(
            (HttpStatusCode.BadRequest, "its constructor or OnStart did not end within 1 s; that thread is lost."),
            await RefusedAsync(host, "subject")
        );
        Assert.Equal("hello you", await GreetAsync(host, 1));
        File.Delete(file);
        await SetAsync(host, "Limit", "1000");
        (HttpStatusCode status, string detail) = await RefusedAsync(host, "subject");
        Assert.Equal(
            (HttpStatusCode.BadRequest, "CamCube:Services:echo:Limit = '1000': allowed is 1 to 100."),
            (status, detail)
        );
        await SetAsync(host, "Limit", "9");
        await ReloadAsync(host, "subject");
    }

    [Fact]
    public async Task New_code_that_starts_here_and_not_there_ends_the_roll_and_says_who_has_which()
    {
        await using TestHost host = await StartAsync();
        string before = (await HashesAsync(host))[0];
        Builds.Make(host.Folder, "two", "hallo");
        await SetAsync(host, "ThrowsAt", "1,0,0");
        using EchoClient witness = await host.ConnectAsync(1);

        JsonElement answer = await ReloadAsync(host, "subject", "two");

        string after = Builds.HashOf(Path.Combine(host.Folder.ServiceFolder("two"), $"{Builds.Name}.dll"));
        Assert.Equal(
            "server 1,0,0: echo threw FormatException: as it was told; it goes on with the old code.",
            answer.GetProperty("problem").GetString()
        );
        Assert.Equal(
            [("new", after), ("old", before)],
            answer
                .GetProperty("servers")
                .EnumerateArray()
                .Select(s => (s.GetProperty("code").GetString(), s.GetProperty("hash").GetString()))
        );
        Assert.Equal([after, before], await HashesAsync(host));
        Assert.Equal(("hallo you", "hello you"), (await GreetAsync(host, 0), await GreetAsync(host, 1)));
        using EchoClient old = await host.ConnectAsync(1);
        Assert.Equal("echo 1,0,0 hi", await old.AskAsync("hi"));

        // A server that starts again has what it had.
        await host.Http.PostAsync("/api/servers/1/stop", null).SoonAsync();
        await host.Http.PostAsync("/api/servers/1/start", null).SoonAsync();
        Assert.Equal([after, before], await HashesAsync(host));

        await SetAsync(host, "Limit", "9");
        await ReloadAsync(host, "subject", "two");
        Assert.Equal([after, after], await HashesAsync(host));
        await GoneAsync(1);
    }

    [Fact]
    public async Task A_front_end_that_does_not_open_brings_the_old_code_back_too()
    {
        await using TestHost host = await StartAsync();
        string before = (await HashesAsync(host))[0];
        Builds.Make(host.Folder, "two", "hallo");
        await File.WriteAllTextAsync(
            host.Folder.SettingsFile,
            """{ "CamCube": { "FrontEnds": { "echo": { "Broken": "1,0,0" } } } }"""
        );

        JsonElement answer = await ReloadAsync(host, "subject", "two");

        Assert.Contains("it is broken, as it was told to be", answer.GetProperty("problem").GetString());
        Assert.Equal(before, (await HashesAsync(host))[1]);
        Assert.Equal(("hallo you", "hello you"), (await GreetAsync(host, 0), await GreetAsync(host, 1)));
        using EchoClient old = await host.ConnectAsync(1);
        Assert.Equal("echo 1,0,0 hi", await old.AskAsync("hi"));
        using EchoClient next = await host.ConnectAsync(0);
        Assert.Equal("echo 0,0,0 hi", await next.AskAsync("hi"));
    }

    [Fact]
    public async Task A_real_server_reloads_too_and_its_neighbour_goes_on_with_the_old_code()
    {
        ConcurrentDictionary<Coordinate, MemoryLinks.Driver> hub = [];
        await using TestHost first = await StartRealAsync(hub, "0,0,0");
        await using TestHost second = await StartRealAsync(hub, "1,0,0");
        Builds.Make(first.Folder, "two", "hallo");
        JsonElement answer = await ReloadAsync(first, "subject", "two");
        Assert.Equal(
            "0,0,0",
            Assert.Single(answer.GetProperty("servers").EnumerateArray()).GetProperty("server").GetString()
        );
        Assert.Equal(("hallo you", "hello you"), (await GreetAsync(first, 0), await GreetAsync(second, 1)));
        await first.Http.PostAsync("/api/servers/0/stop", null).SoonAsync();
        await first.Http.PostAsync("/api/servers/0/start", null).SoonAsync();
        Assert.Equal("hallo you", await GreetAsync(first, 0));
        await GoneAsync(2);
    }

    [Fact]
    public async Task A_server_whose_loop_does_not_come_to_it_ends_the_roll_and_the_host_stops_all_the_same()
    {
        TaskCompletionSource never = new();
        FakeCubeFactory cube = new() { MayReplace = rank => rank == 2 ? never.Task : Task.CompletedTask };
        await using TestHost host = await TestHost.StartAsync(cube, ["--Reload:Timeout=500ms"]);

        JsonElement answer = await ReloadAsync(host, "echo");

        Assert.Equal(
            "server 2,0,0 did not come to it in time; which code it has is not known.",
            answer.GetProperty("problem").GetString()
        );
        Assert.Equal(
            ["new", "new", "unknown", "old"],
            answer.GetProperty("servers").EnumerateArray().Take(4).Select(s => s.GetProperty("code").GetString())
        );
        using EchoClient client = await host.ConnectAsync(2);
        Assert.Equal("hello 2,0,0", client.Greeting);
        Assert.Equal(0, await host.StopAsync());
    }

    [Fact]
    public async Task Of_two_orders_at_once_the_second_is_refused()
    {
        await using TestHost host = await StartAsync("--Reload:Timeout=1min");
        string file = Path.Combine(host.Folder.Path, "hang");
        await File.WriteAllTextAsync(file, "");
        await SetAsync(host, "HangWhile", file);
        Task<HttpResponseMessage> first = host.Http.PostAsync("/api/services/subject/reload", null);
        (HttpStatusCode Status, string Detail) second;
        do
        {
            second = await RefusedAsync(host, "diagnostics", mayWork: true);
            if (first.IsCompleted)
            {
                // It was the second of the two.
                first = host.Http.PostAsync("/api/services/subject/reload", null);
            }
        } while (second.Status == HttpStatusCode.OK);

        Assert.Equal(
            (HttpStatusCode.Conflict, "a reload of 'subject' runs already; try again when it has ended."),
            second
        );
        File.Delete(file);
        using HttpResponseMessage done = await first.SoonAsync();
        Assert.Equal(HttpStatusCode.OK, done.StatusCode);
        await ReloadAsync(host, "subject");
    }

    [Fact]
    public async Task A_server_that_is_stopped_or_dies_meanwhile_has_the_new_code_when_it_starts()
    {
        await using TestHost host = await StartAsync();
        await host.Http.PostAsync("/api/servers/1/stop", null).SoonAsync();
        Builds.Make(host.Folder, "two", "hallo");
        JsonElement answer = await ReloadAsync(host, "subject", "two");
        Assert.Equal(
            ["new", "stopped"],
            answer.GetProperty("servers").EnumerateArray().Select(server => server.GetProperty("code").GetString())
        );
        await host.Http.PostAsync("/api/servers/1/start", null).SoonAsync();
        Assert.Equal("hallo you", await GreetAsync(host, 1));
        using EchoClient client = await host.ConnectAsync(1);
        Assert.Equal("echo 1,0,0 hi", await client.AskAsync("hi"));

        for (int i = 0; i < 10; i++)
        {
            Task<HttpResponseMessage> stop = host.Http.PostAsync("/api/servers/1/stop", null);
            await ReloadAsync(host, "subject", i % 2 == 0 ? "one" : "two");
            using HttpResponseMessage stopped = await stop.SoonAsync();
            Assert.Equal(HttpStatusCode.OK, stopped.StatusCode);
            await host.Http.PostAsync("/api/servers/1/start", null).SoonAsync();
        }

        Assert.Equal(("hallo you", "hallo you"), (await GreetAsync(host, 0), await GreetAsync(host, 1)));
        await GoneAsync(1);
    }

    [Fact]
    public async Task A_hundred_reloads_under_load_lose_nothing_of_others_and_leave_nothing_behind()
    {
        await using TestHost host = await StartAsync();
        using CancellationTokenSource end = new();
        Task<int> pings = PingAsync(host, end.Token),
            hostile = BreakAsync(host, end.Token);
        Builds.Make(host.Folder, "two", "hallo");
        for (int i = 0; i < 100; i++)
        {
            await ReloadAsync(host, "subject", i % 2 == 0 ? "two" : "one");
            Assert.Equal(i % 2 == 0 ? "hallo you" : "hello you", await GreetAsync(host, i % 2));
        }

        await end.CancelAsync();
        Assert.True(await pings.SoonAsync() > 0);
        Assert.True(await hostile.SoonAsync() > 0);
        JsonElement status = await host.StatusAsync();
        foreach (JsonElement server in status.GetProperty("servers").EnumerateArray())
        {
            Assert.Equal("{}", server.GetProperty("drops").GetRawText());
            Assert.All(
                server.GetProperty("services").EnumerateArray(),
                service => Assert.Equal(0, service.GetProperty("faults").GetInt64())
            );
        }

        await GoneAsync(1);
    }

    private static async Task<int> PingAsync(TestHost host, CancellationToken end)
    {
        int rounds = 0;
        for (; !end.IsCancellationRequested; rounds++)
        {
            using HttpResponseMessage answer = await host
                .Http.PostAsync(
                    "/api/servers/0/services/diagnostics/ping?to=1,0,0&count=200&timeout=1min",
                    null,
                    CancellationToken.None
                )
                .SoonAsync();
            string text = await answer.Content.ReadAsStringAsync(CancellationToken.None);
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
            Assert.Equal(
                200,
                JsonDocument
                    .Parse(text)
                    .RootElement.GetProperty("replies")
                    .EnumerateArray()
                    .Count(reply => reply.GetProperty("answered").GetBoolean())
            );
        }

        return rounds;
    }

    private static async Task<int> BreakAsync(TestHost host, CancellationToken end)
    {
        int broken = 0;
        for (; !end.IsCancellationRequested; broken++)
        {
            using HttpResponseMessage answer = await host
                .Http.PostAsync("/api/servers/1/services/subject/break", null, CancellationToken.None)
                .SoonAsync();
            Assert.True(answer.StatusCode is HttpStatusCode.InternalServerError or HttpStatusCode.ServiceUnavailable);
        }

        return broken;
    }

    private static void Prepare(TestFolder folder, string kind)
    {
        string place = folder.ServiceFolder(kind);
        switch (kind)
        {
            case "nothing" or "../../elsewhere" or "/":
                return;
            case "leads-out":
                Directory.CreateSymbolicLink(place, Path.GetDirectoryName(TestFolder.TestServices)!);
                return;
            case "loop":
                Directory.CreateSymbolicLink(place, place);
                return;
            case "text":
                Directory.CreateDirectory(place);
                File.WriteAllText(Path.Combine(place, $"{Builds.Name}.dll"), "no assembly");
                return;
            case "empty":
                Directory.CreateDirectory(place);
                return;
        }

        string assembly = Builds.Make(folder, kind);
        switch (kind)
        {
            case "cut":
                File.WriteAllBytes(assembly, File.ReadAllBytes(assembly)[..4_000]);
                break;
            case "contract-alone":
                File.Move(Path.Combine(place, "CamCube.TestServices.Contracts.dll"), assembly, overwrite: true);
                File.Delete(Path.ChangeExtension(assembly, ".deps.json"));
                break;
            case "other-name":
                Builds.Patch(assembly, Encoding.ASCII.GetBytes("\asubject"), Encoding.ASCII.GetBytes("\asubjekt"));
                break;
            case "other-id":
                Builds.Patch(assembly, [0x0a, 0x71, 7, (byte)'s'], [0x0b, 0x71, 7, (byte)'s']);
                break;
            case "no-contract":
                Builds.Patch(
                    assembly,
                    Encoding.ASCII.GetBytes("CamCube.TestServices.Contracts\0"),
                    Encoding.ASCII.GetBytes("CamCube.TestServicez.Contracts\0")
                );
                break;
            case "other-contract":
                Builds.RebuildContract(place);
                break;
            case "no-front-end":
                Builds.Patch(assembly, [4, .. "echo"u8, 0x68, 0x42], [4, .. "ecko"u8, 0x68, 0x42]);
                break;
        }
    }
}
