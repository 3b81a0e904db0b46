namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>Whole servers over loopback, end to end.</summary>
public sealed class UdpCubeTests
{
    private static readonly TorusShape Pair = new(2, 1, 1);

    [Theory]
    [InlineData("1500", "Auto", "Auto")]
    [InlineData("9000", "Auto", "Auto")]
    [InlineData("1500", "Sockets", "Sockets")]
    [InlineData("9000", "Sockets", "Batches")]
    public async Task Two_servers_find_each_other_and_talk_both_ways(string mtu, string first, string second)
    {
        await using var cubes = new UdpCubes(Pair);
        await cubes.Start(0, ("Mtu", mtu), ("Via", first));
        await cubes.Start(1, ("Mtu", mtu), ("Via", second));
        await cubes.Whole();
        Assert.Equal("Udp", cubes.Servers[0].Shim);
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal(i + 1, await cubes.Ping(0, 1, i, i * 5));
            Assert.Equal(i + 1, await cubes.Ping(1, 0, i));
        }

        // The largest frame, which takes two datagrams on a path of 1,500 bytes.
        Assert.Equal(8, await cubes.Ping(0, 1, 7, -1));
        int[] many = await Task.WhenAll(Enumerable.Range(0, 200).Select(i => cubes.Ping(i % 2, (i >> 1) % 2, i & 127)));
        Assert.Equal(Enumerable.Range(0, 200).Select(i => (i & 127) + 1), many);
        Assert.DoesNotContain(cubes.Events.News, n => n.StartsWith("fault", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Four_servers_in_a_plane_reach_each_other()
    {
        await using var cubes = new UdpCubes(new TorusShape(2, 2, 1));
        await Task.WhenAll(Enumerable.Range(0, 4).Select(rank => cubes.Start(rank)));
        await cubes.Whole();
        for (int i = 0; i < 16; i++)
        {
            Assert.Equal(i + 1, await cubes.Ping(i / 4, i % 4, i));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_server_that_starts_again_is_welcome(int rank)
    {
        await using var cubes = new UdpCubes(Pair);
        await cubes.Start(0);
        await cubes.Start(1);
        await cubes.Whole();
        for (int i = 0; i < 2; i++)
        {
            await cubes.Stop(rank);
            await cubes.Start(rank);
            await cubes.Whole();
            Assert.Equal(i + 1, await cubes.Ping(0, 1, i));
            Assert.Equal(i + 1, await cubes.Ping(1, 0, i));
        }
    }
}
