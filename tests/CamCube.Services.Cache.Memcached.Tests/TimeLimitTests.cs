using System.Net;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.Cache.Memcached.Tests.Tls;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>What clients on pool threads may take their time with, and what not; with TLS and without.</summary>
public sealed class TimeLimitTests : IAsyncDisposable
{
    private const string Version = "VERSION 1.6.18-camcube-0.1.0\r\n";
    private static readonly string Large = new('v', 1 << 20);

    private readonly TestCertificates _certificates = new();
    private readonly TestClock _clock = new();
    private readonly FakeCache _cache = new();
    private readonly ErrorLog<MemcachedFrontEnd> _log = new();
    private readonly MemcachedFrontEndOptions _options;
    private readonly MemcachedFrontEnd _frontEnd;

    public TimeLimitTests()
    {
        _options = _certificates.ServerOptions();
        _frontEnd = new MemcachedFrontEnd(new FakeGate(_cache) { Mode = GateMode.Pool }, _options, _log, _clock);
    }

    public async ValueTask DisposeAsync()
    {
        await _frontEnd.DisposeAsync();
        _certificates.Dispose();
        Assert.Empty(_log.Errors);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_silent_client_is_closed_and_counted_and_one_that_speaks_is_not(bool hasTls)
    {
        _options.IdleTimeout = 20;
        await StartAsync(hasTls);
        using SocketClient silent = await ConnectAsync(hasTls);
        await silent.AskAsync("version\r\n", Version);
        using SocketClient half = await ConnectAsync(hasTls);
        await half.AskAsync("version\r\nget half", Version);
        using SocketClient speaking = await ConnectAsync(hasTls);
        for (int i = 0; i < 4; i++)
        {
            await speaking.AskAsync("version\r\n", Version);
            Assert.Equal("0", await speaking.StatAsync("idle_kicks"));
            _clock.Advance(TimeSpan.FromSeconds(4));
        }

        // Ends in order: a client of TLS gets the last word, or it would take this for an attack.
        await speaking.AskAsync("version\r\n", Version);
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("", await silent.ReceiveToEndAsync());
        Assert.Equal("", await half.ReceiveToEndAsync());
        Assert.Equal("2", await speaking.StatAsync("idle_kicks"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_client_that_never_reads_is_closed_and_counted_and_holds_little_until_then(bool hasTls)
    {
        _options.StallTimeout = 20;
        await StartAsync(hasTls);
        using SocketClient deaf = await ConnectAsync(hasTls, receiveBuffer: 4096);
        await deaf.AskAsync($"set a 0 0 {Large.Length}\r\n{Large}\r\n", "STORED\r\n");
        int reads = 0;
        _cache.Fault = request =>
        {
            Interlocked.Increment(ref reads);
            return null;
        };
        await deaf.SendAsync(string.Concat(Enumerable.Repeat("get a\r\n", 60)));

        // What the system takes for it is taken when the count stands still.
        using (SocketClient other = await ConnectAsync(hasTls))
        {
            for (int seen = -1; seen != Volatile.Read(ref reads) || seen <= 0; )
            {
                seen = Volatile.Read(ref reads);
                for (int i = 0; i < 200; i++)
                {
                    await other.AskAsync("version\r\n", Version);
                }
            }
        }

        // Nobody else is there when the clock jumps: the front end may not have seen yet that it has sent an answer
        // that its client has already, and would take that client for deaf, too.
        while (_frontEnd.ConnectionCount > 1)
        {
            await Task.Yield();
        }

        Assert.InRange(reads, 1, 20);
        while (_frontEnd.ConnectionCount > 0)
        {
            _clock.Advance(TimeSpan.FromSeconds(30));
            await Task.Yield();
        }

        using SocketClient late = await ConnectAsync(hasTls);
        Assert.Equal("1", await late.StatAsync("stalled_connections"));
        Assert.InRange(reads, 1, 20);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_slow_reader_is_served_to_the_end_as_long_as_it_reads_now_and_then(bool hasTls)
    {
        _options.StallTimeout = 20;
        await StartAsync(hasTls);
        using SocketClient slow = await ConnectAsync(hasTls, receiveBuffer: 4096);
        await slow.AskAsync($"set a 0 0 {Large.Length}\r\n{Large}\r\n", "STORED\r\n");
        const int Answers = 32,
            AtOnce = 2;
        await slow.SendAsync(string.Concat(Enumerable.Repeat("get a\r\n", Answers)));
        string hit = $"VALUE a 0 {Large.Length}\r\n{Large}\r\nEND\r\n";
        using SocketClient other = await ConnectAsync(hasTls);

        // 10 seconds for 2 MiB, which the system's buffers do not hide: together many times the limit. The last answers
        // may all be on their way by then.
        for (int done = 0; done < Answers; done++)
        {
            if (done % AtOnce == 0 && done <= Answers / 2)
            {
                while (await SecondsSinceAsync(other, slow) != "0")
                {
                    // The front end learns on a thread of its own what was taken.
                }

                _clock.Advance(TimeSpan.FromSeconds(10));
            }

            await slow.ExpectAsync(hit);
        }

        await slow.AskAsync("version\r\n", Version);
        Assert.Equal("0", await slow.StatAsync("stalled_connections"));
    }

    [Fact]
    public async Task Without_limits_nobody_is_closed_and_no_timer_runs()
    {
        (_options.StallTimeout, _options.IdleTimeout, _options.TlsHandshakeTimeout) = (0, 0, 0);
        await StartAsync(hasTls: true);
        using SocketClient shaking = await SocketClient.ConnectAsync(_frontEnd.Port);
        using SocketClient silent = await ConnectAsync(hasTls: true);
        _clock.Advance(TimeSpan.FromDays(1));
        await silent.AskAsync("version\r\n", Version);
        Assert.Equal(2, _frontEnd.ConnectionCount);
    }

    private static async Task<string> SecondsSinceAsync(SocketClient asking, SocketClient client)
    {
        await asking.SendAsync("stats conns\r\n");
        string[] words = (await asking.ReceiveUntilAsync("END\r\n")).Split("\r\n");
        string number = words
            .Single(line => line.EndsWith($":addr tcp:127.0.0.1:{client.LocalPort}", StringComparison.Ordinal))
            .Split(':')[0];
        return words
            .Single(line => line.StartsWith($"{number}:secs_since_last_cmd ", StringComparison.Ordinal))
            .Split(' ')[^1];
    }

    private async Task StartAsync(bool hasTls)
    {
        _options.Tls = hasTls;
        await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
    }

    private Task<SocketClient> ConnectAsync(bool hasTls, int? receiveBuffer = null) =>
        hasTls
            ? SocketClient.ConnectTlsAsync(_frontEnd.Port, _certificates.ClientTerms(), receiveBuffer)
            : SocketClient.ConnectAsync(_frontEnd.Port, receiveBuffer);
}
