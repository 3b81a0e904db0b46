using CamCube.Services.KeyValue.Requests;

namespace CamCube.Services.KeyValue.Tests.Service;

public sealed class AttemptFatesTests
{
    [Fact]
    public void One_attempt_that_was_answered_is_known()
    {
        var fates = default(AttemptFates);
        Assert.True(fates.AreKnown);
        fates.Begin(1);
        Assert.False(fates.AreKnown);
        fates.End(new AttemptReply { Attempt = 1, IsAnswer = true });
        Assert.True(fates.AreKnown);
    }

    [Fact]
    public void An_attempt_that_nothing_was_heard_of_may_yet_be_done_until_it_is_answered_late()
    {
        var fates = default(AttemptFates);
        fates.Begin(1);
        fates.Begin(2);
        fates.End(new AttemptReply { Attempt = 2, IsAnswer = true });
        Assert.False(fates.AreKnown);
        fates.End(new AttemptReply { Attempt = 1 });
        Assert.True(fates.AreKnown);
    }

    [Fact]
    public void Who_resigned_with_it_in_the_log_does_not_know_and_nobody_will()
    {
        var fates = default(AttemptFates);
        fates.Begin(1);
        fates.End(new AttemptReply { Attempt = 1, IsUncertain = true });
        fates.Begin(2);
        fates.End(new AttemptReply { Attempt = 2, IsAnswer = true });
        Assert.False(fates.AreKnown);
    }

    [Fact]
    public void More_attempts_than_can_be_told_apart_are_uncertain()
    {
        var fates = default(AttemptFates);
        for (byte attempt = 1; attempt < 70; attempt++)
        {
            fates.Begin(attempt);
        }

        for (byte attempt = 1; attempt < 70; attempt++)
        {
            fates.End(new AttemptReply { Attempt = attempt });
        }

        Assert.False(fates.AreKnown);
    }
}
