using CamCube.Tool.Hosts;

namespace CamCube.Tool.Tests.Commands;

public sealed class KeyValueCommandTests
{
    [Theory]
    [InlineData(304, 1)]
    [InlineData(400, 2)]
    [InlineData(404, 1)]
    [InlineData(408, 3)]
    [InlineData(409, 1)]
    [InlineData(412, 1)]
    [InlineData(413, 2)]
    [InlineData(414, 2)]
    [InlineData(421, 2)]
    [InlineData(503, 3)]
    [InlineData(504, 3)]
    [InlineData(507, 3)]
    public void A_refusal_has_its_exit_code(int status, int exitCode) =>
        Assert.Equal(exitCode, KeyValueClient.ExitCodeOf(status));
}
