using CamCube.Services.Cache.Requests;

namespace CamCube.Services.Cache.Tests.Requests;

public sealed class RecentAnswersTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void An_answer_is_repeated_until_it_is_too_old_and_then_refused()
    {
        var answers = new RecentAnswers(100, ageNanos: 1_000);
        answers.Add(new RequestId(A, 7, 5), new CacheReply(CacheStatus.Done, Cas: 9), nowNanos: 0);
        Assert.Equal(RecentAnswers.Knowledge.Answered, answers.Find(new RequestId(A, 7, 5), out CacheReply reply));
        Assert.Equal(9UL, reply.Cas);
        Assert.Equal(RecentAnswers.Knowledge.New, answers.Find(new RequestId(A, 7, 4), out _));
        Assert.Equal(1_000, answers.Trim(999));
        Assert.Equal(long.MaxValue, answers.Trim(1_000));
        Assert.Equal(0, answers.Count);
        Assert.Equal(RecentAnswers.Knowledge.Forgotten, answers.Find(new RequestId(A, 7, 5), out _));
        Assert.Equal(RecentAnswers.Knowledge.Forgotten, answers.Find(new RequestId(A, 7, 4), out _));
        Assert.Equal(RecentAnswers.Knowledge.New, answers.Find(new RequestId(A, 7, 6), out _));
        Assert.Equal(RecentAnswers.Knowledge.New, answers.Find(new RequestId(B, 7, 1), out _));
    }

    [Fact]
    public void Requests_of_an_earlier_run_are_refused_once_a_later_one_is_known()
    {
        var answers = new RecentAnswers(100, ageNanos: 10);
        answers.Add(new RequestId(A, 8, 1), default, 0);
        answers.Trim(10);
        Assert.Equal(RecentAnswers.Knowledge.Forgotten, answers.Find(new RequestId(A, 7, 100), out _));
        Assert.Equal(RecentAnswers.Knowledge.New, answers.Find(new RequestId(A, 9, 1), out _));
    }

    [Fact]
    public void No_request_is_ever_new_twice_however_few_are_kept()
    {
        var random = new Random(1);
        var answers = new RecentAnswers(16, ageNanos: 50);
        var done = new HashSet<RequestId>();
        long now = 0;
        for (int i = 0; i < 50_000; i++)
        {
            now += random.Next(4);
            ulong run = (ulong)(now / 20_000),
                newest = (ulong)i;
            var id = new RequestId(random.Next(2) == 0 ? A : B, run, newest - (ulong)random.Next(Math.Min(i + 1, 40)));
            if (answers.Find(id, out _) == RecentAnswers.Knowledge.New)
            {
                Assert.True(done.Add(id));
                answers.Add(id, default, now);
            }

            Assert.InRange(answers.Count, 0, 16);
        }

        Assert.True(done.Count > 10_000);
    }
}
