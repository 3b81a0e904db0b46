using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Tests.Cubes;

public sealed class FailureTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(60)]
    public void A_root_that_was_cut_off_while_it_stood_still_gives_and_takes_nothing(int milliseconds)
    {
        using var cube = new CacheCube(2, 1, 1);
        Coordinate a = new(0, 0, 0),
            b = new(1, 0, 0);
        string key = cube.KeyAt(b);
        cube.Set(b, key, "old");
        cube.Cube.Pause(b, TimeSpan.FromSeconds(1));
        long until = cube.Cube.NowNanos + 1_000_000_000;

        // Heartbeats that left before the cut wait for it.
        cube.Cube.Advance(TimeSpan.FromMilliseconds(milliseconds));
        cube.Cube.CutOff(b);
        Assert.Equal(CacheStatus.Done, cube.Set(a, key, "new"));
        Assert.True(cube.Cube.NowNanos < until);
        cube.Cube.AwaitUntil(() => cube.Cube.NowNanos > until);
        for (int i = 0; i < 300; i++)
        {
            Assert.NotEqual("old", cube.Get(b, key));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.Equal(CacheStatus.Unavailable, cube.Set(b, key, "lost"));
        cube.Cube.MendAll(b);
        cube.Cube.AwaitConverged();
        Assert.Null(cube.Get(b, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_root_that_stood_still_for_a_moment_has_all_its_items_at_once()
    {
        using var cube = new CacheCube(3, 3, 3);
        Coordinate root = new(1, 1, 1),
            other = new(0, 0, 0);
        string key = cube.KeyAt(root);
        cube.Set(other, key, "v");
        cube.Cube.Pause(root, TimeSpan.FromMilliseconds(120));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(121));
        long before = cube.Cube.NowNanos;
        Assert.Equal("v", cube.Get(root, key));
        Assert.Equal("v", cube.Get(other, key));
        Assert.Equal(CacheStatus.Done, cube.Set(root, key, "w"));
        Assert.InRange(cube.Cube.NowNanos - before, 0, 50_000_000);
        Assert.Equal("w", cube.Get(other, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void Rank_0_of_two_that_returns_alone_has_its_keys_in_time()
    {
        using var cube = new CacheCube(2, 1, 1);
        cube.Set(new(0, 0, 0), "key", "v");
        cube.Cube.Kill(new(0, 0, 0));
        cube.Cube.Kill(new(1, 0, 0));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        cube.Cube.Revive(new(0, 0, 0));
        long revived = cube.Cube.NowNanos;
        cube.Cube.AwaitUntil(() => cube.Cube[0].Topology.HasKeys);

        // 1.5 D until it knows that nobody is there, D/2 for the news to reach nobody; nobody can be asked for a flush.
        Assert.InRange(cube.Cube.NowNanos - revived, 300_000_000, 460_000_000);
        cube.Cube.AwaitUntil(() => cube.Cube.NowNanos - revived > 1_000_000_000);
        Assert.Equal(CacheStatus.Done, cube.Set(new(0, 0, 0), "key", "v"));
        cube.AssertQuiet();
    }

    private static readonly Coordinate A = new(0, 0, 0),
        Root = new(1, 1, 1),
        Far = new(2, 2, 1);

    [Theory]
    [InlineData(CacheOperation.Increment)]
    [InlineData(CacheOperation.Append)]
    [InlineData(CacheOperation.Add)]
    [InlineData(CacheOperation.Delete)]
    [InlineData(CacheOperation.CompareAndSwap)]
    [InlineData(CacheOperation.Set)]
    [InlineData(CacheOperation.Prepend)]
    [InlineData(CacheOperation.Replace)]
    public void A_change_whose_answers_are_lost_is_done_once_and_its_answer_repeated(CacheOperation operation)
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        cube.Set(A, cube.KeyAt(Root, 3), "so that A knows the root");
        ulong cas = operation == CacheOperation.Add ? 0 : cube.Run(A, CacheOperation.Set, key, "5").Cas;
        int lost = 0;
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && IsAnswer(p) && lost++ < 3;
        CacheReply reply = cube.Run(
            A,
            operation,
            key,
            "7",
            cas: operation == CacheOperation.CompareAndSwap ? cas : 0,
            delta: 1
        );
        Assert.Equal(CacheStatus.Done, reply.Status);
        Assert.Equal(3, cube.Sum(CacheCount.RepeatedAnswers));
        string? expected = operation switch
        {
            CacheOperation.Increment => "6",
            CacheOperation.Append => "57",
            CacheOperation.Prepend => "75",
            CacheOperation.Delete => null,
            _ => "7",
        };
        Assert.Equal(expected, cube.Get(Far, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_change_whose_requests_are_lost_is_done_once()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        cube.Set(A, key, "5");
        int lost = 0;
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && !IsAnswer(p) && lost++ < 5;
        Assert.Equal(6UL, cube.Run(A, CacheOperation.Increment, key, delta: 1).Number);
        Assert.Equal("6", cube.Get(Far, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void Random_loss_never_doubles_a_change()
    {
        using var cube = new CacheCube(3, 3, 3);
        var random = new Random(5);
        var counts = new ulong[10];
        string[] keys = Enumerable.Range(0, 10).Select(i => cube.KeyAt(cube.Cube.Shape.At(i * 2), 1)).ToArray();
        foreach (string key in keys)
        {
            cube.Set(A, key, "0");
        }

        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && random.NextDouble() < 0.1;
        for (int i = 0; i < 600; i++)
        {
            int k = random.Next(10);
            CacheReply reply = cube.Run(
                cube.Cube.Shape.At(random.Next(27)),
                CacheOperation.Increment,
                keys[k],
                delta: 1
            );
            Assert.Equal((CacheStatus.Done, ++counts[k]), (reply.Status, reply.Number));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Gets_and_sets_go_on_when_the_root_dies()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root),
            other = cube.KeyAt(Root, 1);
        cube.Set(A, key, "old");
        cube.Cube.Kill(Root);
        Assert.Null(cube.Get(A, key));
        cube.Cube.Revive(Root);
        cube.Cube.AwaitConverged();
        cube.Set(A, key, "old");
        cube.Cube.Kill(Root);
        Assert.Equal(CacheStatus.Done, cube.Set(A, other, "new"));
        Assert.Equal("new", cube.Get(Far, other));
        Assert.Null(cube.Get(Far, key));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(CacheOperation.Increment)]
    [InlineData(CacheOperation.Append)]
    [InlineData(CacheOperation.Add)]
    [InlineData(CacheOperation.Delete)]
    public void A_change_whose_root_dies_unanswered_is_not_done_elsewhere(CacheOperation operation)
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        cube.Set(A, cube.KeyAt(Root, 3), "so that A knows the root");
        ValueTask<CacheReply> change = cube.Start(A, operation, key, CacheCube.Bytes("7"), delta: 1);
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && IsAnswer(p);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        cube.Cube.Kill(Root);
        cube.Cube.Lose = null;
        Assert.Equal(CacheStatus.TimedOut, cube.Cube.Await(change).Status);
        Assert.Null(cube.Get(Far, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_change_whose_root_restarts_at_once_is_not_done_again()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        cube.Set(A, key, "5");
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && IsAnswer(p);
        ValueTask<CacheReply> change = cube.Start(A, CacheOperation.Add, cube.KeyAt(Root, 1), CacheCube.Bytes("7"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Cube.Kill(Root);
        cube.Cube.Revive(Root);
        cube.Cube.Lose = null;
        Assert.Equal(CacheStatus.TimedOut, cube.Cube.Await(change).Status);
        cube.Cube.AwaitConverged();
        Assert.Null(cube.Get(Far, cube.KeyAt(Root, 1)));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_change_goes_to_a_root_that_restarted_long_ago()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        cube.Set(A, key, "5");
        cube.Cube.Kill(Root);
        cube.Cube.Revive(Root);
        cube.Cube.AwaitConverged();
        Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.Add, key, "7").Status);
        Assert.Equal(8UL, cube.Run(A, CacheOperation.Increment, key, delta: 1).Number);
        cube.AssertQuiet();
    }

    [Fact]
    public void An_old_token_never_succeeds_at_another_root()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        var tokens = new List<ulong> { cube.Run(A, CacheOperation.Set, key, "1").Cas };
        for (int i = 0; i < 4; i++)
        {
            if (i % 2 == 0)
            {
                cube.Cube.Kill(Root);
            }
            else
            {
                cube.Cube.Revive(Root);
            }

            cube.Cube.AwaitConverged();
            foreach (ulong token in tokens)
            {
                Assert.Equal(
                    CacheStatus.NotFound,
                    cube.Run(A, CacheOperation.CompareAndSwap, key, "2", cas: token).Status
                );
            }

            ulong next = cube.Run(A, CacheOperation.Set, key, "3").Cas;
            Assert.DoesNotContain(next, tokens);
            foreach (ulong token in tokens)
            {
                Assert.Equal(
                    CacheStatus.Exists,
                    cube.Run(A, CacheOperation.CompareAndSwap, key, "4", cas: token).Status
                );
            }

            tokens.Add(next);
            Assert.Equal("3", cube.Get(A, key));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Changes_through_a_server_that_is_cut_off_for_a_moment_are_late_and_not_refused()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(A);
        cube.Cube.CutOff(Root);
        cube.Cube.AwaitConverged();
        ValueTask<CacheReply> change = cube.Start(Root, CacheOperation.Set, key, CacheCube.Bytes("late"));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.False(change.IsCompleted);
        cube.Cube.MendAll(Root);
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(change).Status);
        Assert.Equal("late", cube.Get(A, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_change_that_waits_at_a_server_that_is_cut_off_ends_with_the_server()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(A);
        cube.Cube.CutOff(Root);
        cube.Cube.AwaitConverged();
        ValueTask<CacheReply> change = cube.Start(Root, CacheOperation.Set, key, CacheCube.Bytes("never"));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.False(change.IsCompleted);

        cube.Cube.Shutdown(Root);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(change.IsCompleted);
        Assert.Equal(CacheStatus.Unavailable, cube.Cube.Await(change).Status);

        cube.Cube.MendAll(Root);
        cube.Cube.Revive(Root);
        cube.Cube.AwaitConverged();
        Assert.Null(cube.Get(A, key));
        Assert.Equal(CacheStatus.Done, cube.Set(Root, key, "again"));
        Assert.Equal("again", cube.Get(A, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_root_that_was_cut_off_does_not_bring_its_old_value_back()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        Assert.Equal(CacheStatus.Done, cube.Set(A, key, "v1"));
        cube.Cube.CutOff(Root);
        Assert.Equal(CacheStatus.Done, cube.Set(A, key, "v2"));
        Assert.Null(cube.Get(Root, key));
        Assert.Equal(CacheStatus.Unavailable, cube.Run(Root, CacheOperation.Set, key, "v3").Status);
        long refusedNanos = cube.Cube.NowNanos;
        Assert.Equal(CacheStatus.Unavailable, cube.Run(Root, CacheOperation.Set, key, "v3").Status);
        Assert.Equal(refusedNanos, cube.Cube.NowNanos);
        Assert.Equal("v2", cube.Get(Far, key));
        cube.Cube.MendAll(Root);
        for (int i = 0; i < 100; i++)
        {
            Assert.True(cube.Get(A, key) is null or "v2");
            Assert.True(cube.Get(Root, key) is null or "v2");
            cube.Cube.Advance(TimeSpan.FromMilliseconds(7));
        }

        cube.Cube.AwaitConverged();
        Assert.Null(cube.Get(A, key));
        Assert.Equal(0, cube[Root].Store.Count);
        cube.AssertQuiet();
    }

    [Fact]
    public void Neither_side_of_a_partition_ever_gives_a_value_older_than_an_acknowledged_one()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        int acknowledged = 0;
        for (int round = 0; round < 3; round++)
        {
            cube.Cube.CutOff(Root);
            for (int i = 0; i < 400; i++)
            {
                if (i == 200)
                {
                    cube.Cube.MendAll(Root);
                }

                // The cut-off server answers its own clients at once from memory, if it still believes to be the root.
                if (int.TryParse(cube.Get(Root, key), out int near))
                {
                    Assert.InRange(near, acknowledged, int.MaxValue);
                }

                if (cube.Set(A, key, $"{acknowledged + 1}") == CacheStatus.Done)
                {
                    acknowledged++;
                }

                if (int.TryParse(cube.Get(Far, key), out int far))
                {
                    Assert.InRange(far, acknowledged, int.MaxValue);
                }

                cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            }

            cube.Cube.AwaitConverged();
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void A_root_that_notices_late_that_it_is_cut_off_is_not_contradicted_meanwhile()
    {
        using var cube = new CacheCube(
            3,
            3,
            3,
            new CacheOptions
            {
                Timeout = TimeSpan.FromMilliseconds(5),
                Attempts = 300,
                MaxValueLength = 1_024,
            }
        );
        string key = cube.KeyAt(Root);
        cube.Set(A, key, "v1");

        // Nobody hears the root from now on; it hears its neighbours for nearly a heartbeat interval more.
        long begin = cube.Cube.NowNanos;
        cube.Cube.Lose = (from, link, packet) =>
            from == Root
            || (
                cube.Cube.Shape.Step(from, link) == Root
                && (cube.Cube.NowNanos - begin > 48_000_000 || (packet.Service.Value == 0x0110 && IsChange(packet)))
            );
        ValueTask<CacheReply> change = cube.Start(A, CacheOperation.Set, key, CacheCube.Bytes("v2"));
        Task<CacheReply> set = change.AsTask();
        bool gaveOld = false,
            isDone = false;
        for (int i = 0; i < 2_000 && !isDone; i++)
        {
            isDone = set.IsCompleted;
            foreach (Link link in i == 95 ? LinkSet.AllCables : LinkSet.None)
            {
                _ = cube.Start(cube.Cube.Shape.Step(Root, link), CacheOperation.Get, key);
            }

            string? near = cube.Get(Root, key);
            gaveOld |= near == "v1";
            Assert.False(isDone && near == "v1");
            cube.Cube.Advance(TimeSpan.FromMicroseconds(500));
        }

        Assert.True(gaveOld && isDone);
        Assert.Equal("v2", cube.Get(Far, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_stand_in_that_stands_in_again_does_not_bring_its_old_value_back()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = cube.KeyAt(Root);
        cube.Cube.Kill(Root);
        cube.Cube.AwaitConverged();
        Assert.Equal(CacheStatus.Done, cube.Set(A, key, "at the stand-in"));
        Assert.Equal("at the stand-in", cube.Get(Far, key));
        cube.Cube.Revive(Root);
        cube.Cube.AwaitConverged();
        Assert.Null(cube.Get(Far, key));
        Assert.Equal(CacheStatus.Done, cube.Set(A, key, "at home"));
        cube.Cube.Kill(Root);
        Assert.Null(cube.Get(Far, key));
        cube.Cube.AwaitConverged();
        for (int rank = 0; rank < 27; rank++)
        {
            if (cube.Cube[rank].IsRunning)
            {
                Assert.Null(cube.Get(cube.Cube.Shape.At(rank), key));
            }
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Items_of_a_stand_in_that_keeps_its_keys_stay_when_others_return()
    {
        using var cube = new CacheCube(3, 3, 3);
        Coordinate other = new(2, 0, 0);
        string key = cube.KeyAt(Root);
        cube.Cube.Kill(Root);
        cube.Cube.Kill(other);
        cube.Cube.AwaitConverged();
        cube.Set(A, key, "kept");
        Coordinate standIn = cube.Cube[A].Topology.RootOf(Key.OfName(key));
        Assert.NotEqual(other, standIn);
        cube.Cube.Revive(other);
        cube.Cube.AwaitConverged();
        if (cube.Cube[A].Topology.RootOf(Key.OfName(key)) == standIn)
        {
            Assert.Equal("kept", cube.Get(A, key));
        }

        cube.AssertQuiet();
    }

    private static bool IsChange(Packet packet) => packet.Header<CacheHeader>().Kind == (byte)PacketKind.Change;

    private static bool IsAnswer(Packet packet) =>
        packet.Header<CacheHeader>().Kind is (byte)PacketKind.Answer or (byte)PacketKind.Refusal;
}
