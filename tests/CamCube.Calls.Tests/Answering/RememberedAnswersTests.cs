namespace CamCube.Calls.Tests.Answering;

public sealed class RememberedAnswersTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void An_answer_is_repeated_until_it_is_too_old_and_then_refused()
    {
        var answers = new RememberedAnswers<int>(100, ageNanos: 1_000);
        answers.Add(new RequestId(A, 7, 5), 9, nowNanos: 0);
        Assert.Equal(Knowledge.Answered, answers.Find(new RequestId(A, 7, 5), out int reply));
        Assert.Equal(9, reply);
        Assert.Equal(Knowledge.New, answers.Find(new RequestId(A, 7, 4), out _));
        Assert.Equal(1_000, answers.Trim(999));
        Assert.Equal(long.MaxValue, answers.Trim(1_000));
        Assert.Equal(0, answers.Count);
        Assert.Equal(Knowledge.Forgotten, answers.Find(new RequestId(A, 7, 5), out _));
        Assert.Equal(Knowledge.Forgotten, answers.Find(new RequestId(A, 7, 4), out _));
        Assert.Equal(Knowledge.New, answers.Find(new RequestId(A, 7, 6), out _));
        Assert.Equal(Knowledge.New, answers.Find(new RequestId(B, 7, 1), out _));
    }

    [Fact]
    public void Requests_of_an_earlier_run_are_refused_once_a_later_one_is_known()
    {
        var answers = new RememberedAnswers<int>(100, ageNanos: 10);
        answers.Add(new RequestId(A, 8, 1), default, 0);
        answers.Trim(10);
        Assert.Equal(Knowledge.Forgotten, answers.Find(new RequestId(A, 7, 100), out _));
        Assert.Equal(Knowledge.New, answers.Find(new RequestId(A, 9, 1), out _));
    }

    [Fact]
    public void What_was_done_anew_is_said_from_then_on()
    {
        var answers = new RememberedAnswers<int>(100, ageNanos: 10);
        answers.Add(new RequestId(A, 8, 1), 1, 0);
        answers.Add(new RequestId(A, 8, 1), 2, 0);
        answers.Find(new RequestId(A, 8, 1), out int reply);
        Assert.Equal(1, reply);
        answers.Replace(new RequestId(A, 8, 1), 3);
        answers.Find(new RequestId(A, 8, 1), out reply);
        Assert.Equal((3, 1), (reply, answers.Count));
    }

    [Fact]
    public void A_mark_never_goes_back_and_covers_all_before_it()
    {
        var marks = new AskerMarks();
        Assert.False(marks.Cover(new RequestId(A, 0, 0)));
        marks.Raise(new RequestId(A, 7, 5));
        marks.Raise(new RequestId(A, 7, 3));
        marks.Raise(new RequestId(A, 6, 900));
        Assert.True(marks.Cover(new RequestId(A, 7, 5)));
        Assert.True(marks.Cover(new RequestId(A, 6, ulong.MaxValue)));
        Assert.False(marks.Cover(new RequestId(A, 7, 6)));
        Assert.False(marks.Cover(new RequestId(B, 7, 1)));
        marks.Raise(new RequestId(A, 8, 0));
        Assert.True(marks.Cover(new RequestId(A, 7, ulong.MaxValue)));
        Assert.False(marks.Cover(new RequestId(A, 8, 1)));
    }

    [Fact]
    public void No_request_is_ever_new_twice_however_few_are_kept()
    {
        var random = new Random(1);
        var answers = new RememberedAnswers<int>(16, ageNanos: 50);
        var done = new HashSet<RequestId>();
        long now = 0;
        for (int i = 0; i < 50_000; i++)
        {
            now += random.Next(4);
            ulong run = (ulong)(now / 20_000),
                newest = (ulong)i;
            var id = new RequestId(random.Next(2) == 0 ? A : B, run, newest - (ulong)random.Next(Math.Min(i + 1, 40)));
            if (answers.Find(id, out _) == Knowledge.New)
            {
                Assert.True(done.Add(id));
                answers.Add(id, default, now);
            }

            Assert.InRange(answers.Count, 0, 16);
        }

        Assert.True(done.Count > 10_000);
    }
}
