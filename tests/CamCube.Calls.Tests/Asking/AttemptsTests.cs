namespace CamCube.Calls.Tests.Asking;

/// <summary>What is concluded from silence and refusals: the rules of "at most once".</summary>
public sealed class AttemptsTests
{
    private static readonly Coordinate Root = new(1, 1, 1),
        Other = new(2, 1, 1);

    [Fact]
    public void Silence_of_a_known_run_binds_a_change_to_it()
    {
        Attempts attempts = Unanswered(isRepeatable: false, run: 7);
        Assert.True(attempts.IsBound);
        Assert.False(Unanswered(isRepeatable: true, run: 7).IsBound);
        Assert.False(Unanswered(isRepeatable: false, run: 0).IsBound);
    }

    [Theory]
    [InlineData((byte)RefusalReason.NotRoot)]
    [InlineData((byte)RefusalReason.NotYet)]
    [InlineData((byte)RefusalReason.Late)]
    public void A_refusal_of_the_run_that_was_meant_proves_that_nothing_was_done(byte reason)
    {
        Attempts attempts = Unanswered(isRepeatable: false, run: 7);
        Assert.True(attempts.NoteRefusal(Refused((RefusalReason)reason, Root, run: 7), 1_000, out _));
        Assert.False(attempts.IsBound);
    }

    [Fact]
    public void A_refusal_of_anybody_else_proves_nothing()
    {
        Attempts attempts = Unanswered(isRepeatable: false, run: 7);
        Assert.True(attempts.NoteRefusal(Refused(RefusalReason.NotRoot, Root, run: 6), 1_000, out _));
        Assert.True(attempts.IsBound);
    }

    [Theory]
    [InlineData(500, false)]
    [InlineData(5_000, true)]
    public void A_root_that_restarted_since_the_beginning_may_have_done_it_before(long uptime, bool goesOn)
    {
        Attempts attempts = Unanswered(isRepeatable: false, run: 7);
        Refusal refusal = Refused(RefusalReason.WrongRun, Root, run: 8, uptime);
        Assert.Equal(goesOn, attempts.NoteRefusal(refusal, nowNanos: 1_000, out _));
        Attempts set = Unanswered(isRepeatable: true, run: 7);
        Assert.True(set.NoteRefusal(refusal, nowNanos: 1_000, out _));
    }

    [Fact]
    public void A_server_that_was_not_meant_names_itself_as_the_next()
    {
        var attempts = new Attempts { Root = Root, Run = 7 };
        Assert.True(attempts.NoteRefusal(Refused(RefusalReason.WrongRun, Other, run: 9), 1_000, out long pause));
        Assert.Equal(Other, attempts.Root);
        Assert.False(attempts.IsBound);
        Assert.True(pause > 0);
        var first = new Attempts { Root = Root };
        Assert.True(first.NoteRefusal(Refused(RefusalReason.WrongRun, Root, run: 9), 1_000, out pause));
        Assert.Equal(0, pause);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_a_root_has_forgotten_only_a_repeatable_one_survives(bool isRepeatable)
    {
        Attempts attempts = Unanswered(isRepeatable, run: 7);
        Assert.Equal(isRepeatable, attempts.NoteRefusal(Refused(RefusalReason.Forgotten, Root, run: 7), 1_000, out _));
        Assert.True(attempts.IsUncertain);
    }

    [Fact]
    public void What_is_known_of_a_root_ends_with_its_loss_or_with_age()
    {
        var known = new KnownRoots();
        Assert.False(known.TryGet(Root, 0, out _, out _));
        known.Learn(Root, new RootStamp { Run = 7, NowNanos = 1_500 }, nowNanos: 1_000);
        Assert.True(known.TryGet(Root, 2_000, out ulong run, out long ahead));
        Assert.Equal((7UL, 500L), (run, ahead));
        Assert.False(known.TryGet(Root, 31_000_000_000, out run, out _));
        Assert.Equal(0UL, run);
        known.Forget(Root);
        Assert.False(known.TryGet(Root, 2_000, out _, out _));
    }

    private static Attempts Unanswered(bool isRepeatable, ulong run)
    {
        var attempts = new Attempts
        {
            IsRepeatable = isRepeatable,
            Root = Root,
            Run = run,
        };
        attempts.NoteSilence();
        return attempts;
    }

    private static Refusal Refused(RefusalReason reason, Coordinate from, ulong run, long uptime = 0) =>
        new(
            reason,
            from,
            new RefusalHead
            {
                Root = new RootStamp { Run = run },
                UptimeNanos = uptime,
            }
        );
}
