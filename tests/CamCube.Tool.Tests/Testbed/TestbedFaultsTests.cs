using CamCube.Tool.Commands.Testbed;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Testbed;

/// <summary>Which servers of a testbed get which rule: each knows only what it sends.</summary>
public sealed class TestbedFaultsTests
{
    private static readonly TorusShape Shape = new(3, 2, 1);

    [Theory]
    [InlineData("0,0,0:px", "both", "0:+x 1:-x")]
    [InlineData("0,0,0:px", "out", "0:+x")]
    [InlineData("0,0,0:px", "in", "1:-x")]
    [InlineData("5:py", "both", "5:+y 2:-y")]
    [InlineData("0", "out", "0:all")]
    [InlineData("0", "in", "1:-x 2:+x 3:-y 3:+y")]
    [InlineData("0,0,0", "both", "0:all 1:-x 2:+x 3:-y 3:+y")]
    [InlineData(null, "both", "0:all 1:all 2:all 3:all 4:all 5:all")]
    public void Both_ways_of_a_cable_are_rules_at_its_two_ends(string? at, string way, string senders) =>
        Assert.Equal(
            senders,
            string.Join(
                ' ',
                TestbedFaults
                    .Senders(Shape, at, way)
                    .Select(s => $"{s.Rank}:{(s.Link is { } link ? link.Name() : "all")}")
            )
        );

    [Theory]
    [InlineData("6", "both", "there is no server '6' in a cube 3x2x1.")]
    [InlineData("0,0,0:pz", "both", "server 0,0,0 has no cable +z in a cube 3x2x1.")]
    [InlineData(null, "in", "--way in needs --at.")]
    public void What_is_not_there_is_named(string? at, string way, string line) =>
        Assert.Equal(line, Assert.Throws<ToolException>(() => TestbedFaults.Senders(Shape, at, way)).Message);
}
