using System.Buffers;
using System.Text;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Connections;

/// <summary>Many callers, few connections.</summary>
public sealed class SharingTests : IAsyncLifetime
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly TestClock _clock = new();
    private readonly FakeServer _server;

    public SharingTests() => _server = new FakeServer(_clock);

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Commands_do_not_wait_for_each_others_answers()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        _server.React = _ => Reaction.Hold;
        Task[] writes = [.. Enumerable.Range(0, 50).Select(i => fixture.Cache.SetStringAsync($"k{i}", $"{i}"))];
        for (int i = 0; i < 50; i++)
        {
            await _server.WaitForCommandAsync();
        }

        Assert.DoesNotContain(writes, write => write.IsCompleted);
        await _server.ReleaseAsync();
        await Task.WhenAll(writes).WaitAsync(TimeOut);
        Assert.Equal(1, _server.Accepted);
    }

    [Fact]
    public async Task A_further_connection_is_made_when_one_is_busy_up_to_the_limit()
    {
        await using CacheFixture fixture = CacheFixture.On(
            _clock,
            options => options.ConnectionsPerServer = 2,
            _server
        );
        await fixture.Cache.SetStringAsync("a", "x");
        await fixture.Cache.SetStringAsync("a", "x");
        Assert.Equal(1, _server.Accepted);
        _server.React = _ => Reaction.Hold;
        var reads = new List<Task<string?>> { fixture.Cache.GetStringAsync("a"), fixture.Cache.GetStringAsync("a") };
        await _server.WaitForAcceptAsync();
        await _server.WaitForAcceptAsync();
        for (int i = 0; i < 20; i++)
        {
            reads.Add(fixture.Cache.GetStringAsync("a"));
        }

        Task all = Task.WhenAll(reads);
        while (!all.IsCompleted)
        {
            await _server.ReleaseAsync();
            await Task.Yield();
        }

        Assert.All(await Task.WhenAll(reads), value => Assert.Equal("x", value));
        Assert.Equal(2, _server.Accepted);
    }

    [Fact]
    public async Task A_caller_that_leaves_gets_nothing_later_and_the_others_get_their_own()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        await fixture.Cache.SetStringAsync("a", "first");
        await fixture.Cache.SetStringAsync("b", "second");
        _server.ForgetCommands();
        _server.React = _ => Reaction.Hold;
        using var leave = new CancellationTokenSource();
        var into = new ArrayBufferWriter<byte>();
        Task<bool> left = fixture.Cache.TryGetAsync("a", into, leave.Token).AsTask();
        await _server.WaitForCommandAsync();
        Task<string?> stays = fixture.Cache.GetStringAsync("b");
        await _server.WaitForCommandAsync();
        await leave.CancelAsync();
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);
        Assert.Equal(leave.Token, error.CancellationToken);
        await _server.ReleaseAsync();
        Assert.Equal("second", await stays.WaitAsync(TimeOut));
        Assert.Equal((0, 1), (into.WrittenCount, _server.Accepted));
        Assert.Empty(fixture.Log.Lines);
    }

    [Fact]
    public async Task Callers_that_leave_at_any_instant_never_put_the_connection_out_of_step()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        for (int i = 0; i < 16; i++)
        {
            await fixture.Cache.SetStringAsync($"k{i}", new string((char)('a' + i), 1 + (i * 700)));
        }

        int left = 0;
        await Task.WhenAll(
                Enumerable
                    .Range(0, 16)
                    .Select(async number =>
                    {
                        var random = new Random(number);
                        for (int round = 0; round < 200; round++)
                        {
                            using var leave = new CancellationTokenSource();
                            var into = new ArrayBufferWriter<byte>();
                            ValueTask<bool> read = fixture.Cache.TryGetAsync($"k{number}", into, leave.Token);
                            if (random.Next(3) == 0)
                            {
                                for (int spin = random.Next(40); spin > 0; spin--)
                                {
                                    await Task.Yield();
                                }

                                await leave.CancelAsync();
                            }

                            try
                            {
                                Assert.True(await read);
                                Assert.Equal(
                                    new string((char)('a' + number), 1 + (number * 700)),
                                    Encoding.Latin1.GetString(into.WrittenSpan)
                                );
                            }
                            catch (OperationCanceledException)
                            {
                                Assert.Equal(0, into.WrittenCount);
                                Interlocked.Increment(ref left);
                            }
                        }
                    })
            )
            .WaitAsync(TimeOut);
        Assert.NotEqual(0, left);
        Assert.Equal(1, _server.Accepted);
        Assert.Empty(fixture.Log.Lines);
    }

    [Fact]
    public async Task A_destination_that_throws_harms_only_its_caller()
    {
        await using CacheFixture fixture = CacheFixture.On(_clock, null, _server);
        await fixture.Cache.SetStringAsync("a", "x");
        await Assert.ThrowsAsync<NotSupportedException>(() =>
            fixture.Cache.TryGetAsync("a", new BrokenWriter()).AsTask()
        );
        Assert.Equal("x", await fixture.Cache.GetStringAsync("a"));
        Assert.Equal(1, _server.Accepted);
    }

    private sealed class BrokenWriter : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new NotSupportedException();

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();

        public Span<byte> GetSpan(int sizeHint = 0) => throw new NotSupportedException();
    }
}
