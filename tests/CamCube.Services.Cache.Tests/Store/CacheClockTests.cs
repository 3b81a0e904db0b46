using System.Buffers;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;
using CamCube.Testing;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>Expiry on a machine whose clock is set while it serves.</summary>
public sealed class CacheClockTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(-56 * 365)]
    [InlineData(+10 * 365)]
    public async Task A_time_of_day_means_what_it_says_after_the_clock_was_set_right_and_lives_that_began_before_go_on(
        int daysOff
    )
    {
        var clock = new SetClock { Offset = TimeSpan.FromDays(daysOff) };
        await using var cube = new LiveCube(
            new TorusShape(1, 1, 1),
            [ServiceDefinition.Of(activation => new CacheService(activation.Server, new CacheOptions()))],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            clock
        );
        await cube.StartAsync(CancellationToken.None);
        await Set(cube, "before", 1_000);
        clock.Offset = TimeSpan.Zero;
        long now = TimeProvider.System.GetUtcNow().ToUnixTimeSeconds();
        if (daysOff > 0)
        {
            // Services' time of day never goes back: until the system has caught up they see that of before.
            now += (long)TimeSpan.FromDays(daysOff).TotalSeconds;
        }

        await Set(cube, "soon", now + 1_000);
        await Set(cube, "late", now + (400L * 24 * 3_600));
        await Set(cube, "over", now - 5);
        await Set(cube, "never", 0);
        Assert.InRange((await Left(cube, "before"))!.Value, 900, 1_000);
        Assert.InRange((await Left(cube, "soon"))!.Value, 900, 1_001);
        Assert.InRange((await Left(cube, "late"))!.Value, (400L * 24 * 3_600) - 100, (400L * 24 * 3_600) + 1);
        Assert.Null(await Left(cube, "over"));
        Assert.Equal(-1, await Left(cube, "never"));
    }

    private static async Task Set(LiveCube cube, string key, long expiry)
    {
        CacheReply reply = await Call(
            cube,
            new CacheRequest
            {
                Terms = new CacheTerms { Operation = CacheOperation.Set, Expiry = expiry },
                Key = System.Text.Encoding.ASCII.GetBytes(key),
                Value = "value"u8.ToArray(),
            }
        );
        Assert.Equal(CacheStatus.Done, reply.Status);
    }

    // Null: it is not there.
    private static async Task<long?> Left(LiveCube cube, string key)
    {
        CacheReply reply = await Call(
            cube,
            new CacheRequest
            {
                Terms = new CacheTerms { Operation = CacheOperation.Get },
                Key = System.Text.Encoding.ASCII.GetBytes(key),
                Into = new ArrayBufferWriter<byte>(),
            }
        );
        return reply.Status == CacheStatus.Done ? reply.Facts.SecondsLeft : null;
    }

    private static Task<CacheReply> Call(LiveCube cube, CacheRequest request) =>
        cube.GateOf(0)
            .CallAsync<ICache, CacheRequest, CacheReply>(static (cache, asked) => cache.ExecuteAsync(asked), request)
            .AsTask()
            .WaitAsync(Generous);

    private sealed class SetClock : TimeProvider
    {
        private long _offset;

        public TimeSpan Offset
        {
            get => new(Volatile.Read(ref _offset));
            set => Volatile.Write(ref _offset, value.Ticks);
        }

        public override DateTimeOffset GetUtcNow() => System.GetUtcNow() + Offset;
    }
}
