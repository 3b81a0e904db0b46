using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;
using static CamCube.Services.Cache.Tests.HotSpots.SpotCube;

namespace CamCube.Services.Cache.Tests.HotSpots;

/// <summary>A change is acknowledged when no copy can be served any more (docs/cache.md, "Copies").</summary>
public sealed class ChangeTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromMicroseconds(500);

    [Theory]
    [InlineData(CacheOperation.Set)]
    [InlineData(CacheOperation.Add)]
    [InlineData(CacheOperation.Replace)]
    [InlineData(CacheOperation.Append)]
    [InlineData(CacheOperation.Prepend)]
    [InlineData(CacheOperation.CompareAndSwap)]
    [InlineData(CacheOperation.Delete)]
    [InlineData(CacheOperation.Increment)]
    [InlineData(CacheOperation.Decrement)]
    [InlineData(CacheOperation.Touch)]
    [InlineData(CacheOperation.GetAndTouch)]
    public void A_change_ends_the_copies_first(CacheOperation operation)
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("5");
        ulong cas = operation == CacheOperation.CompareAndSwap ? cube.Cache.Read(Asker, cube.Key, out _).Cas : 0;
        CacheReply reply = cube.Cache.Run(Writer, operation, cube.Key, "7", cas, delta: 1);
        Assert.Equal(operation == CacheOperation.Add ? CacheStatus.NotStored : CacheStatus.Done, reply.Status);
        Assert.Null(cube.Peek());
        Assert.Equal((1, 1), (cube.At(Root, CacheCount.ChangesWaited), cube.At(Holder, CacheCount.CopiesFlushed)));
        string? expected = operation switch
        {
            CacheOperation.Append => "57",
            CacheOperation.Prepend => "75",
            CacheOperation.Delete => null,
            CacheOperation.Increment => "6",
            CacheOperation.Decrement => "4",
            CacheOperation.Add or CacheOperation.Touch or CacheOperation.GetAndTouch => "5",
            _ => "7",
        };
        Assert.Equal(expected, cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_change_waits_while_the_holder_cannot_be_told_and_reads_give_the_old_value_everywhere()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("old");
        cube.Lose(PacketKind.CopyFlush);
        Task<CacheReply> set = cube.StartSet("new");
        for (int i = 0; i < 40; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.False(set.IsCompleted);
            Assert.Equal("old", cube.Peek());
            Assert.Equal("old", cube.Cache.Get(Root, cube.Key));
        }

        cube.Cube.Lose = null;
        cube.Cube.AwaitUntil(() => set.IsCompleted);
        Assert.Equal(CacheStatus.Done, StatusOf(set));
        Assert.Null(cube.Peek());
        Assert.Equal("new", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void While_a_change_waits_nobody_gets_a_new_copy()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("old");
        cube.Lose(PacketKind.CopyFlush);
        Task<CacheReply> set = cube.StartSet("new");
        long begin = cube.Cube.NowNanos;
        while (!set.IsCompleted)
        {
            // Readers all around, and a holder that asks again whenever its copy has ended.
            cube.Cube.Advance(Tick);
            _ = cube.Cache.Start(Asker, CacheOperation.Get, cube.Key);
            _ = cube.Cache.Start(Holder, CacheOperation.Get, cube.Key);
        }

        Assert.InRange(cube.Cube.NowNanos - begin, 190_000_000, 400_000_000);
        Assert.Equal("new", cube.Cache.Get(Holder, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_change_of_the_roots_own_client_waits_and_goes_on()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("old");
        var terms = new CacheTerms { Operation = CacheOperation.Set };
        Assert.False(cube.Cache[Root].TryExecute(terms, CacheCube.Bytes(cube.Key), "new"u8, null, out _));
        long begin = cube.Cube.NowNanos;
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Root, cube.Key, "new"));
        Assert.True(cube.Cube.NowNanos - begin < 5_000_000);
        Assert.Null(cube.Peek());
        Assert.Equal("new", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_change_of_a_key_without_copies_sends_nothing_and_waits_for_nothing()
    {
        using var cube = new SpotCube();
        string other = cube.KeyWithCopyAt(Root, Holder, 1);
        cube.SetAndCopy("v");
        int told = 0;
        cube.Cube.Lose = (_, _, p) =>
        {
            told += p.Service.Value == 0x0110 && p.Header<CacheHeader>().Kind == (byte)PacketKind.CopyFlush ? 1 : 0;
            return false;
        };
        var terms = new CacheTerms { Operation = CacheOperation.Set };
        Assert.True(cube.Cache[Root].TryExecute(terms, CacheCube.Bytes(other), "v"u8, null, out _));
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, other, "w"));
        Assert.Equal((0, 0L), (told, cube.Cache.Sum(CacheCount.ChangesWaited)));
        Assert.Equal("v", cube.Peek());
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void Many_changes_that_wait_are_done_once_each()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("0");
        cube.Lose(PacketKind.CopyFlush);
        List<Task<CacheReply>> all =
        [
            .. Enumerable
                .Range(0, 27)
                .Select(rank =>
                    cube.Cache.Start(cube.Cube.Shape.At(rank), CacheOperation.Increment, cube.Key, delta: 1).AsTask()
                ),
        ];
        cube.Cube.AwaitUntil(() => all.TrueForAll(t => t.IsCompleted));
        Assert.Equal(Enumerable.Range(1, 27).Select(i => (ulong)i), all.Select(t => t.Result.Number).Order());
        Assert.Equal("27", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_change_does_not_wait_longer_than_the_lease_of_a_holder_that_died()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("old");
        cube.Cube.Kill(Holder);
        long begin = cube.Cube.NowNanos;
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, "new"));
        Assert.InRange(cube.Cube.NowNanos - begin, 195_000_000, 215_000_000);
        Assert.Equal("new", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(-9_000, 9_000)]
    [InlineData(9_000, -9_000)]
    public void A_holder_that_is_cut_off_never_serves_a_copy_after_the_change_was_acknowledged(
        int holderDrift,
        int rootDrift
    )
    {
        using var cube = new SpotCube();
        cube.Cube.Cube.SetClock(cube.Cube.Shape.RankOf(Holder), TimeSpan.Zero, holderDrift);
        cube.Cube.Cube.SetClock(cube.Cube.Shape.RankOf(Root), TimeSpan.Zero, rootDrift);
        cube.SetAndCopy("old");
        cube.Cube.CutOff(Holder);
        Task<CacheReply> set = cube.StartSet("new");
        int old = 0;
        while (!set.IsCompleted)
        {
            old += cube.Peek() == "old" ? 1 : 0;
            cube.Cube.Advance(TimeSpan.FromMicroseconds(50));
        }

        // It served as long as it might, and no longer.
        Assert.InRange(old, 3_600, 4_200);
        Assert.Null(cube.Peek());
        cube.Cube.MendAll(Holder);
        cube.Cube.AwaitConverged();
        Assert.Equal("new", cube.Cache.Get(Holder, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_holder_that_stood_still_does_not_serve_a_copy_whose_lease_is_over()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("old");
        cube.Cube.Pause(Holder, TimeSpan.FromMilliseconds(230));
        Task<CacheReply> set = cube.StartSet("new");
        cube.Cube.AwaitUntil(() => set.IsCompleted);

        // Waits at the holder until that goes on.
        Assert.True(cube.Cube.Cube.IsPaused(cube.Cube.Shape.RankOf(Holder)));
        Assert.Equal("new", cube.Cache.Get(Asker, cube.Key));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(60));
        Assert.NotEqual("old", cube.Peek());
        Assert.Equal("new", cube.Cache.Get(Holder, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_copy_that_comes_after_its_flush_is_not_kept()
    {
        using var cube = new SpotCube();
        cube.Cache.Set(Writer, cube.Key, "old");
        (CacheHeader Header, byte[] Body)? late = null;
        cube.Cube.Lose = (_, _, p) =>
        {
            if (p.Service.Value == 0x0110 && p.Header<CacheHeader>().Kind == (byte)PacketKind.Copy)
            {
                late ??= (p.Header<CacheHeader>(), p.Body.ToArray());
                return true;
            }

            return false;
        };
        _ = cube.Cache.Start(Holder, CacheOperation.Get, cube.Key);
        cube.Cube.AwaitUntil(() => late is not null);
        cube.Cube.Lose = null;
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, "new"));
        IServer root = cube.Cube[Root].ServerOf<CacheService>();
        Assert.True(root.Packets.TryRent(late!.Value.Body.Length, out Packet? packet));
        packet.Header<CacheHeader>() = late.Value.Header;
        late.Value.Body.CopyTo(packet.WritableBody());
        root.Send(packet, Holder);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null(cube.Peek());
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_new_root_changes_nothing_before_copies_of_the_old_one_have_ended()
    {
        // The holder does not hear that the root is lost: only its lease ends the copy.
        var lease = TimeSpan.FromMilliseconds(800);
        using var cube = new SpotCube(new CacheOptions { CopyLease = lease });
        cube.SetAndCopy("old");
        long copied = cube.Cube.NowNanos;
        cube.Cube.CutOff(Holder);
        cube.Cube.Kill(Root);
        Task<CacheReply> set = cube.StartSet("new");
        while (!set.IsCompleted)
        {
            cube.Cube.Advance(Tick);
        }

        Assert.Equal(CacheStatus.Done, StatusOf(set));
        Assert.True(cube.Cube.NowNanos - copied > lease.TotalNanoseconds);
        Assert.NotEqual("old", cube.Peek());
        Assert.Equal("new", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    public void A_root_that_restarts_changes_nothing_before_copies_of_its_earlier_run_have_ended(int millis)
    {
        var lease = TimeSpan.FromMilliseconds(800);
        using var cube = new SpotCube(new CacheOptions { CopyLease = lease });
        cube.SetAndCopy("old");
        cube.Lose(PacketKind.CopyFlush);
        cube.Cube.Kill(Root);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(millis));
        cube.Cube.Revive(Root);
        Task<CacheReply> set = cube.StartSet("new");
        bool served = false;
        while (!set.IsCompleted)
        {
            served |= cube.Peek() == "old";
            cube.Cube.Advance(Tick);
        }

        Assert.Equal(CacheStatus.Done, StatusOf(set));
        Assert.NotEqual("old", cube.Peek());
        Assert.True(served);
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void Changes_that_wait_at_a_root_that_loses_its_keys_are_done_by_the_next()
    {
        using var cube = new SpotCube(new CacheOptions { CopyLease = TimeSpan.FromSeconds(2), Attempts = 30 });
        cube.SetAndCopy("old");
        cube.Lose(PacketKind.CopyFlush);
        Task<CacheReply> set = cube.StartSet("new");
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(1, cube.Cache[Root].Gate.Open);
        cube.Cube.CutOff(Root);
        cube.Cube.AwaitUntil(() => set.IsCompleted);
        Assert.Equal(CacheStatus.Done, StatusOf(set));
        cube.Cube.MendAll(Root);
        cube.Cube.AwaitConverged();
        Assert.Equal(0, cube.Cache[Root].Gate.Open);

        // With that many attempts answers are kept for longer.
        cube.Cube.Advance(TimeSpan.FromSeconds(15));
        cube.Cache.AssertQuiet();
    }
}
