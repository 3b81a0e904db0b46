using System.Net;
using System.Net.Sockets;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Connections;

/// <summary>One server of two misbehaves; nobody gets a wrong answer, and nobody is left without one.</summary>
public sealed class BadServerTests : IAsyncLifetime
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly TestClock _clock = new();
    private readonly FakeServer _good;
    private readonly FakeServer _bad;
    private readonly CacheFixture _fixture;

    public BadServerTests()
    {
        _good = new FakeServer(_clock);
        _bad = new FakeServer(_clock, _good);
        _fixture = CacheFixture.On(_clock, null, _bad, _good);
    }

    private IBufferDistributedCache Cache => _fixture.Cache;

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        await _fixture.DisposeAsync();
        await _bad.DisposeAsync();
        await _good.DisposeAsync();
    }

    [Theory]
    [InlineData("hello\r\n")]
    [InlineData("\0\0\0\0\n")]
    [InlineData("ERROR\r\n")]
    [InlineData("CLIENT_ERROR bad command line format\r\n")]
    [InlineData("HD O999\r\n")]
    [InlineData("EN O999\r\n")]
    [InlineData("VA 5 f1286360577 t-1 c1 O999\r\n\u0010evil\r\n")]
    [InlineData("VA 5 f1286360577 t-1 c1 O1\r\n\u0010evil!\r\n")]
    [InlineData("VA 2000000000 f1286360577 t-1 c1 O1\r\n")]
    [InlineData("VA 50 f1286360577 t-1 c1 O1\r\n\u0010half", true)]
    [InlineData("VA 50 f128", true)]
    [InlineData("", true)]
    public async Task Whatever_is_said_instead_of_an_answer_the_other_server_is_asked(string text, bool closes = false)
    {
        await Cache.SetStringAsync("a", "right");
        _bad.React = _ => new Reaction(text, ThenCloses: closes);
        int asked = _bad.Lines.Count;
        await UntilAsync(
            () => _bad.Lines.Count > asked,
            async () => Assert.Equal("right", await Cache.GetStringAsync("a"))
        );
        Assert.Equal("right", await Cache.GetStringAsync("a"));
        if (!closes)
        {
            Assert.Single(_fixture.Log.Of(6200));
            Assert.Contains("answer is not one of memcached's meta protocol", _fixture.Log.Of(6200).Single());
        }

        Assert.Empty(_fixture.Log.Of(6202));
    }

    [Fact]
    public async Task A_server_that_greets_with_a_refusal_is_left_alone()
    {
        _bad.Greeting = "ERROR Too many open connections\r\n";
        await UntilAsync(() => _fixture.Log.Of(6200).Any(), () => Cache.SetStringAsync("a", "x"));
        Assert.Contains(
            "the server said 'ERROR Too many open connections' without being asked",
            _fixture.Log.Of(6200).Single()
        );
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal("x", await Cache.GetStringAsync("a"));
        }

        Assert.Equal(1, _bad.Accepted);
    }

    [Fact]
    public async Task An_answer_that_is_overdue_is_fetched_from_the_other_server()
    {
        await Cache.SetStringAsync("a", "x");
        await BothOpenAsync();
        _bad.React = _ => Reaction.Hold;
        _good.React = _ => Reaction.Hold;
        Task<string?> read = Cache.GetStringAsync("a");
        await _good.WaitForCommandAsync();

        // One of them has the read, the other answers from now on.
        bool badHasIt = _bad.Lines.Any(line => line.StartsWith("mg", StringComparison.Ordinal));
        (badHasIt ? _good : _bad).React = _ => Reaction.Answer;
        _clock.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(read.IsCompleted);
        _clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal("x", await read.WaitAsync(TimeOut));
        Assert.Contains("no answer for 00:00:01", _fixture.Log.Of(6200).Single());
    }

    [Fact]
    public async Task All_commands_of_a_server_that_dies_are_done_by_the_other()
    {
        await BothOpenAsync();
        _bad.React = _ => Reaction.Hold;
        _good.React = _ => Reaction.Hold;
        Task[] writes = [.. Enumerable.Range(0, 50).Select(i => Cache.SetStringAsync($"k{i}", $"v{i}"))];
        for (int i = 0; i < 50; i++)
        {
            await _good.WaitForCommandAsync();
        }

        Assert.True(
            _bad.Lines.Count(line => line.StartsWith("ms k", StringComparison.Ordinal)) >= 20,
            "Writes are spread."
        );
        _good.React = _ => Reaction.Answer;
        await _good.ReleaseAsync();
        await _bad.StopAsync();
        await Task.WhenAll(writes).WaitAsync(TimeOut);
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal($"v{i}", await Cache.GetStringAsync($"k{i}"));
        }
    }

    [Fact]
    public async Task A_server_error_is_asked_of_the_other_server_and_the_connection_stays()
    {
        await BothOpenAsync();
        _bad.React = _ => new Reaction("SERVER_ERROR this server is cut off\r\n");
        int asked = _bad.Lines.Count;
        await UntilAsync(() => _bad.Lines.Count > asked + 3, () => Cache.SetStringAsync("a", "x"));
        Assert.Equal((1, 0), (_bad.Accepted, _fixture.Log.Lines.Count));

        _good.React = _bad.React;
        CamCubeCacheException error = await Assert.ThrowsAsync<CamCubeCacheException>(() => Cache.GetAsync("a"));
        Assert.Equal(CacheFailure.Refused, error.Failure);
        Assert.EndsWith(" answered 'SERVER_ERROR this server is cut off'", error.Message);
    }

    [Fact]
    public async Task A_server_that_does_not_read_holds_a_bounded_part_and_callers_can_leave()
    {
        using var deaf = new TcpListener(IPAddress.Loopback, 0);
        deaf.Start();
        await using var fixture = new CacheFixture(
            _clock,
            options =>
            {
                options.Servers = [$"127.0.0.1:{((IPEndPoint)deaf.LocalEndpoint).Port}"];
                options.ConnectionsPerServer = 1;
            }
        );
        using var leave = new CancellationTokenSource();
        byte[] value = new byte[4 << 20];
        Task[] writes =
        [
            .. Enumerable.Range(0, 30).Select(i => fixture.Cache.SetAsync($"k{i}", value, new(), leave.Token)),
        ];
        using Socket connection = await deaf.AcceptSocketAsync();
        await leave.CancelAsync();
        foreach (Task write in writes)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write.WaitAsync(TimeOut));
        }

        // Who stays is told when the answer is overdue.
        Task stays = fixture.Cache.SetAsync("a", value, new());
        await Assert.ThrowsAsync<CamCubeCacheException>(async () =>
        {
            while (!stays.IsCompleted)
            {
                _clock.Advance(TimeSpan.FromSeconds(1));
                await Task.Yield();
            }

            await stays;
        });
    }

    private async Task BothOpenAsync()
    {
        int before = _bad.Lines.Count;
        await UntilAsync(
            () => _bad.Lines.Count > before && !_good.Lines.IsEmpty,
            () => Cache.SetStringAsync("warm", "x")
        );
        _good.ForgetCommands();
    }

    private static async Task UntilAsync(Func<bool> condition, Func<Task> step)
    {
        for (int i = 0; i < 100_000; i++)
        {
            await step();
            if (condition())
            {
                return;
            }
        }

        Assert.Fail("It never came.");
    }
}
