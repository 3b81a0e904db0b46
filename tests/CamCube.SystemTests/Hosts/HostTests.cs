using System.Net.Sockets;
using System.Text.Json;

namespace CamCube.SystemTests.Hosts;

public sealed class HostTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(15)]
    public async Task The_host_says_when_it_is_ready_and_stops_cleanly_on_a_signal(int signal)
    {
        await using HostProcess host = await HostProcess.StartAsync();
        Assert.Contains(
            $"CamCube ready: 27 servers (3x3x3), shim Simulator, "
                + $"memcached 127.0.0.1:{host.MemcachedPort}-{host.MemcachedPort + 26}, "
                + $"http 127.0.0.1:{host.HttpPort}-{host.HttpPort + 26}",
            host.Output
        );
        (int exitCode, TimeSpan took) = await host.EndAsync((PosixSignalNumber)signal);
        Assert.Equal(0, exitCode);
        Assert.True(took < TimeSpan.FromSeconds(5), $"It took {took}.");
    }

    [Fact]
    public async Task All_ports_are_one_cache()
    {
        await using HostProcess host = await HostProcess.StartAsync();
        for (int rank = 0; rank < 27; rank++)
        {
            using MemcachedClient writer = await MemcachedClient.ConnectAsync(host, rank);
            Assert.Equal("STORED", await writer.SetAsync($"key{rank}", $"value{rank}"));
            using MemcachedClient reader = await MemcachedClient.ConnectAsync(host, 26 - rank);
            Assert.Equal($"value{rank}", (await reader.GetsAsync($"key{rank}"))?.Value);
        }
    }

    [Fact]
    public async Task Killed_and_started_again_at_once_it_gets_ready()
    {
        HostProcess first = await HostProcess.StartAsync();
        using (MemcachedClient client = await MemcachedClient.ConnectAsync(first, 3))
        {
            Assert.Equal("STORED", await client.SetAsync("a", "1"));
            first.Signal(PosixSignalNumber.Kill);
            await first.WaitForEndAsync();
        }

        await using HostProcess second = await HostProcess.StartAsync(first.MemcachedPort, first.HttpPort);
        using MemcachedClient again = await MemcachedClient.ConnectAsync(second, 3);
        Assert.Null(await again.GetsAsync("a"));
        await first.DisposeAsync();
    }

    [Fact]
    public async Task A_taken_port_is_named_with_an_alternative()
    {
        int port = HostProcess.FreePorts(27);
        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        other.Bind(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, port + 5));
        other.Listen();
        (int exitCode, string output) = await HostProcess.RunToEndAsync(port, HostProcess.FreePorts(27));
        Assert.Equal(2, exitCode);
        Assert.Contains($"{port + 5}", output);
        Assert.Contains("CamCube:FrontEnds:memcached:Port", output);
        Assert.DoesNotContain("   at ", output);
    }

    [Fact]
    public async Task A_mistyped_setting_is_named_with_the_nearest_one()
    {
        (int exitCode, string output) = await HostProcess.RunToEndAsync(
            HostProcess.FreePorts(27),
            HostProcess.FreePorts(27),
            "--CamCube:Shpe=4x4x4"
        );
        Assert.Equal(2, exitCode);
        Assert.Contains("CamCube:Shpe", output);
        Assert.Contains("CamCube:Shape", output);
        Assert.DoesNotContain("   at ", output);
    }

    [Fact]
    public async Task A_stop_of_the_whole_process_for_five_seconds_loses_no_server()
    {
        await using HostProcess host = await HostProcess.StartAsync();
        using MemcachedClient client = await MemcachedClient.ConnectAsync(host, 0);
        Assert.Equal("STORED", await client.SetAsync("kept", "yes"));
        long[] before = await ViewVersionsAsync(host);
        host.Signal(PosixSignalNumber.Stop);
        await Task.Delay(TimeSpan.FromSeconds(5));
        host.Signal(PosixSignalNumber.Continue);

        // Twice the detection time: who was going to be suspected would be by then.
        await Task.Delay(TimeSpan.FromMilliseconds(400));
        Assert.Equal("yes", (await client.GetsAsync("kept"))?.Value);
        Assert.Equal(before, await ViewVersionsAsync(host));
    }

    private static async Task<long[]> ViewVersionsAsync(HostProcess host)
    {
        using JsonDocument status = JsonDocument.Parse(await host.Http.GetStringAsync("/api/status"));
        return
        [
            .. status
                .RootElement.GetProperty("servers")
                .EnumerateArray()
                .Select(s => s.GetProperty("viewVersion").GetInt64()),
        ];
    }
}
