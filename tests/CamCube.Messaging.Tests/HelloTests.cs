using System.Text.Json;
using CamCube.Testing;
using HelloSample;

namespace CamCube.Messaging.Tests;

/// <summary>The sample of docs/services.md.</summary>
public sealed class HelloTests
{
    [Fact]
    public void The_sample_greets_every_server_itself_included_and_says_who_does_not_answer()
    {
        using TestCube cube = new TestCube(3, 3, 1).Add(s => new Hello(s));
        for (int rank = 0; rank < 9; rank++)
        {
            CommandResult result = Greet(cube, cube.Shape.At(rank));
            Assert.Equal(CommandStatus.Done, result.Status);
            using JsonDocument greeting = JsonDocument.Parse(result.Text);
            Assert.Equal(cube.Shape.At(rank).ToString(), greeting.RootElement.GetProperty("from").GetString());
            Assert.Equal("hello, too", greeting.RootElement.GetProperty("words").GetString());
        }

        cube.AssertQuiet();
        cube.Kill(new Coordinate(1, 1, 0));
        cube.AwaitConverged();
        CommandResult none = Greet(cube, new Coordinate(1, 1, 0));
        Assert.Equal(CommandStatus.Refused, none.Status);
        Assert.Equal("1,1,0 does not answer.", none.Text);
    }

    // Through the gate, so that it runs as the service: from the test itself its continuations would be the thread
    // pool's.
    private static CommandResult Greet(TestCube cube, Coordinate to) =>
        cube.Await(cube[0].Gate.RunCommandAsync(CommandCall.Of("hello", "greet", ("to", to.ToString()))));
}
