using System.Diagnostics;
using CamCube.Services.Collectives;

namespace CamCube.Benchmarks.Streams;

/// <summary>The sums of the benchmark: both servers add up short vectors, one after the other, for as long as both
/// run.</summary>
[CamCubeService(0x7153, "sum-traffic")]
internal sealed class SumTraffic(IServer server, Dependency<ICollectives> collectives) : CamCubeService
{
    private readonly byte[] _vector = new byte[8];
    private IGroup? _group;
    private List<long>? _times;
    private int _asked;
    private TaskCompletionSource<long[]>? _done;

    public override void OnStart() => server.Loop.Run(ServeAsync);

    public override void OnStop(StopReason reason) => _group?.Close();

    /// <summary>From one sum to the next, in nanoseconds, in order of their length.</summary>
    public async ValueTask<long[]> PingAsync(int count)
    {
        (_times, _asked, _done) = (new List<long>(count), count, new TaskCompletionSource<long[]>());
        return await _done.Task;
    }

    private async ValueTask ServeAsync()
    {
        while (_group is null && await server.DelayAsync(TimeSpan.FromMilliseconds(10)))
        {
            if (collectives.IsAvailable && server.Topology.ReachableCount == server.Shape.Count)
            {
                _group = collectives.Value.Open(new GroupRequest("benchmark")).Group;
            }
        }

        long sum = 0;
        long before = Stopwatch.GetTimestamp();
        while (_group is not null)
        {
            BitConverter.TryWriteBytes(_vector, ++sum);
            CollectiveResult result = await _group.AllReduceAsync(_vector, ElementType.Int64, ReduceOperator.Sum);
            if (result.Status is CollectiveStatus.MemberLost or CollectiveStatus.MemberLeft && _times is null)
            {
                // All that was asked for is measured.
                return;
            }

            if (result.Status != CollectiveStatus.Done || BitConverter.ToInt64(_vector) != 2 * sum)
            {
                throw new InvalidOperationException($"a sum of two is {BitConverter.ToInt64(_vector)}: {result}");
            }

            long now = Stopwatch.GetTimestamp();
            _times?.Add((now - before) * (1_000_000_000 / Stopwatch.Frequency));
            before = now;
            if (_times is { } times && times.Count == _asked)
            {
                _times = null;
                _done!.SetResult([.. times.Order()]);
            }
        }
    }
}
