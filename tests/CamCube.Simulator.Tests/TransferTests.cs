using CamCube.Experiments.Transfers;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

public sealed class TransferTests
{
    private static readonly TransferExperimentOptions Small = new()
    {
        Shape = new TorusShape(5, 5, 5),
        Destinations = 6,
        LeastPerAxes = 3,
        Packets = 600,
        Seed = 3,
    };

    [Fact]
    public void Disjoint_paths_fill_a_link_each_and_base_routing_no_more_than_its_first_links()
    {
        List<TransferPair> pairs = Run(Small);
        Assert.Equal(6, pairs.Count(pair => !pair.IsAdded));
        for (int axes = 1; axes <= 3; axes++)
        {
            TransferPair[] some = [.. pairs.Where(pair => pair.DifferingAxes == axes)];
            Assert.True(some.Length >= 3);
            foreach (TransferPair pair in some)
            {
                Assert.InRange(pair.DisjointGbps, 0.93 * (6 - axes), 6 - axes);
                Assert.InRange(pair.BaseGbps, 0.9, axes);
                Assert.InRange(pair.BaseGbps / (1 - pair.BaseLost), 0.9 * axes, 1.05 * axes);
                Assert.InRange(pair.DisjointLost, 0, 0.08);
                Assert.Equal(0, pair.AntipodalAxes);
            }
        }
    }

    [Fact]
    public void Equal_options_give_equal_results_and_another_seed_others()
    {
        var options = new TransferExperimentOptions
        {
            Shape = new TorusShape(4, 4, 4),
            Destinations = 3,
            LeastPerAxes = 0,
            Packets = 100,
        };
        List<TransferPair> pairs = Run(options);
        Assert.Equal(pairs, Run(options));
        Assert.NotEqual(
            pairs,
            Run(
                new TransferExperimentOptions
                {
                    Shape = options.Shape,
                    Destinations = 3,
                    LeastPerAxes = 0,
                    Packets = 100,
                    Seed = 2,
                }
            )
        );
    }

    [Fact]
    public void Lost_packets_are_sent_again_until_all_have_come()
    {
        using var cube = new TestCube(4, 4, 4).Add(server => new DisjointTransferService(server));
        int seen = 0;
        cube.Lose = (_, _, packet) => packet.Service.Value == 0x7102 && ++seen % 7 == 0;
        Coordinate to = new(1, 2, 1);
        DisjointTransferService source = cube[0].Service<DisjointTransferService>();
        DisjointTransferService destination = cube[to].Service<DisjointTransferService>();
        destination.Expect(1, 3_000);
        source.Begin(1, to, 1_514, 2_000_000);
        cube.AwaitUntil(() => destination.DoneNanos > 0);
        source.End();
        Assert.True(source.SentAgain > 100);
        Assert.True(source.Sent > 3_000 * 7 / 6);
        cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_broken_path_goes_on_by_base_routing()
    {
        using var cube = new TestCube(5, 5, 5).Add(server => new DisjointTransferService(server));
        Coordinate to = new(2, 0, 0),
            between = new(1, 0, 0);
        DisjointTransferService source = cube[0].Service<DisjointTransferService>();
        cube.Cut(between, Link.XPlus);
        cube.Advance(TimeSpan.FromSeconds(2));
        cube[to].Service<DisjointTransferService>().Expect(1, 500);
        source.Begin(1, to, 1_514, 2_000_000);
        cube.AwaitUntil(() => cube[to].Service<DisjointTransferService>().DoneNanos > 0);
        source.End();
        cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.AssertQuiet();
        Assert.Equal(0, source.SentAgain);
    }

    private static List<TransferPair> Run(TransferExperimentOptions options)
    {
        var pairs = new List<TransferPair>();
        TransferExperiment.Run(options, pairs.Add);
        return pairs;
    }
}
