using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;

namespace CamCube.Abstractions.Tests.Geometry;

public sealed class CoordinateTests
{
    [Fact]
    public void Text_and_packed_form_come_back() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                ArbMap.Default.ArbFor<(ushort X, ushort Y, ushort Z)>(),
                c =>
                {
                    var coordinate = new Coordinate(c.X, c.Y, c.Z);
                    Assert.True(Coordinate.TryParse(coordinate.ToString(), out Coordinate read));
                    Assert.Equal(coordinate, read);
                    Assert.Equal(coordinate, Coordinate.Unpack(coordinate.Packed));
                    Assert.Equal(((ulong)c.X << 48) + ((ulong)c.Y << 32) + ((ulong)c.Z << 16), coordinate.Packed);
                    Destination to = coordinate;
                    Assert.False(to.IsKey);
                    Assert.Equal(coordinate, to.Server);
                    Assert.Equal(coordinate, to.HomeIn(new TorusShape(1, 1, 1)));
                }
            )
        );

    [Theory]
    [InlineData("")]
    [InlineData("1,2")]
    [InlineData("1,2,3,4")]
    [InlineData("1,2,65536")]
    [InlineData("-1,2,3")]
    [InlineData("1, 2,3")]
    [InlineData("1,,3")]
    [InlineData("a,b,c")]
    [InlineData("1.2.3")]
    public void Other_texts_are_no_coordinates(string text)
    {
        Assert.False(Coordinate.TryParse(text, out Coordinate coordinate));
        Assert.Equal(default, coordinate);
    }

    [Fact]
    public void Components_are_read_and_replaced_by_axis()
    {
        var coordinate = new Coordinate(1, 2, 3);
        Assert.Equal([1, 2, 3], [coordinate[0], coordinate[1], coordinate[2]]);
        Assert.Equal(new Coordinate(9, 2, 3), coordinate.With(0, 9));
        Assert.Equal(new Coordinate(1, 9, 3), coordinate.With(1, 9));
        Assert.Equal(new Coordinate(1, 2, 9), coordinate.With(2, 9));
        Assert.Equal("1,2,3", coordinate.ToString());
        Assert.Equal(6, Unsafe.SizeOf<Coordinate>());
    }
}
