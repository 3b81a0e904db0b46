using System.Net;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class CrowdTests : IAsyncDisposable
{
    private const string Version = "VERSION 1.6.18-camcube-0.1.0\r\n";

    private readonly FakeCache _cache = new();
    private readonly FakeGate _gate;
    private readonly ErrorLog<MemcachedFrontEnd> _log = new();
    private readonly MemcachedFrontEnd _frontEnd;

    public CrowdTests()
    {
        _gate = new FakeGate(_cache) { Mode = GateMode.Pool };
        _frontEnd = new MemcachedFrontEnd(_gate, new MemcachedFrontEndOptions(), _log, TimeProvider.System);
    }

    public async ValueTask DisposeAsync()
    {
        await _frontEnd.DisposeAsync();
        Assert.Empty(_log.Errors);
    }

    [Fact]
    public async Task A_thousand_clients_with_half_a_command_cost_only_themselves()
    {
        await StartAsync();
        var clients = new List<SocketClient>();
        for (int i = 0; i < 1000; i++)
        {
            clients.Add(await SocketClient.ConnectAsync(_frontEnd.Port));
            await clients[i].SendAsync(i % 2 == 0 ? $"set k{i} 0 0 4\r\nab" : $"get k{i - 1}");
        }

        using SocketClient other = await SocketClient.ConnectAsync(_frontEnd.Port);
        await other.AskAsync("set a 0 0 1\r\nx\r\nget a\r\n", "STORED\r\nVALUE a 0 1\r\nx\r\nEND\r\n");

        for (int i = 0; i < 1000; i += 2)
        {
            await clients[i].AskAsync("cd\r\n", "STORED\r\n");
        }

        for (int i = 1; i < 1000; i += 2)
        {
            await clients[i].AskAsync("\r\n", $"VALUE k{i - 1} 0 4\r\nabcd\r\nEND\r\n");
        }

        Assert.Equal(1001, _frontEnd.ConnectionCount);
        foreach (SocketClient client in clients)
        {
            client.Dispose();
        }
    }

    [Fact]
    public async Task Many_clients_at_once_get_their_own_answers()
    {
        await StartAsync();
        await Task.WhenAll(
            Enumerable
                .Range(0, 20)
                .Select(async number =>
                {
                    using SocketClient client = await SocketClient.ConnectAsync(_frontEnd.Port);
                    for (int round = 0; round < 20; round++)
                    {
                        string value = new((char)('a' + number), 1 + (number * 997) + (round * 2003));
                        await client.AskAsync(
                            $"set k{number} {round} 0 {value.Length}\r\n{value}\r\nget x k{number} y\r\nversion\r\n",
                            $"STORED\r\nVALUE k{number} {round} {value.Length}\r\n{value}\r\nEND\r\n{Version}"
                        );
                    }
                })
        );
    }

    [Fact]
    public async Task A_client_that_does_not_read_holds_a_bounded_number_of_values()
    {
        await StartAsync();
        string value = new('x', 1 << 20);
        using SocketClient slow = await SocketClient.ConnectAsync(_frontEnd.Port, receiveBuffer: 4096);
        await slow.AskAsync($"set a 0 0 1048576\r\n{value}\r\n", "STORED\r\n");
        int reads = 0;
        _cache.Fault = request =>
        {
            Interlocked.Increment(ref reads);
            return null;
        };
        await slow.SendAsync(string.Concat(Enumerable.Repeat("get a\r\n", 60)));

        // Others are served meanwhile; on a busy machine the first read may take its time.
        using SocketClient other = await SocketClient.ConnectAsync(_frontEnd.Port);
        while (Volatile.Read(ref reads) == 0)
        {
            await other.AskAsync("version\r\n", Version);
        }

        for (int i = 0; i < 500; i++)
        {
            await other.AskAsync("version\r\n", Version);
        }

        Assert.InRange(reads, 1, 20);

        string answer = $"VALUE a 0 1048576\r\n{value}\r\nEND\r\n";
        for (int i = 0; i < 60; i++)
        {
            await slow.ExpectAsync(answer);
        }

        Assert.Equal(60, reads);
    }

    [Fact]
    public async Task Random_bytes_kill_nobody_else()
    {
        await StartAsync();
        var random = new Random(20230);
        using SocketClient other = await SocketClient.ConnectAsync(_frontEnd.Port);
        for (int i = 0; i < 200; i++)
        {
            using SocketClient client = await SocketClient.ConnectAsync(_frontEnd.Port);
            var bytes = new byte[random.Next(1, 5000)];
            random.NextBytes(bytes);
            await client.SendAsync(bytes);
            await other.AskAsync("version\r\n", Version);
        }
    }

    private async Task StartAsync() => await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
}
