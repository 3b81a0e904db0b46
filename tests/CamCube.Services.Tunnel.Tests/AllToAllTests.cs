using CamCube.Simulator.Settings;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Everybody sends to everybody what it may (SIGCOMM §3.1): all links are full, and so are servers on the way.
/// </summary>
public sealed class AllToAllTests
{
    private const int Length = 8_900;
    private const long LinkBitsPerSecond = 100_000_000;
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(5, 1, 1, 0.7)]
    [InlineData(3, 3, 3, 1.5)]
    public void Links_are_full_and_order_is_kept(int x, int y, int z, double least)
    {
        (double[] links, double disorder, string what) = Run(x, y, z, keepsOrder: true);
        Assert.True(links[links.Length / 2] >= least && links[0] >= 0.8 * least && disorder <= 0.001, what);
    }

    [Fact]
    public void Without_what_restores_order_there_is_none()
    {
        (_, double disorder, string what) = Run(3, 3, 1, keepsOrder: false);
        Assert.True(disorder >= 0.01, what);
    }

    // What each server received, least first, in links, and which part of it came behind a later one.
    private static (double[] Links, double Disorder, string What) Run(int x, int y, int z, bool keepsOrder)
    {
        var simulator = new SimulatorOptions { LinkBitsPerSecond = LinkBitsPerSecond };
        using var cube = new TunnelCube(x, y, z, simulator: simulator);
        int servers = cube.Shape.Count;
        TestFlow[][] flows = [.. Enumerable.Range(0, servers).Select(_ => new TestFlow[servers])];
        for (int from = 0; from < servers; from++)
        {
            for (int to = 0; to < servers; to++)
            {
                flows[to][from] = new TestFlow(cube, cube.Shape.At(from), cube.Shape.At(to), (ushort)from, Length);
            }
        }

        for (int to = 0; to < servers; to++)
        {
            TestFlow[] here = flows[to];
            cube[to].HandsOnAtOnce = !keepsOrder;
            cube.CardOf(to).Received = frame => here[TestFrame.Read4(frame).Flow].Receive(frame);
        }

        Send(Second);
        (int Came, int Lost, int)[] before = [.. flows.Select(Sum)];
        int late = OutOfOrder();
        Send(Second);
        (int Came, int Lost, int)[] after = [.. flows.Select(Sum)];
        double[] links =
        [
            .. after.Zip(before, (a, b) => (a.Came - b.Came) * (Length + 28) * 8.0 / LinkBitsPerSecond).Order(),
        ];
        int came = after.Sum(one => one.Came) - before.Sum(one => one.Came),
            lost = after.Sum(one => one.Lost) - before.Sum(one => one.Lost);
        late = OutOfOrder() - late;
        string what =
            $"median {links[servers / 2]:F2}, least {links[0]:F2}, most {links[^1]:F2} links, {came} came, "
            + $"{lost} lost, {late} out of order";
        return (links, (double)late / came, what);

        int OutOfOrder() => flows.Sum(here => here.Sum(flow => flow.OutOfOrder));

        void Send(TimeSpan time)
        {
            long end = cube.Cube.NowNanos + (long)time.TotalNanoseconds;
            while (cube.Cube.NowNanos < end)
            {
                for (int to = 0; to < servers; to++)
                {
                    for (int from = 0; from < servers; from++)
                    {
                        if (from != to)
                        {
                            flows[to][from].Send();
                        }
                    }
                }

                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        }
    }

    private static (int Came, int Lost, int Marked) Sum(TestFlow[] flows) =>
        (flows.Sum(f => f.Counts.Came), flows.Sum(f => f.Counts.Lost), flows.Sum(f => f.Counts.Marked));
}
