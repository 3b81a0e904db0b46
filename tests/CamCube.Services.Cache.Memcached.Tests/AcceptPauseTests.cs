using System.Net;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A front end on pool threads where clients over the limit have to wait.</summary>
public sealed class AcceptPauseTests : IAsyncDisposable
{
    private const string Version = "VERSION 1.6.18-camcube-0.1.0\r\n";
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly TestClock _clock = new();
    private readonly ErrorLog<MemcachedFrontEnd> _log = new();
    private readonly MemcachedFrontEnd _frontEnd;

    public AcceptPauseTests() =>
        _frontEnd = new MemcachedFrontEnd(
            new FakeGate(new FakeCache()) { Mode = GateMode.Pool },
            new MemcachedFrontEndOptions { MaxConnections = 2, RejectOverLimit = false },
            _log,
            _clock
        );

    public async ValueTask DisposeAsync()
    {
        await _frontEnd.DisposeAsync();
        Assert.Empty(_log.Errors);
    }

    [Fact]
    public async Task A_client_over_the_limit_is_served_when_another_goes_and_the_time_until_then_is_counted()
    {
        await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        using SocketClient first = await SocketClient.ConnectAsync(_frontEnd.Port);
        await first.AskAsync("version\r\n", Version);
        using SocketClient second = await SocketClient.ConnectAsync(_frontEnd.Port);
        await second.AskAsync("version\r\n", Version);
        using SocketClient third = await SocketClient.ConnectAsync(_frontEnd.Port);
        await third.SendAsync("version\r\n");
        while (await first.StatAsync("accepting_conns") != "0")
        {
            // It is noticed a moment after the second was accepted.
        }

        // Looking again without room is no new pause.
        _clock.Advance(TimeSpan.FromSeconds(5));
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("1", await first.StatAsync("listen_disabled_num"));
        Assert.Equal("0", await first.StatAsync("rejected_connections"));
        await second.SendAsync("quit\r\n");
        await third.ExpectAsync(Version);
        Assert.Equal("3", await third.StatAsync("total_connections"));
        Assert.Equal("10000000", await third.StatAsync("time_in_listen_disabled_us"));
    }

    [Fact]
    public async Task It_stops_in_the_middle_of_a_pause()
    {
        await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        using SocketClient first = await SocketClient.ConnectAsync(_frontEnd.Port);
        using SocketClient second = await SocketClient.ConnectAsync(_frontEnd.Port);
        while (await first.StatAsync("accepting_conns") != "0")
        {
            // As above.
        }

        await _frontEnd.StopAsync().AsTask().WaitAsync(TimeOut);
        await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        using SocketClient again = await SocketClient.ConnectAsync(_frontEnd.Port);
        Assert.Equal("1", await again.StatAsync("accepting_conns"));
    }
}
