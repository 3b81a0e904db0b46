using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>The front end in the loop of a live cube of two servers: half of the keys are at the other one.</summary>
public sealed class LoopFrontEndTests : IAsyncLifetime
{
    private readonly MemcachedFrontEndOptions _options = new();
    private readonly LoopBed _bed;

    public LoopFrontEndTests() => _bed = new LoopBed(new TorusShape(2, 1, 1), new CacheOptions(), _options);

    public ValueTask InitializeAsync() => _bed.StartAsync();

    public ValueTask DisposeAsync() => _bed.DisposeAsync();

    [Fact]
    public async Task All_transcripts_are_answered_as_on_pool_threads()
    {
        using SocketClient client = await ConnectAsync();
        foreach ((string name, string request, string reply) in Transcripts.All)
        {
            if (name is "quit" or "HTTP" or "half a command" or "line ends" or "cas")
            {
                continue;
            }

            await client.AskAsync(request + "flush_all\r\n", reply + "OK\r\n");
        }
    }

    [Fact]
    public async Task Answers_keep_the_order_of_commands_with_keys_here_and_there()
    {
        using SocketClient client = await ConnectAsync();
        (string request, string reply) = Conversation(keys: 500, valueLength: 300);
        await client.AskAsync(request, reply);
    }

    [Fact]
    public async Task Commands_may_come_byte_by_byte()
    {
        using SocketClient client = await ConnectAsync();
        (string request, string reply) = Conversation(keys: 8, valueLength: 20);
        foreach (char one in request)
        {
            await client.SendAsync(one.ToString());
        }

        await client.ExpectAsync(reply);
    }

    [Fact]
    public async Task A_client_that_reads_late_gets_everything_and_others_are_served_meanwhile()
    {
        string value = new('v', 100_000);
        using SocketClient late = await _bed.ConnectAsync(receiveBuffer: 4096);
        for (int i = 0; i < 4; i++)
        {
            await late.AskAsync($"set big{i} 0 0 {value.Length}\r\n{value}\r\n", "STORED\r\n");
        }

        var replies = new StringBuilder();
        for (int i = 0; i < 400; i++)
        {
            await late.SendAsync($"get big{i % 4}\r\n");
            replies.Append($"VALUE big{i % 4} 0 {value.Length}\r\n{value}\r\nEND\r\n");
        }

        using SocketClient other = await ConnectAsync();
        (string request, string reply) = Conversation(keys: 50, valueLength: 300);
        await other.AskAsync(request, reply);
        await late.ExpectAsync(replies.ToString());
    }

    [Fact]
    public async Task A_client_that_ends_its_side_gets_all_answers()
    {
        using SocketClient client = await ConnectAsync();
        (string request, string reply) = Conversation(keys: 100, valueLength: 300);
        await client.SendAsync(request + "get ");
        client.EndOutput();
        Assert.Equal(reply, await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task Clients_that_go_in_the_middle_disturb_nobody()
    {
        (string request, string _) = Conversation(keys: 100, valueLength: 3000);
        for (int i = 0; i < 50; i++)
        {
            using SocketClient gone = await ConnectAsync();
            await gone.SendAsync(request[..(request.Length * (i + 1) / 50)]);
        }

        using SocketClient client = await ConnectAsync();
        (request, string reply) = Conversation(keys: 20, valueLength: 30, name: "other");
        await client.AskAsync(request, reply);
        while (_bed.FrontEnd.ConnectionCount > 1)
        {
            await client.AskAsync("version\r\n", "VERSION 1.6.18-camcube-0.1.0\r\n");
        }
    }

    [Fact]
    public async Task A_thousand_clients_are_served()
    {
        _options.MaxConnections = 2000;
        var clients = new List<SocketClient>();
        for (int i = 0; i < 1000; i++)
        {
            clients.Add(await ConnectAsync());
        }

        for (int i = 0; i < 1000; i++)
        {
            await clients[i].SendAsync($"set key{i} 0 0 3\r\n{i:000}\r\nget key{i}\r\n");
        }

        for (int i = 0; i < 1000; i++)
        {
            await clients[i].ExpectAsync($"STORED\r\nVALUE key{i} 0 3\r\n{i:000}\r\nEND\r\n");
            clients[i].Dispose();
        }
    }

    [Fact]
    public async Task A_client_that_never_reads_is_closed_and_counted_and_a_silent_one_too()
    {
        await _bed.FrontEnd.StopAsync();
        (_options.StallTimeout, _options.IdleTimeout) = (1, 1);
        await _bed.FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        using SocketClient silent = await ConnectAsync();
        using SocketClient deaf = await _bed.ConnectAsync(receiveBuffer: 4096);
        string value = new('v', 500_000);
        await deaf.AskAsync($"set big 0 0 {value.Length}\r\n{value}\r\n", "STORED\r\n");
        await deaf.SendAsync(string.Concat(Enumerable.Repeat("get big\r\n", 100)));
        Assert.Equal("", await silent.ReceiveToEndAsync());
        while (_bed.FrontEnd.ConnectionCount > 0)
        {
            await AllocatedOnTheLoopAsync();
        }

        using SocketClient other = await ConnectAsync();
        await other.SendAsync("stats\r\nquit\r\n");
        string stats = await other.ReceiveToEndAsync();
        Assert.Contains("STAT stalled_connections 1\r\n", stats, StringComparison.Ordinal);
        Assert.Contains("STAT idle_kicks 1\r\n", stats, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Too_many_clients_are_told_as_memcached_does()
    {
        _options.MaxConnections = 1;
        using SocketClient first = await ConnectAsync();
        await first.AskAsync("version\r\n", "VERSION 1.6.18-camcube-0.1.0\r\n");
        using SocketClient second = await ConnectAsync();
        Assert.Equal("ERROR Too many open connections\r\n", await second.ReceiveToEndAsync());
    }

    [Fact]
    public async Task A_client_over_the_limit_may_have_to_wait_until_another_goes()
    {
        (_options.MaxConnections, _options.RejectOverLimit) = (1, false);
        using SocketClient first = await ConnectAsync();
        await first.AskAsync("version\r\n", "VERSION 1.6.18-camcube-0.1.0\r\n");
        using SocketClient second = await ConnectAsync();
        await second.SendAsync("version\r\n");
        while (await first.StatAsync("accepting_conns") != "0")
        {
            // The second comes to the loop a moment after it has connected.
        }

        Assert.Equal("1", await first.StatAsync("listen_disabled_num"));
        await first.SendAsync("quit\r\n");
        await second.ExpectAsync("VERSION 1.6.18-camcube-0.1.0\r\n");

        // It is full again, and so has not begun to accept in between.
        Assert.Equal("1", await second.StatAsync("listen_disabled_num"));
        Assert.Equal("2", await second.StatAsync("total_connections"));
        Assert.Equal("0", await second.StatAsync("rejected_connections"));
    }

    [Fact]
    public async Task Stop_disconnects_all_clients_and_start_opens_the_port_again()
    {
        int port = _bed.FrontEnd.Port;
        using SocketClient client = await ConnectAsync();
        await client.AskAsync("get a\r\n", "END\r\n");
        await _bed.FrontEnd.StopAsync();
        Assert.Equal("", await client.ReceiveToEndAsync());
        await Assert.ThrowsAnyAsync<SocketException>(() => SocketClient.ConnectAsync(port));
        await _bed.FrontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, port), default);
        using SocketClient again = await ConnectAsync();
        await again.AskAsync("get a\r\n", "END\r\n");
    }

    [Fact]
    public async Task Drain_answers_what_was_received_and_accepts_nobody()
    {
        int port = _bed.FrontEnd.Port;
        using SocketClient idle = await ConnectAsync();
        await idle.AskAsync("get a\r\n", "END\r\n");
        using SocketClient half = await ConnectAsync();
        await half.AskAsync("get a\r\nset a 0 0 10\r\nabc", "END\r\n");
        await _bed.FrontEnd.DrainAsync(default).AsTask().WaitAsync(LoopBed.TimeOut);
        Assert.Equal("", await idle.ReceiveToEndAsync());
        Assert.Equal("", await half.ReceiveToEndAsync());
        await Assert.ThrowsAnyAsync<SocketException>(() => SocketClient.ConnectAsync(port));
    }

    [Fact]
    public async Task A_server_that_is_stopped_says_so_and_serves_again_when_it_runs()
    {
        using SocketClient client = await ConnectAsync();
        await _bed.Cube.StopServerAsync(0);
        await client.AskAsync(
            "set a 0 0 1\r\nx\r\n",
            "SERVER_ERROR this server is cut off from the cube or stopping\r\n"
        );
        await _bed.Cube.StartServerAsync(0);
        await client.AskAsync("set a 0 0 1\r\nx\r\nget a\r\n", "STORED\r\nVALUE a 0 1\r\nx\r\nEND\r\n");
    }

    [Fact]
    public async Task Commands_for_keys_of_this_server_allocate_nothing()
    {
        using SocketClient client = await ConnectAsync();
        string key = "";
        for (int i = 0; key == ""; i++)
        {
            if (Key.OfName($"key{i}").HomeIn(_bed.Cube.Shape) == _bed.Cube.Shape.At(0))
            {
                key = $"key{i}";
            }
        }

        // Reads only: until values are kept in memory of the store's own, each set makes an array.
        byte[] request = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat($"get {key}\r\n", 100)));
        string reply = string.Concat(Enumerable.Repeat($"VALUE {key} 0 5\r\nhello\r\nEND\r\n", 100));
        await client.AskAsync($"set {key} 0 0 5\r\nhello\r\n", "STORED\r\n");
        for (int i = 0; i < 100; i++)
        {
            await SendAndExpectAsync(client, request, reply);
        }

        long least = long.MaxValue;
        for (int i = 0; i < 20; i++)
        {
            long before = await AllocatedOnTheLoopAsync();
            for (int j = 0; j < 5; j++)
            {
                await SendAndExpectAsync(client, request, reply);
            }

            least = Math.Min(least, await AllocatedOnTheLoopAsync() - before);
        }

        // The call that asks is not free of it; 500 commands must not add to that.
        Assert.InRange(least, 0, 400);
    }

    private static (string Request, string Reply) Conversation(int keys, int valueLength, string name = "conversation")
    {
        var request = new StringBuilder();
        var reply = new StringBuilder();
        for (int i = 0; i < keys; i++)
        {
            string value = $"{i}-".PadRight(valueLength, (char)('a' + (i % 26)));
            request.Append($"set {name}{i} {i} 0 {value.Length}\r\n{value}\r\nget {name}{i}\r\n");
            reply.Append($"STORED\r\nVALUE {name}{i} {i} {value.Length}\r\n{value}\r\nEND\r\n");
        }

        return (request.ToString(), reply.ToString());
    }

    private static async Task SendAndExpectAsync(SocketClient client, byte[] request, string reply)
    {
        await client.SendAsync(request);
        await client.ExpectAsync(reply);
    }

    private async Task<long> AllocatedOnTheLoopAsync() =>
        await _bed
            .Cube.GateOf(0)
            .CallAsync<ICache, int, long>(
                static (_, _) => ValueTask.FromResult(GC.GetAllocatedBytesForCurrentThread()),
                0
            );

    private Task<SocketClient> ConnectAsync() => _bed.ConnectAsync();
}
