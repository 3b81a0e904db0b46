using CamCube.Tool.Commands;

namespace CamCube.Tool.Tests.Commands;

public sealed class StreamCommandTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Theory]
    [InlineData("all", null)]
    [InlineData("one", null)]
    [InlineData("+x", null)]
    [InlineData("-x", "--paths -x leads from 0,0,0 to 2,0,0, not to 1,0,0.")]
    [InlineData("+z", "--paths +z: server 0,0,0 has no cable there in a cube 3x3x1; it has {+x,-x,+y,-y}.")]
    public void A_cable_must_be_there_and_lead_to_the_reader(string paths, string? fault) =>
        Assert.Equal(fault, StreamCommand.FaultOf(new TorusShape(3, 3, 1), A, B, paths));

    [Fact]
    public void One_server_is_not_two() =>
        Assert.Equal(
            "FROM and TO are both server 1,0,0; name two.",
            StreamCommand.FaultOf(new TorusShape(3, 3, 1), B, B, "all")
        );
}
