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
        Assert.Throws<TimeoutException>(() => Greet(cube, new Coordinate(1, 1, 0)));
    }

    private static CommandResult Greet(TestCube cube, Coordinate to)
    {
        ServiceCommand greet = Assert.Single(cube[0].Service<Hello>().Commands);
        return cube.Await(greet.RunAsync(CommandCall.Of("hello", "greet", ("to", to.ToString()))));
    }
}
