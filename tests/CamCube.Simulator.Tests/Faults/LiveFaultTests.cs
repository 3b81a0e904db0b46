using System.Diagnostics;
using CamCube.Faults;
using CamCube.Runtime;
using CamCube.Simulator.Live;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>The rules of simulated links along the real clock, from any thread.</summary>
public sealed class LiveFaultTests : IServerEvents
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly SemaphoreSlim _changed = new(0);

    [Fact]
    public async Task A_live_cube_is_parted_and_heals()
    {
        var shape = new TorusShape(3, 1, 1);
        await using var cube = new LiveCube(
            shape,
            [Traffic.Define()],
            new ServerOptions(),
            this,
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        await Until(cube, 3, 3);
        using (cube.LinkFaults.Add(new LinkCut(), LinkScope.Between(ServerSet.Of(shape, shape.At(1)))))
        {
            await Until(cube, 2, 1);
            Assert.True(cube.LinkFaults.Counts.Cut > 0);
        }

        await Until(cube, 3, 3);
    }

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) { }

    void IServerEvents.ServiceRestarted(Coordinate server, string service) { }

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change) => _changed.Release();

    private async Task Until(LiveCube cube, int at0, int at1)
    {
        long begin = Stopwatch.GetTimestamp();
        for (; ; )
        {
            int[] seen = [.. cube.GetStatus().Servers.Take(2).Select(s => s.ReachableServers)];
            if (seen[0] == at0 && seen[1] == at1)
            {
                return;
            }

            Assert.True(Stopwatch.GetElapsedTime(begin) < Generous, $"{seen[0]} and {seen[1]} servers are reachable");
            await _changed.WaitAsync(TimeSpan.FromMilliseconds(50));
        }
    }
}
