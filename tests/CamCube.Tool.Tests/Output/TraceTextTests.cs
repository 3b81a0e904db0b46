using CamCube.Tool.Hosts;
using CamCube.Tool.Output;

namespace CamCube.Tool.Tests.Output;

public sealed class TraceTextTests
{
    private static readonly TraceHopAnswer First = new(0, "0,0,0", null, "+x", ["+x", "+y"], 5, 0, "forwarded", null),
        Last = new(1, "1,0,0", "-x", null, ["+x"], 6, 0, "ended", null);

    [Theory]
    [InlineData("arrived", "arrived after 1 hop; back at 0,0,0 after 3.5 us")]
    [InlineData("noRoute", "server 1,0,0 knows no way to 2,0,0: it is off, or cut off.")]
    [InlineData("noAnswer", "no answer: it came up to 1,0,0, which sends on by +x; nothing from behind it came back.")]
    [InlineData("tooLong", "it had not arrived when the trace was full, after 1 hops.")]
    [InlineData("noBuffer", "server 0,0,0 has no room for another packet now; try again.")]
    public void The_last_line_says_how_it_ended(string end, string line) =>
        Assert.Equal(line, TraceText.EndOf(Of(end, First, Last)));

    [Theory]
    [InlineData("noRoute", "server 0,0,0 knows no way to 0,0,0: it is off, or cut off.")]
    [InlineData("noAnswer", "no answer, not even from 0,0,0, where the way begins.")]
    [InlineData("noBuffer", "server 0,0,0 has no room for another packet now; try again.")]
    public void Without_a_hop_too(string end, string line) => Assert.Equal(line, TraceText.EndOf(Of(end)));

    private static TraceAnswer Of(string end, params TraceHopAnswer[] hops) =>
        new("0,0,0", "2,0,0", "0,0,0", null, end, 3.5, hops);
}
