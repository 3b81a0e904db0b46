using CamCube.Tool.Commands.KeyValue;
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
        Assert.Equal(exitCode, FrontEndClient.ExitCodeOf(status));

    [Theory]
    [InlineData("60", 60)]
    [InlineData("2s", 2)]
    [InlineData("1.5s", 2)]
    [InlineData("5min", 300)]
    [InlineData("1h", 3_600)]
    [InlineData("00:00:07", 7)]
    [InlineData("4294967295", uint.MaxValue)]
    [InlineData("0", 0)]
    [InlineData("-5", 0)]
    [InlineData("200ms", 0)]
    [InlineData("4294967296", 0)]
    [InlineData("4294967296s", 0)]
    [InlineData("1e9h", 0)]
    [InlineData("soon", 0)]
    [InlineData("", 0)]
    public void How_long_a_key_is_there_is_a_duration_or_seconds(string text, uint seconds) =>
        Assert.Equal((seconds > 0, seconds), (PutCommand.TryReadSeconds(text, out uint read), read));
}
