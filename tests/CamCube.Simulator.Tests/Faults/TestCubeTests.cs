using CamCube.Faults;
using CamCube.Simulator.Disks;
using CamCube.Testing;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>What authors of services have at hand.</summary>
public sealed class TestCubeTests
{
    [Fact]
    public void Partitions_pauses_stops_and_rules_are_one_line_each()
    {
        using TestCube cube = new TestCube(3, 1, 1).Add(Traffic.Define());
        Coordinate a = new(1, 0, 0);
        using (cube.Partition(ServerSet.Of(cube.Shape, a)))
        {
            cube.AwaitConverged();
            Assert.Equal((2, 1), (cube[0].Topology.ReachableCount, cube[a].Topology.ReachableCount));
        }

        cube.AwaitUntil(() => cube[a].Topology.ReachableCount == 3);
        cube.Pause(a, TimeSpan.FromSeconds(1));
        cube.Advance(TimeSpan.FromMilliseconds(900));
        Assert.Equal(2, cube[0].Topology.ReachableCount);
        cube.AwaitUntil(() => cube[0].Topology.ReachableCount == 3);

        using IDisposable loss = cube.LinkFaults.Add(
            new PacketLoss(1),
            LinkScope.All.OfService(new ServiceId(Traffic.Id))
        );
        cube[0].Service<Traffic>().SendVia(Link.XPlus);
        using IDisposable failures = cube.DiskFaults.Add(new DiskReadFailures(1));
        Assert.Equal(
            DiskStatus.NotFound,
            cube.Await(cube[0].ServerOf<Traffic>().Disk.OpenAsync("x", create: false)).Status
        );
        cube.Shutdown(a);
        cube.Revive(a, emptyDisk: true);
        cube.AwaitConverged();
        Assert.Equal(1, cube.LinkFaults.Counts.Lost);
        cube.AssertQuiet();
    }
}
