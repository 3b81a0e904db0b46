namespace CamCube.Chaos.Tests;

public sealed class FaultDrawTests
{
    private static readonly TimeSpan Pace = TimeSpan.FromSeconds(6);

    [Fact]
    public void A_seed_draws_the_same_faults_again_and_another_seed_others()
    {
        var shape = new TorusShape(3, 3, 3);
        Assert.Equal(Of(shape, 5), Of(shape, 5));
        Assert.NotEqual(Of(shape, 5), Of(shape, 6));
    }

    [Theory]
    [InlineData(3, 3, 3)]
    [InlineData(1, 1, 4)]
    [InlineData(2, 1, 2)]
    public void Every_kind_comes_at_servers_and_cables_that_are_there(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        IReadOnlyList<Fault> faults = Of(shape, 1);
        Assert.Equal(Enum.GetValues<FaultKind>(), faults.Select(fault => fault.Kind).Distinct().Order());
        Assert.All(
            faults,
            fault => Assert.True(shape.CabledLinks(shape.At(fault.Rank)).Contains(fault.Link), $"{fault}")
        );
        Assert.Equal(shape.Count, faults.Select(fault => fault.Rank).Distinct().Count());

        // Never two at once, and about as many as the pace says.
        Assert.All(faults.Zip(faults.Skip(1)), pair => Assert.True(pair.Second.At > pair.First.At));
        Assert.InRange(faults[^1].At / Pace, faults.Count * 0.9, faults.Count * 1.1);
    }

    private static IReadOnlyList<Fault> Of(TorusShape shape, ulong seed)
    {
        var draw = new FaultDraw(shape, Pace, seed);
        return [.. Enumerable.Range(0, 1_000).Select(_ => draw.Next())];
    }
}
