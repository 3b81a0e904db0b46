using System.ComponentModel.DataAnnotations;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class FrontEndTests : IAsyncDisposable
{
    private const string Version = "VERSION 1.6.18-camcube-0.1.0\r\n";
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);

    private readonly FakeGate _gate = new(new FakeCache()) { Mode = GateMode.Pool };
    private readonly MemcachedFrontEndOptions _options = new();
    private readonly ErrorLog<MemcachedFrontEnd> _log = new();
    private readonly MemcachedFrontEnd _frontEnd;

    public FrontEndTests() => _frontEnd = new MemcachedFrontEnd(_gate, _options, _log, TimeProvider.System);

    public async ValueTask DisposeAsync()
    {
        await _frontEnd.DisposeAsync();
        Assert.Empty(_log.Errors);
    }

    [Fact]
    public async Task It_serves_clients_over_TCP()
    {
        await StartAsync();
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
    public async Task A_client_that_ends_its_side_gets_all_answers()
    {
        await StartAsync();
        using SocketClient client = await ConnectAsync();
        await client.SendAsync("set a 0 0 1\r\nx\r\nget a\r\nversion\r\nget ");
        client.EndOutput();
        Assert.Equal($"STORED\r\nVALUE a 0 1\r\nx\r\nEND\r\n{Version}", await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task A_taken_port_is_told_in_one_line()
    {
        await StartAsync();
        int port = _frontEnd.Port;
        await using var second = new MemcachedFrontEnd(_gate, _options, _log, TimeProvider.System);
        FrontEndException error = await Assert.ThrowsAsync<FrontEndException>(async () =>
            await second.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, port), default)
        );
        Assert.True(error.IsPortInUse);
        Assert.Equal($"port {port} on 127.0.0.1 is taken by another process", error.Message);

        await _frontEnd.StopAsync();
        await second.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, port), default);
        Assert.Equal(port, second.Port);
    }

    [Fact]
    public async Task An_address_of_another_machine_is_told_in_one_line()
    {
        FrontEndException error = await Assert.ThrowsAsync<FrontEndException>(async () =>
            await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Parse("192.0.2.1"), 11211), default)
        );
        Assert.False(error.IsPortInUse);
        Assert.Equal("192.0.2.1 is not an address of this machine", error.Message);
    }

    [Fact]
    public async Task It_starts_when_the_cache_does_not_run_yet()
    {
        _gate.Failure = new ServiceUnavailableException("ICache");
        await StartAsync();
        _gate.Failure = null;
        using SocketClient client = await ConnectAsync();
        await client.AskAsync("get a\r\n", "END\r\n");
    }

    [Fact]
    public async Task Stop_disconnects_all_clients_and_closes_the_port_and_start_opens_it_again()
    {
        await StartAsync();
        int port = _frontEnd.Port;
        var clients = new List<SocketClient>();
        for (int i = 0; i < 10; i++)
        {
            clients.Add(await ConnectAsync());
            await clients[i].AskAsync("set a 0 0 1\r\nx\r\n", "STORED\r\n");
        }

        await _frontEnd.StopAsync();
        foreach (SocketClient client in clients)
        {
            Assert.Equal("", await client.ReceiveToEndAsync());
            client.Dispose();
        }

        SocketException refused = await Assert.ThrowsAnyAsync<SocketException>(() => SocketClient.ConnectAsync(port));
        Assert.Equal(SocketError.ConnectionRefused, refused.SocketErrorCode);
        await _frontEnd.StopAsync();

        // The closed connections are still known to the system: as after kill -9 the port must be free all the same.
        await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, port), default);
        using SocketClient again = await ConnectAsync();
        await again.AskAsync("version\r\n", Version);
    }

    [Fact]
    public async Task Drain_answers_what_was_received_and_accepts_nobody()
    {
        await StartAsync();
        int port = _frontEnd.Port;
        using SocketClient idle = await ConnectAsync();
        await idle.AskAsync("version\r\n", Version);
        using SocketClient half = await ConnectAsync();
        await half.AskAsync("version\r\nset a 0 0 10\r\nabc", Version);
        _gate.Mode = GateMode.Held;
        using SocketClient busy = await ConnectAsync();
        await busy.SendAsync("delete a\r\ndelete a\r\nversion\r\n");
        await _gate.WaitForHeldAsync(1);

        Task drain = _frontEnd.DrainAsync(default).AsTask();
        Assert.Equal("", await idle.ReceiveToEndAsync());
        Assert.Equal("", await half.ReceiveToEndAsync());
        await Assert.ThrowsAnyAsync<SocketException>(() => SocketClient.ConnectAsync(port));
        Assert.False(drain.IsCompleted);

        _gate.ReleaseAll();
        await _gate.WaitForHeldAsync(1);
        _gate.ReleaseAll();
        Assert.Equal($"NOT_FOUND\r\nNOT_FOUND\r\n{Version}", await busy.ReceiveToEndAsync());
        await drain.WaitAsync(TimeOut);
        Assert.Equal(0, _frontEnd.ConnectionCount);
    }

    [Fact]
    public async Task A_cancelled_drain_returns_and_stop_closes_the_rest()
    {
        await StartAsync();
        _gate.Mode = GateMode.Held;
        using SocketClient busy = await ConnectAsync();
        await busy.SendAsync("delete a\r\n");
        await _gate.WaitForHeldAsync(1);
        using var cancel = new CancellationTokenSource();
        Task drain = _frontEnd.DrainAsync(cancel.Token).AsTask();
        Assert.False(drain.IsCompleted);
        await cancel.CancelAsync();
        await drain.WaitAsync(TimeOut);
        await _frontEnd.StopAsync();
        Assert.Equal("", await busy.ReceiveToEndAsync());
        _gate.ReleaseAll();
    }

    [Fact]
    public async Task Too_many_clients_are_told_as_memcached_does()
    {
        _options.MaxConnections = 2;
        await StartAsync();
        using SocketClient first = await ConnectAsync();
        await first.AskAsync("version\r\n", Version);
        using SocketClient second = await ConnectAsync();
        await second.AskAsync("version\r\n", Version);
        using SocketClient third = await ConnectAsync();
        Assert.Equal("ERROR Too many open connections\r\n", await third.ReceiveToEndAsync());

        await first.SendAsync("quit\r\n");
        Assert.Equal("", await first.ReceiveToEndAsync());
        await AskUntilThereIsRoomAsync();
    }

    [Fact]
    public void Every_limit_has_a_range_that_its_default_is_in() =>
        Assert.All(
            typeof(MemcachedFrontEndOptions).GetProperties().Where(one => one.PropertyType == typeof(int)),
            property =>
            {
                RangeAttribute? range = property.GetCustomAttribute<RangeAttribute>();
                Assert.True(range?.IsValid(property.GetValue(_options)), property.Name);
            }
        );

    private async Task StartAsync() => await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);

    private Task<SocketClient> ConnectAsync() => SocketClient.ConnectAsync(_frontEnd.Port);

    private async Task AskUntilThereIsRoomAsync()
    {
        // A client sees its end a moment before the front end counts it.
        for (int i = 0; i < 10_000; i++)
        {
            using SocketClient client = await ConnectAsync();
            await client.SendAsync("version\r\nquit\r\n");
            if (await client.ReceiveToEndAsync() == Version)
            {
                return;
            }
        }

        throw new TimeoutException($"There are still {_frontEnd.ConnectionCount} clients.");
    }
}
