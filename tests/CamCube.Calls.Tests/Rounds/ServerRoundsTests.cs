using CamCube.Calls.Tests.Ledgers;
using CamCube.Messaging;

namespace CamCube.Calls.Tests.Rounds;

public sealed class ServerRoundsTests
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(20);

    [Theory]
    [InlineData(2, 1, 1)]
    [InlineData(3, 3, 3)]
    [InlineData(8, 6, 4)]
    public void All_servers_are_asked_once_and_each_counts_once(int x, int y, int z)
    {
        using var cube = new LedgerCube(x, y, z);
        cube.Begin(0, Key.OfName("one"));
        cube.Begin(0, Key.OfName("two"));
        cube.Settle();
        (bool all, CountRound round) = Ask(cube, Others(cube));
        Assert.True(all);
        Assert.Equal(cube.Cube.Shape.Count - 1, round.Answered);
        Assert.Equal(round.Answered, round.Sent);
        Assert.Equal(2 - cube[0].Done, round.Sum);
        Assert.Equal(round.Answered, round.From.Distinct().Count());
        cube.AssertQuiet();
    }

    [Fact]
    public void Lost_questions_and_answers_are_asked_again_and_count_once()
    {
        using var cube = new LedgerCube(4, 3, 3);
        var random = new Random(5);
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0779 && random.Next(4) == 0;
        (bool all, CountRound round) = Ask(cube, Others(cube), attempts: 40);
        Assert.Equal((true, 35), (all, round.Answered));
        Assert.InRange(round.Sent, 36, 200);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_cannot_be_reached_is_not_waited_for_and_who_is_silent_is_told_of()
    {
        using var cube = new LedgerCube(3, 2, 2);
        cube.Kill(cube.Cube.Shape.At(5));
        cube.Cube.AwaitConverged();
        (bool all, CountRound round) = Ask(cube, Others(cube));
        Assert.Equal((true, 10), (all, round.Answered));
        cube[3].IsSilent = true;
        long begun = cube.Cube.NowNanos;
        (all, round) = Ask(cube, Others(cube), attempts: 3);
        Assert.Equal((false, 9, 12), (all, round.Answered, round.Sent));
        Assert.InRange(cube.Cube.NowNanos - begun, 60_000_000, 70_000_000);
        cube.AssertQuiet();
    }

    [Fact]
    public void Whoever_was_not_asked_answers_twice_or_late_does_not_count()
    {
        using var cube = new LedgerCube(3, 2, 2);
        cube[1].IsSilent = true;
        Coordinate asked = cube.Cube.Shape.At(1),
            notAsked = cube.Cube.Shape.At(2);
        var round = new CountRound(cube[0]);
        Task<bool> running = cube[0].Rounds.AskAsync(round, [asked], 2, Timeout).AsTask();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Answer(cube, 2, round.LastQuestion);
        Answer(cube, 1, round.LastQuestion + 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((false, 0), (running.IsCompleted, round.Answered));
        Answer(cube, 1, round.LastQuestion);
        Answer(cube, 1, round.LastQuestion);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Answer(cube, 1, round.LastQuestion);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((true, 1, 5L), (LedgerCube.Ended(running), round.Answered, round.Sum));
        Assert.False(cube[0].Rounds.TryAnswer(round.LastQuestion, notAsked, out _));
        Assert.False(cube[0].Rounds.TryAnswer(round.LastQuestion, new(65_535, 0, 0), out _));
        cube.AssertQuiet();
    }

    [Fact]
    public void It_ends_when_nobody_wants_to_know_any_more()
    {
        using var cube = new LedgerCube(3, 2, 2);
        cube[1].IsSilent = true;
        using var cancel = new CancellationTokenSource();
        var round = new CountRound(cube[0]);
        Task<bool> running = cube[0]
            .Rounds.AskAsync(round, Others(cube), 100, TimeSpan.FromSeconds(1), cancel.Token)
            .AsTask();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.False(running.IsCompleted);
        cancel.Cancel();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal((false, 10), (LedgerCube.Ended(running), round.Answered));
        cube.AssertQuiet();
    }

    [Fact]
    public void Rounds_go_on_beside_each_other()
    {
        using var cube = new LedgerCube(3, 3, 3);
        List<(Task<bool> Running, CountRound Round)> rounds = [];
        for (int i = 0; i < 50; i++)
        {
            var round = new CountRound(cube[i % 27]);
            Coordinate own = cube.Cube.Shape.At(i % 27);
            Coordinate[] others = [.. Enumerable.Range(0, 27).Select(cube.Cube.Shape.At).Where(c => c != own)];
            rounds.Add((cube[i % 27].Rounds.AskAsync(round, others, 10, Timeout).AsTask(), round));
        }

        cube.Cube.AwaitUntil(() => rounds.TrueForAll(static r => r.Running.IsCompleted));
        Assert.All(rounds, static r => Assert.Equal((true, 26), (LedgerCube.Ended(r.Running), r.Round.Answered)));
        cube.AssertQuiet();
    }

    private static (bool All, CountRound Round) Ask(LedgerCube cube, Coordinate[] targets, int attempts = 4)
    {
        var round = new CountRound(cube[0]);
        return (cube.Cube.Await(cube[0].Rounds.AskAsync(round, targets, attempts, Timeout)), round);
    }

    private static Coordinate[] Others(LedgerCube cube) =>
        [.. Enumerable.Range(1, cube.Cube.Shape.Count - 1).Select(cube.Cube.Shape.At)];

    private static void Answer(LedgerCube cube, int rank, ulong question)
    {
        var header = new LedgerHeader { Kind = LedgerKind.Counted, Question = question };
        (header.Message.Length, header.Message.PieceLength) = (8, 8);
        header.Message.Kind = MessageKind.Piece;
        cube[rank].SendRaw(header, [5, 0, 0, 0, 0, 0, 0, 0], cube.Cube.Shape.At(0));
    }
}
