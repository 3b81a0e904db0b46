using CamCube.Simulator.Seeing;
using CamCube.Testing;

namespace CamCube.Messaging.Tests;

/// <summary>What a test cube shows of a packet's way.</summary>
public sealed class TracedQuestionTests
{
    [Fact]
    public void A_test_sees_the_ways_of_a_question_and_of_its_answer()
    {
        using TestCube cube = new TestCube(5, 1, 1).Add(s => new Asker(s));
        PacketTrace question = cube.Trace(0, 2),
            answer = cube.Trace(2, 0),
            never = cube.Trace(0, 2, number: 3);
        using Answer<Inquiry> one = cube.Await(cube[0].Service<Asker>().Ask(1, "abc"u8.ToArray(), cube.Shape.At(2)));
        using Answer<Inquiry> two = cube.Await(cube[0].Service<Asker>().Ask(2, "abc"u8.ToArray(), cube.Shape.At(2)));
        Assert.Equal(
            [
                "0,0,0 sent",
                "0,0,0 left",
                "1,0,0 arrived",
                "1,0,0 verdict",
                "1,0,0 left",
                "2,0,0 delivered",
                "2,0,0 sent",
                "2,0,0 left",
            ],
            Words(question, cube).Take(8)
        );
        Assert.Contains(
            question.StepsUntil(cube.NowNanos),
            step => step.ToString().Contains("sent by asker to 2,0,0", StringComparison.Ordinal)
        );
        Assert.True(answer.IsFound);
        Assert.Equal("2,0,0 sent", Words(answer, cube)[0]);
        Assert.False(never.IsFound);
        Assert.Throws<InvalidOperationException>(() => cube.Trace(0, 1));
    }

    private static string[] Words(PacketTrace trace, TestCube cube) =>
        [.. trace.StepsUntil(cube.NowNanos).Select(step => $"{step.Server} {step.Event}")];
}
