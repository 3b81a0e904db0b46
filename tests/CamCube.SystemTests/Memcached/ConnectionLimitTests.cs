using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Memcached;

public sealed class ConnectionLimitTests
{
    private const string Version = "VERSION 1.6.18-camcube-0.1.0";

    [Fact]
    public async Task Clients_over_the_limit_are_told_and_closed()
    {
        await using MemcachedProcess server = await MemcachedProcess.StartAsync(null, "-c", "2");
        using MemcachedClient first = await ServedAsync(server);
        using MemcachedClient second = await MemcachedClient.ConnectAsync(server.Port);
        Assert.Equal(Version, await second.SendAsync("version\r\n"));
        using MemcachedClient third = await MemcachedClient.ConnectAsync(server.Port);
        Assert.Equal("ERROR Too many open connections", await third.LineAsync());
        await Assert.ThrowsAnyAsync<IOException>(third.LineAsync);
        Assert.NotEqual("0", await first.StatAsync("rejected_connections"));
    }

    [Fact]
    public async Task Or_they_wait_until_another_goes()
    {
        await using MemcachedProcess server = await MemcachedProcess.StartAsync(
            null,
            "-c",
            "2",
            "-o",
            "no_maxconns_fast"
        );
        using MemcachedClient first = await ServedAsync(server);
        using MemcachedClient third = await MemcachedClient.ConnectAsync(server.Port);
        Task<string> answer;
        using (MemcachedClient second = await MemcachedClient.ConnectAsync(server.PlainPort))
        {
            // Whichever of the two comes first is served, and the other when it goes.
            answer = third.SendAsync("version\r\n");
            while (await first.StatAsync("accepting_conns") != "0")
            {
                // They are on their way.
            }
        }

        Assert.Equal(Version, await answer);
        Assert.Equal("0", await first.StatAsync("rejected_connections"));
        Assert.NotEqual("0", await first.StatAsync("listen_disabled_num"));
    }

    [Fact]
    public async Task More_clients_than_the_system_has_descriptors_for_are_refused_at_start()
    {
        RequireAll.Check(OperatingSystem.IsLinux() ? null : "descriptors have limits on Linux");
        RequireAll.Program("prlimit");
        RequireAll.Program("setpriv");
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

        // Root could raise the limit: it is started without that right.
        string[] without = Environment.IsPrivilegedProcess ? ["setpriv", "--bounding-set", "-sys_resource"] : [];
        ProgramRun run = await ProgramRun.Of(
            "prlimit",
            [
                "--nofile=1000:1000",
                .. without,
                dotnet,
                BuiltPrograms.Find("CamCube.Memcached"),
                "-c",
                "1001",
                "-p",
                "-1",
                "-u",
                "nobody",
            ]
        );
        Assert.Equal(
            "failed to set rlimit for open files. Try starting as root or requesting smaller maxconns value.",
            run.Error.TrimEnd()
        );
        Assert.Equal(71, run.ExitCode);
    }

    // The probe that waited for the start may still be counted.
    private static async Task<MemcachedClient> ServedAsync(MemcachedProcess server)
    {
        while (true)
        {
            MemcachedClient client = await MemcachedClient.ConnectAsync(server.Port);
            if (await client.SendAsync("version\r\n") == Version && await client.StatAsync("curr_connections") == "1")
            {
                return client;
            }

            client.Dispose();
        }
    }
}
