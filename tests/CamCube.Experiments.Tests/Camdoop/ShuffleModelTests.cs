using CamCube.Experiments.Camdoop;
using CamCube.Trees;

namespace CamCube.Experiments.Tests.Camdoop;

/// <summary>Closed forms, in seconds, for the paper's sizes: 28.3 GB in 3x3x3, and 2.55 MB per server in
/// 8x8x8.</summary>
public sealed class ShuffleModelTests
{
    private const double SmallUnit = 8.39;
    private const double LargeUnit = 20.4e-3;
    private static readonly TorusShape Small = new(3, 3, 3);
    private static readonly TorusShape Large = new(8, 8, 8);
    private static readonly int[] One = [0];

    [Theory]
    [InlineData(1.0 / 27, 1.40, 1.35)]
    [InlineData(0.1, 3.77, 2.24)]
    [InlineData(0.25, 9.43, 3.23)]
    [InlineData(0.5, 18.9, 4.06)]
    [InlineData(1, 36.3, 5.02)]
    public void Of_27_servers(double share, double one, double all)
    {
        var model = new ShuffleModel(Small);
        Near(one, SmallUnit * model.Combined(share, One));
        Near(all, SmallUnit * model.Combined(share, All(Small)));
        Near(36.3, SmallUnit * model.Merged(One));
        Near(5.02, SmallUnit * model.Merged(All(Small)));
    }

    [Theory]
    [InlineData(1.0 / 512, 3.40e-3, 3.39e-3, 3.47e-3)]
    [InlineData(0.1, 174e-3, 22.1e-3, 15.5e-3)]
    [InlineData(0.25, 435e-3, 27.4e-3, 18.4e-3)]
    [InlineData(0.5, 870e-3, 31.8e-3, 19.8e-3)]
    [InlineData(1, 1.737, 36.5e-3, 20.56e-3)]
    public void Of_512_servers(double share, double one, double all, double oneTree)
    {
        var model = new ShuffleModel(Large);
        Near(one, LargeUnit * model.Combined(share, One));
        Near(all, LargeUnit * model.Combined(share, All(Large)));

        // Links of one direction carry the same, those of another a little less or more.
        var single = new ShuffleModel(Large, TreeKind.Even);
        Near(oneTree, LargeUnit * single.Combined(share, All(Large)));
        Assert.True(single.Combined(1, All(Large)) < 1.02 * single.Switch(All(Large)));
    }

    [Fact]
    public void Of_switches()
    {
        var small = new ShuffleModel(Small);
        var large = new ShuffleModel(Large);
        Near(218, SmallUnit * small.Switch(One));
        Near(8.07, SmallUnit * small.Switch(All(Small)));
        Near(10.423, LargeUnit * large.Switch(One));
        Near(20.4e-3, LargeUnit * large.Switch(All(Large)));
        Near(36.3, SmallUnit * small.SwitchOfSix(One));
        Near(1.35, SmallUnit * small.SwitchOfSix(All(Small)));
        Near(1.737, LargeUnit * large.SwitchOfSix(One));
        Near(3.39e-3, LargeUnit * large.SwitchOfSix(All(Large)));
        Near(75.2e-3, LargeUnit * large.OversubscribedSwitch(All(Large)));
    }

    [Theory]
    [InlineData(1, 36.3)]
    [InlineData(27, 5.02)]
    public void Without_shared_keys_combining_gains_nothing(int reduces, double seconds)
    {
        var model = new ShuffleModel(Small);
        int[] roots = All(Small)[..reduces];
        Near(model.Merged(roots), model.Combined(1, roots));
        Near(seconds, SmallUnit * model.Merged(roots));
    }

    [Fact]
    public void Part_in_some_files_is_that_of_drawn_files()
    {
        var model = new ShuffleModel(Small);
        Assert.Equal(26.0 / 27, model.PartIn(26, 1), 1e-9);
        Assert.Equal(1, model.PartIn(26, 0.5), 1e-9);
        Assert.Equal(1, model.PartIn(1, 1.0 / 27), 1e-9);
        Assert.Equal(0, model.PartIn(0, 0.3), 1e-9);

        // Of two drawn files one is among five of 27.
        Assert.Equal(1 - (22.0 * 21 / (27 * 26)), model.PartIn(5, 0.5), 1e-9);
    }

    private static int[] All(TorusShape shape) => [.. Enumerable.Range(0, shape.Count)];

    private static void Near(double expected, double actual) =>
        Assert.InRange(actual, expected * 0.993, expected * 1.007);
}
