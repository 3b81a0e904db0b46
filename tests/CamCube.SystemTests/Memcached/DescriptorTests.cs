using System.Net.Security;
using CamCube.Services.Cache.Memcached.Tests.Tls;
using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Memcached;

/// <summary>A server without file descriptors: clients in its loop, and clients of TLS on threads of the
/// pool.</summary>
public sealed class DescriptorTests
{
    private const string Version = "VERSION 1.6.18-camcube-0.1.0";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_is_connected_is_served_and_others_are_when_there_are_descriptors_again(bool hasTls)
    {
        RequireAll.Check(OperatingSystem.IsLinux() ? null : "limits of another process are set on Linux only");
        RequireAll.Program("prlimit");
        using var certificates = new TestCertificates();
        SslClientAuthenticationOptions? terms = hasTls ? certificates.ClientTerms() : null;
        await using MemcachedProcess server = await MemcachedProcess.StartAsync(
            hasTls ? certificates : null,
            "-c",
            "500"
        );
        using MemcachedClient observer = await MemcachedClient.ConnectAsync(server.PlainPort);
        List<MemcachedClient> connected = [];
        for (int i = 0; i < 60; i++)
        {
            connected.Add(await MemcachedClient.ConnectAsync(server.Port, terms));
            Assert.Equal(Version, await connected[i].SendAsync("version\r\n"));
        }

        // The ends of others are what helps first.
        await server.LimitDescriptorsAsync(LimitThatLeaves(5, server));
        Task<MemcachedClient>[] waiting = await CrowdAsync(server, observer, terms, pausesBefore: 0);
        foreach (MemcachedClient client in connected)
        {
            Assert.Equal(Version, await client.SendAsync("version\r\n"));
        }

        connected.ForEach(client => client.Dispose());
        connected = [.. await Task.WhenAll(waiting).WaitAsync(Patience)];

        // Then a limit that is raised, of which nobody tells.
        int pauses = int.Parse(await observer.StatAsync("listen_disabled_num"));
        await server.LimitDescriptorsAsync(LimitThatLeaves(5, server));
        waiting = await CrowdAsync(server, observer, terms, pauses);
        await server.LimitDescriptorsAsync(700);
        connected.AddRange(await Task.WhenAll(waiting).WaitAsync(Patience));
        Assert.NotEqual("0", await observer.StatAsync("time_in_listen_disabled_us"));
        foreach (MemcachedClient client in connected)
        {
            Assert.Equal(Version, await client.SendAsync("version\r\n"));
        }

        connected.ForEach(client => client.Dispose());
    }

    // A descriptor is the lowest number that is free, and what the runtime has closed since its start is free.
    private static int LimitThatLeaves(int free, MemcachedProcess server)
    {
        HashSet<int> taken = [.. server.Descriptors];
        int limit = 0;
        for (int left = free; left > 0; limit++)
        {
            left -= taken.Contains(limit) ? 0 : 1;
        }

        return limit;
    }

    // More clients than there are descriptors: ends when the server has noticed.
    private static async Task<Task<MemcachedClient>[]> CrowdAsync(
        MemcachedProcess server,
        MemcachedClient observer,
        SslClientAuthenticationOptions? terms,
        int pausesBefore
    )
    {
        Task<MemcachedClient>[] crowd =
        [
            .. Enumerable
                .Range(0, 20)
                .Select(async _ =>
                {
                    MemcachedClient client = await MemcachedClient.ConnectAsync(server.Port, terms);
                    Assert.Equal(Version, await client.SendAsync("version\r\n"));
                    return client;
                }),
        ];
        while (int.Parse(await observer.StatAsync("listen_disabled_num")) <= pausesBefore)
        {
            Assert.DoesNotContain(crowd, one => one.IsFaulted);
            Assert.False(crowd.All(one => one.IsCompleted), "Everybody was served: there were descriptors.");
        }

        Assert.Equal("0", await observer.StatAsync("accepting_conns"));
        return crowd;
    }
}
