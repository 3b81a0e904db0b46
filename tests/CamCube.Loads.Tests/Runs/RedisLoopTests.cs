using System.Runtime.Versioning;
using CamCube.Loads.Choosing;
using CamCube.Loads.Operations;
using CamCube.Loads.Settings;
using CamCube.Loads.Targets;
using CamCube.Loads.Tests.Kit;

namespace CamCube.Loads.Tests.Runs;

[SupportedOSPlatform("linux")]
public sealed class RedisLoopTests
{
    [Fact]
    public async Task An_operation_allocates_nothing()
    {
        await using var server = new RedisFake();
        long few = await BytesAsync(server, 2_000),
            many = await BytesAsync(server, 12_000);
        Assert.InRange(many - few, -10_000, 10_000);
    }

    private static Task<long> BytesAsync(RedisFake server, int operations)
    {
        var options = new LoadOptions
        {
            Workload = Workload.Core[4],
            Records = 100,
            ValueLength = 100,
            Connections = 4,
            Pipeline = 4,
        };
        return Task.Factory.StartNew(
            () =>
            {
                var inserted = new InsertedKeys(options.Records);
                var names = new RecordNames(options.Prefix, options.ValueLength, 1);
                var put = new LoadCourse(LoadClock.Nanos, options.Records, Timeout.InfiniteTimeSpan, 0);
                var load = new LoadSource(LoadPhase.Load, options, inserted, 0);
                using var first = new RedisLoop(options, server.Endpoints, 0, 4, put, load, names);
                first.Run();
                long before = GC.GetAllocatedBytesForCurrentThread();
                var course = new LoadCourse(LoadClock.Nanos, operations, Timeout.InfiniteTimeSpan, 0);
                var source = new LoadSource(LoadPhase.Run, options, inserted, 0);
                using var loop = new RedisLoop(options, server.Endpoints, 0, 4, course, source, names);
                loop.Run();
                Assert.Equal((operations, 0), (loop.Tally.Done, loop.Tally.Failed));
                return GC.GetAllocatedBytesForCurrentThread() - before;
            },
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
    }
}
