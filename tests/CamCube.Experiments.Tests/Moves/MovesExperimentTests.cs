using CamCube.Experiments.Moves;

namespace CamCube.Experiments.Tests.Moves;

/// <summary>Part moves of libripc in virtual time: a crowd with a hostile one in it, moves and killed owners.</summary>
public sealed class MovesExperimentTests
{
    [Fact]
    public void The_crowd_goes_on_and_no_message_comes_to_another_or_twice()
    {
        using var cube = new VirtualMovesCube(new TorusShape(3, 3, 1));
        MovesResult result = MovesExperiment.Run(cube, new MovesPlan(3, 4));

        Assert.Equal((0, 0), (result.Wrong, result.Doubled));
        Assert.True(result.Malformed > 10, $"{result.Malformed} malformed");
        Assert.Equal(7, result.Rounds.Count);
        Assert.All(
            result.Rounds.Where(round => !round.IsKill),
            round =>
            {
                Assert.True(round.Sent > 300, $"{round}");
                Assert.Equal((0L, 0L), (round.Lost, round.Refused));
                Assert.InRange(round.GapMillis, 0, 15);
            }
        );
        Assert.All(
            result.Rounds.Where(round => round.IsKill),
            round =>
            {
                Assert.True(round.Lost > 0, $"{round}");
                Assert.Equal(0, round.LostLater);
                Assert.InRange(round.NoticedMillis, 150, 226);
                Assert.InRange(round.GapMillis, round.NoticedMillis, round.NoticedMillis + 141);
            }
        );
    }
}
