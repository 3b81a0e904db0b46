namespace CamCube.Abstractions.Tests.Geometry;

public sealed class TorusShapeTests
{
    [Theory]
    [InlineData("3x3x3", 27)]
    [InlineData("1x1x1", 1)]
    [InlineData("16X16X16", 4_096)]
    [InlineData("65535x1x1", 65_535)]
    [InlineData("256x256x1", 65_536)]
    public void Sizes_are_read_and_written(string text, int count)
    {
        Assert.Null(TorusShape.TryParse(text, out TorusShape shape));
        Assert.Equal(count, shape.Count);
        Assert.Equal(text.ToLowerInvariant(), shape.ToString());
        Assert.True(shape.ParallelCables);
    }

    [Theory]
    [InlineData(null, "three axis sizes are needed, as in 3x3x3")]
    [InlineData("", "three axis sizes are needed, as in 3x3x3")]
    [InlineData("3x3", "three axis sizes are needed, as in 3x3x3")]
    [InlineData("3x3x3x3", "three axis sizes are needed, as in 3x3x3")]
    [InlineData("0x3x3", "each axis size must be from 1 to 65535")]
    [InlineData("70000x1x1", "each axis size must be from 1 to 65535")]
    [InlineData("300x300x300", "a cube has at most 65536 servers, this one would have 27000000")]
    [InlineData("65535x65535x65535", "a cube has at most 65536 servers, this one would have 281462092005375")]
    [InlineData("3x3x-3", "'-3' is not an axis size; three whole numbers are needed, as in 3x3x3")]
    [InlineData("3x3x 3", "' 3' is not an axis size; three whole numbers are needed, as in 3x3x3")]
    [InlineData("3x3xthree", "'three' is not an axis size; three whole numbers are needed, as in 3x3x3")]
    [InlineData("3x3x99999999999", "'99999999999' is not an axis size; three whole numbers are needed, as in 3x3x3")]
    [InlineData("3xx3", "'' is not an axis size; three whole numbers are needed, as in 3x3x3")]
    public void What_is_wrong_with_other_texts_is_said_in_words(string? text, string fault)
    {
        Assert.Equal(fault, TorusShape.TryParse(text, out TorusShape shape));
        Assert.Equal(default, shape);
    }

    [Fact]
    public void Impossible_sizes_are_refused_by_the_constructor()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new TorusShape(0, 3, 3));
        Assert.Throws<ArgumentOutOfRangeException>(() => new TorusShape(3, -1, 3));
        Assert.Throws<ArgumentOutOfRangeException>(() => new TorusShape(1, 1, 65_536));
        Assert.Throws<ArgumentOutOfRangeException>(() => new TorusShape(257, 256, 1));
    }

    [Theory]
    [InlineData(3, 3, 3, true)]
    [InlineData(1, 2, 5, true)]
    [InlineData(2, 2, 4, false)]
    [InlineData(1, 1, 1, true)]
    [InlineData(7, 1, 2, false)]
    public void Ranks_steps_cables_and_distances_fit_together(int x, int y, int z, bool parallelCables)
    {
        var shape = new TorusShape(x, y, z, parallelCables);
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Coordinate server = shape.At(rank);
            Assert.True(shape.Contains(server));
            Assert.Equal(rank, shape.RankOf(server));
            Assert.Equal(server.X + (x * (server.Y + (y * server.Z))), rank);
            Assert.Equal(server, shape.Step(server, Link.Local));
            foreach (Link link in LinkSet.AllCables)
            {
                Coordinate next = shape.Step(server, link);
                int size = shape[link.Axis()];
                Assert.Equal(server, shape.Step(next, link.Opposite()));
                Assert.Equal((server[link.Axis()] + link.Sign() + size) % size, next[link.Axis()]);
                Assert.Equal(size == 1 ? 0 : 1, shape.Distance(server, next));

                // A cable has two ends, and both know of it.
                Assert.Equal(
                    shape.CabledLinks(server).Contains(link),
                    shape.CabledLinks(next).Contains(link.Opposite())
                );
            }
        }
    }

    [Theory]
    [InlineData(3, 3, 3, true, "{+x,-x,+y,-y,+z,-z}", "{+x,-x,+y,-y,+z,-z}")]
    [InlineData(2, 1, 3, true, "{+x,-x,+z,-z}", "{+x,-x,+z,-z}")]
    [InlineData(2, 1, 3, false, "{+x,+z,-z}", "{-x,+z,-z}")]
    [InlineData(2, 1, 1, false, "{+x}", "{-x}")]
    [InlineData(1, 1, 1, true, "{}", "{}")]
    public void The_plan_says_which_links_have_cables(
        int x,
        int y,
        int z,
        bool parallelCables,
        string first,
        string second
    )
    {
        var shape = new TorusShape(x, y, z, parallelCables);
        Assert.Equal(first, shape.CabledLinks(default).ToString());
        Assert.Equal(second, shape.CabledLinks(shape.At(shape.Count == 1 ? 0 : 1)).ToString());
    }

    [Theory]
    [InlineData(3, 3, 3, 3)]
    [InlineData(8, 8, 8, 12)]
    [InlineData(10, 10, 10, 15)]
    [InlineData(1, 1, 6, 3)]
    [InlineData(2, 3, 4, 4)]
    [InlineData(1, 1, 1, 0)]
    public void The_diameter_is_the_longest_distance(int x, int y, int z, int diameter)
    {
        var shape = new TorusShape(x, y, z);
        Assert.Equal(diameter, shape.Diameter);
        Assert.Equal(diameter, Enumerable.Range(0, shape.Count).Max(r => shape.Distance(default, shape.At(r))));
    }

    [Fact]
    public void A_server_outside_is_not_contained()
    {
        var shape = new TorusShape(3, 4, 5);
        Assert.True(shape.Contains(new(2, 3, 4)));
        Assert.False(shape.Contains(new(3, 0, 0)));
        Assert.False(shape.Contains(new(0, 4, 0)));
        Assert.False(shape.Contains(new(0, 0, 5)));
    }
}
