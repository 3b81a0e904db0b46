using CamCube.Faults;
using CamCube.Testing;

namespace CamCube.Messaging.Tests;

public sealed class MessageServiceTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5_000)]
    [InlineData(1 << 20)]
    public void A_question_is_answered_by_who_is_asked_oneself_included(int length)
    {
        using TestCube cube = Cube(3, 1, 1);
        byte[] content = TestBytes.Of(length, 1);
        foreach (Destination to in (Destination[])[A, B, new Coordinate(2, 0, 0), Key.OfName("k")])
        {
            using Answer<Inquiry> answer = cube.Await(cube[A].Service<Asker>().Ask(7, content, to, millis: 200));
            Assert.Equal((WaitResult.Enough, true, -7), (answer.Result, answer.IsAnswered, answer.Header.Number));
            Assert.Equal(content.Reverse(), answer.Content.ToArray());
            Assert.Equal(to.IsKey ? cube[A].Topology.RootOf(Key.OfName("k")) : to.Server, answer.Source);
        }

        Assert.Equal(0, cube[A].Service<Asker>().OpenQuestions);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_question_is_asked_again_until_it_is_answered_or_has_been_asked_often_enough()
    {
        using TestCube cube = Cube(2, 1, 1);
        Asker asking = cube[A].Service<Asker>(),
            asked = cube[B].Service<Asker>();
        asked.IsSilent = true;
        using (Answer<Inquiry> none = cube.Await(asking.Ask(1, default, B, millis: 20, attempts: 4)))
        {
            Assert.Equal((WaitResult.TimedOut, false, 0), (none.Result, none.IsAnswered, none.Content.Length));
        }

        Assert.Equal([1, 1, 1, 1], asked.Asked);

        // The first two attempts are lost, the third is answered.
        asked.IsSilent = false;
        int lost = 0;
        cube.Lose = (from, _, packet) => from == A && packet.Service.Value == 0x0778 && lost++ < 2;
        using (Answer<Inquiry> answer = cube.Await(asking.Ask(2, "abc"u8.ToArray(), B)))
        {
            Assert.Equal("cba"u8.ToArray(), answer.Content.ToArray());
        }

        Assert.Equal(1, asked.Asked.Count(n => n == 2));
        cube.AssertQuiet();
    }

    [Fact]
    public void An_answer_that_has_begun_to_arrive_is_waited_for_and_one_that_comes_too_late_is_nobodys()
    {
        using TestCube cube = Cube(2, 1, 1);
        Asker asking = cube[A].Service<Asker>(),
            asked = cube[B].Service<Asker>();
        byte[] content = TestBytes.Of(1 << 20, 3);

        // A megabyte takes 8 ms on the way there, and again back: longer than an attempt.
        asked.Delay = TimeSpan.FromMilliseconds(1);
        using (Answer<Inquiry> answer = cube.Await(asking.Ask(3, content, B, millis: 12, attempts: 1)))
        {
            Assert.True(answer.IsAnswered);
            Assert.Equal(content.Reverse(), answer.Content.ToArray());
        }

        asked.Delay = TimeSpan.FromMilliseconds(50);
        using (Answer<Inquiry> late = cube.Await(asking.Ask(4, "late"u8.ToArray(), B, millis: 10, attempts: 2)))
        {
            Assert.Equal(WaitResult.TimedOut, late.Result);
        }

        // Its answers come while another question is open, and answer nothing.
        asked.Delay = TimeSpan.FromMilliseconds(60);
        using (Answer<Inquiry> own = cube.Await(asking.Ask(5, "own"u8.ToArray(), B, millis: 100)))
        {
            Assert.Equal("nwo"u8.ToArray(), own.Content.ToArray());
        }

        cube.Advance(TimeSpan.FromSeconds(5));
        cube.AssertQuiet();
    }

    [Fact]
    public async Task A_crowd_under_loss_gets_its_own_answers_though_a_hostile_one_answers_everybody_and_a_server_dies()
    {
        using TestCube cube = Cube(3, 3, 1);
        Coordinate dying = new(2, 2, 0);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        using IDisposable loss = cube.LinkFaults.Add(new PacketLoss(0.05));

        // Answers to questions that nobody asked, and plain messages, to all.
        Asker hostile = cube[4].Service<Asker>();
        hostile.Place.Every(
            TimeSpan.FromMilliseconds(1),
            () =>
            {
                for (int rank = 0; rank < 9; rank++)
                {
                    var header = new Inquiry
                    {
                        Question = new QuestionHeader { Id = (ulong)rank | (1UL << 16), IsAnswer = 1 },
                    };
                    hostile.Tell(header, TestBytes.Of(3, rank), cube.Shape.At(rank));
                }
            }
        );
        var open = new List<(int Number, byte[] Content, Coordinate To, Task<Answer<Inquiry>> Answer)>();
        for (int round = 0; round < 20; round++)
        {
            for (int from = 0; from < 8; from++)
            {
                int number = (round * 100) + from + 1;
                Coordinate to = cube.Shape.At((from + round) % 9);
                byte[] content = TestBytes.Of(round * from * 97, number);
                open.Add(
                    (
                        number,
                        content,
                        to,
                        cube[from].Service<Asker>().Ask(number, content, to, millis: 30, attempts: 8).AsTask()
                    )
                );
            }

            cube.Advance(TimeSpan.FromMilliseconds(2));
            if (round == 10)
            {
                cube.Kill(dying);
            }
        }

        cube.AwaitUntil(() => open.TrueForAll(one => one.Answer.IsCompleted));
        int answered = 0;
        foreach ((int number, byte[] content, Coordinate to, Task<Answer<Inquiry>> task) in open)
        {
            using Answer<Inquiry> answer = await task;
            Assert.True(answer.IsAnswered || to == dying, $"{number} to {to}: {answer.Result}");
            if (answer.IsAnswered)
            {
                answered++;
                Assert.Equal((-number, to), (answer.Header.Number, answer.Source));
                Assert.Equal(content.Reverse(), answer.Content.ToArray());
            }
        }

        Assert.InRange(answered, 140, 160);
        Assert.True(cube[0].Service<Asker>().Plain == 0);
    }

    [Fact]
    public async Task A_service_that_stops_ends_its_questions_and_one_that_throws_is_not_the_askers_fault()
    {
        using TestCube cube = Cube(2, 1, 1);
        Asker asking = cube[A].Service<Asker>(),
            asked = cube[B].Service<Asker>();
        asked.Throws = true;
        ValueTask<Answer<Inquiry>> question = asking.Ask(1, default, B, millis: 100, attempts: 50);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal("asker", Assert.Single(cube.Faults).Service);
        using (Answer<Inquiry> answer = cube.Await(question))
        {
            // By then another instance answers.
            Assert.True(answer.IsAnswered);
        }

        cube[B].Service<Asker>().IsSilent = true;
        Task<Answer<Inquiry>> open = asking.Ask(2, default, B, millis: 10_000).AsTask();
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Kill(A);
        cube.AwaitUntil(() => open.IsCompleted);
        Assert.Equal(WaitResult.Stopped, (await open).Result);
    }

    [Fact]
    public void Nobody_can_answer_what_is_no_question()
    {
        using TestCube cube = Cube(2, 1, 1);
        Asker asked = cube[B].Service<Asker>();
        cube[A].Service<Asker>().Tell(new Inquiry { Number = 9 }, [1, 2, 3], B);
        cube.AwaitUntil(() => asked.Plain == 1);
        Assert.Empty(asked.Asked);
        cube.AssertQuiet();
    }

    private static TestCube Cube(int x, int y, int z) => new TestCube(x, y, z).Add(s => new Asker(s));
}
