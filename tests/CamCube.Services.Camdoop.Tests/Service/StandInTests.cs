using CamCube.Services.Camdoop.Tracking;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Who runs the reduces of a server that is lost.</summary>
public sealed class StandInTests
{
    [Fact]
    public void It_has_all_cables_if_any_server_has_and_reduces_have_several()
    {
        foreach (int size in (int[])[3, 4, 8])
        {
            var shape = new TorusShape(size, size, size);
            Coordinate lost = shape.At(shape.Count / 2);
            int[] all =
            [
                .. Enumerable
                    .Range(0, 100)
                    .Select(reduce => StandIn.Of(shape, lost, reduce * 37, rank => shape.At(rank) != lost)),
            ];
            Assert.All(all, rank => Assert.Equal(3, shape.Distance(shape.At(rank), lost)));
            Assert.All(all, rank => Assert.All([0, 1, 2], axis => Assert.NotEqual(lost[axis], shape.At(rank)[axis])));
            Assert.InRange(all.Distinct().Count(), 4, 8);
        }
    }

    [Fact]
    public void Whoever_is_left_takes_it()
    {
        var shape = new TorusShape(3, 3, 1);
        Assert.Equal(5, StandIn.Of(shape, shape.At(4), 7, static rank => rank == 5));
        Assert.Equal(-1, StandIn.Of(shape, shape.At(4), 7, static _ => false));
        Assert.Equal(0, StandIn.Of(new TorusShape(2, 1, 1), new(1, 0, 0), 3, static rank => rank == 0));
    }
}
