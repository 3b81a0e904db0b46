using CamCube.Services.Cache;
using CamCube.Swarm.Histories;

namespace CamCube.Swarm.Tests.Histories;

public sealed class CacheCountingTests
{
    private const long AttemptNanos = 100;
    private readonly CacheCounting _counting = new("c", AttemptNanos);

    [Fact]
    public void An_increment_that_timed_out_may_count_once()
    {
        Set(1);
        Increment(2, gives: 1);
        TimeOut(3);
        Increment(4, gives: 3);
        Assert.Empty(_counting.Failures);
        Increment(5, gives: 5);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void An_increment_through_a_server_that_stopped_may_count_until_its_deadline_even_after_a_set()
    {
        Set(1);
        Increment(2, gives: 1);
        Stop(CacheOperation.Increment, 3);
        Set(4);
        Increment(5, gives: 2);
        Assert.Empty(_counting.Failures);

        // Once: it is not done again.
        Increment(6, gives: 4);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void It_counts_no_more_than_once()
    {
        Set(1);
        Stop(CacheOperation.Increment, 2);
        Set(3);
        Increment(4, gives: 3);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void Each_of_several_counts_once()
    {
        Set(1);
        Stop(CacheOperation.Increment, 2);
        Set(3);
        Stop(CacheOperation.Increment, 4);
        Set(5);
        Increment(6, gives: 2);
        Increment(7, gives: 4);
        Assert.Empty(_counting.Failures);
        Increment(8, gives: 6);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void One_that_counted_before_its_deadline_may_be_seen_first_after_it_but_not_later()
    {
        Set(1);
        Stop(CacheOperation.Increment, 2);
        Set(3);
        Increment(2 + AttemptNanos, gives: 2);
        Assert.Empty(_counting.Failures);

        Stop(CacheOperation.Increment, 200);
        Set(201);
        Increment(200 + AttemptNanos, gives: 1);
        Increment(201 + AttemptNanos, gives: 3);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void After_its_deadline_a_set_hides_it()
    {
        Set(1);
        Stop(CacheOperation.Increment, 2);
        Set(2 + AttemptNanos);
        Increment(3 + AttemptNanos, gives: 2);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void A_set_through_a_server_that_stopped_may_begin_again_once()
    {
        Stop(CacheOperation.Set, 1);
        Set(2);
        Increment(3, gives: 1);
        Increment(4, gives: 2);
        Increment(5, gives: 1);
        Assert.Empty(_counting.Failures);
        Increment(6, gives: 1);
        Assert.Single(_counting.Failures);
    }

    [Fact]
    public void A_set_through_a_server_that_stopped_does_not_begin_again_after_its_deadline_nor_let_more_count()
    {
        Stop(CacheOperation.Set, 1);
        Set(2);
        Increment(3, gives: 2);
        Assert.Single(_counting.Failures);
        Increment(1 + AttemptNanos, gives: 3);
        Increment(2 + AttemptNanos, gives: 1);
        Assert.Equal(2, _counting.FailureCount);
    }

    private void Set(long at) =>
        _counting.End(CacheOperation.Set, new CacheReply(CacheStatus.Done), isGone: false, at, at);

    private void Increment(long at, ulong gives) =>
        _counting.End(CacheOperation.Increment, new CacheReply(CacheStatus.Done, Number: gives), isGone: false, at, at);

    private void TimeOut(long at) =>
        _counting.End(CacheOperation.Increment, new CacheReply(CacheStatus.TimedOut), isGone: false, at, at);

    private void Stop(CacheOperation operation, long at) =>
        _counting.End(operation, new CacheReply(CacheStatus.TimedOut), isGone: true, at, at);
}
