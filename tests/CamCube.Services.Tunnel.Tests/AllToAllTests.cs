namespace CamCube.Services.Tunnel.Tests;

/// <summary>Everybody sends to everybody what it may (SIGCOMM §3.1): all links are full, and so are servers on the way.
/// </summary>
public sealed class AllToAllTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(5, 1, 1, 0.7)]
    [InlineData(3, 3, 3, 1.5)]
    public void Links_are_full_and_order_is_kept(int x, int y, int z, double least)
    {
        FlowsResult all = Run(x, y, z, keepsOrder: true);
        Assert.True(all.Median >= least && all.Links[0] >= 0.8 * least && all.Disorder <= 0.001, $"{all}");
    }

    [Fact]
    public void Without_what_restores_order_there_is_none()
    {
        FlowsResult all = Run(3, 3, 1, keepsOrder: false);
        Assert.True(all.Disorder >= 0.01, $"{all}");
    }

    private static FlowsResult Run(int x, int y, int z, bool keepsOrder)
    {
        const int Length = 8_900;
        const long LinkBitsPerSecond = 100_000_000;
        using var cube = new MachineCube(
            new TorusShape(x, y, z),
            new TunnelOptions(),
            LinkBitsPerSecond,
            MachineCube.Jumbo,
            seed: 1,
            static () => { }
        );
        if (!keepsOrder)
        {
            cube.HandOnAtOnce();
        }

        return new MachineFlows(cube, MachineFlows.AllToAll(cube.Shape.Count), Length).Run(Second, Second);
    }
}
