using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;
using static CamCube.Services.Cache.Tests.HotSpots.SpotCube;

namespace CamCube.Services.Cache.Tests.HotSpots;

/// <summary>Where reads go, and what is copied (docs/cache.md, "Copies").</summary>
public sealed class CopyTests
{
    [Fact]
    public void A_read_goes_to_the_closest_key_and_its_answer_comes_back_through_it()
    {
        using var cube = new SpotCube();
        cube.Cache.Run(Writer, CacheOperation.Set, cube.Key, "v", flags: 7);
        CacheReply first = cube.Cache.Read(Asker, cube.Key, out _);
        Assert.Equal((1, 1L), (cube.Cache[Holder].Copies.Count, cube.At(Holder, CacheCount.CopiesHeld)));
        Assert.Equal(1, cube.Cache[Root].LeaseTable.Count);
        Assert.Equal(1, cube.At(Asker, CacheCount.LookupHops0 + 3));

        CacheReply second = cube.Cache.Read(Asker, cube.Key, out byte[] value);
        Assert.Equal("v", System.Text.Encoding.ASCII.GetString(value));
        Assert.Equal((first.Cas, 7U, first.Facts.Length), (second.Cas, second.Flags, second.Facts.Length));
        Assert.Equal((1, 1), (cube.At(Root, CacheCount.CmdGet), cube.At(Holder, CacheCount.CopyHits)));
        Assert.Equal(1, cube.At(Asker, CacheCount.LookupHops0 + 1));
        Assert.Equal(2, cube.Cache.Sum(CacheCount.GetHits));
        cube.Cache.AssertQuiet();
        Assert.Equal(0, cube.Cache[Holder].Copies.Count);
        Assert.Equal(0, cube.Cache[Holder].Copies.Bytes);
    }

    [Theory]
    [InlineData(16 << 10, 1)]
    [InlineData((16 << 10) + 1, 0)]
    public void A_value_that_holders_do_not_keep_gets_no_lease_so_that_changes_wait_for_nobody(int length, int copies)
    {
        using var cube = new SpotCube(new CacheOptions { CopyMemory = 64 << 10 });
        byte[] value = Cubes.CacheCube.Value(length, 1);
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, value));
        cube.Cache.Read(Asker, cube.Key, out byte[] read);
        Assert.Equal(value, read);
        Assert.Equal((copies, copies), (cube.Cache[Holder].Copies.Count, cube.Cache[Root].LeaseTable.Count));

        // The holder cannot be reached, so that a change would wait for the end of its lease.
        cube.Lose(PacketKind.CopyFlush);
        long before = cube.Cube.NowNanos;
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, "new"));
        Assert.Equal(copies, cube.At(Root, CacheCount.ChangesWaited));
        Assert.Equal(copies == 1, cube.Cube.NowNanos - before > 100_000_000);
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_holder_answers_its_own_clients_without_a_packet()
    {
        using var cube = new SpotCube();
        cube.Cache.Set(Writer, cube.Key, "v");
        Assert.Null(cube.Peek());
        Assert.Equal("v", cube.Cache.Get(Holder, cube.Key));
        Assert.Equal("v", cube.Peek());
        cube.Lose(Enum.GetValues<PacketKind>());
        Assert.Equal("v", cube.Cache.Get(Holder, cube.Key));
        Assert.Equal(2, cube.At(Holder, CacheCount.LookupHops0));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_miss_goes_on_to_the_root_and_is_not_kept()
    {
        using var cube = new SpotCube();
        Assert.Null(cube.Cache.Get(Asker, cube.Key));
        Assert.Equal((1L, 0), (cube.At(Root, CacheCount.GetMisses), cube.Cache[Root].LeaseTable.Count));
        Assert.Equal(1, cube.At(Asker, CacheCount.LookupHops0 + 3));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_value_of_many_packets_is_copied_whole()
    {
        using var cube = new SpotCube();
        byte[] large = CacheCube.Value(300_000, 1);
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, large));
        for (int i = 0; i < 3; i++)
        {
            cube.Cache.Read(Asker, cube.Key, out byte[] value);
            Assert.Equal(large, value);
        }

        Assert.Equal(2, cube.At(Holder, CacheCount.CopyHits));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_read_whose_holder_dies_is_asked_again_at_the_root()
    {
        using var cube = new SpotCube();
        cube.Cache.Set(Writer, cube.Key, "v");
        cube.Cube.Kill(Holder);
        Assert.Equal("v", cube.Cache.Get(Asker, cube.Key));
        cube.Cube.AwaitConverged();
        Assert.Equal("v", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Theory]
    [InlineData(nameof(PacketKind.Lookup))]
    [InlineData(nameof(PacketKind.Fetch))]
    [InlineData(nameof(PacketKind.Copy))]
    [InlineData(nameof(PacketKind.CopyFlush))]
    [InlineData(nameof(PacketKind.CopyFlushed))]
    public void Lost_packets_cost_time_only(string kind)
    {
        using var cube = new SpotCube();
        cube.Lose(Enum.Parse<PacketKind>(kind));
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, $"{i}"));
            Assert.Equal($"{i}", cube.Cache.Get(Asker, cube.Key));
            Assert.Equal($"{i}", cube.Cache.Get(Holder, cube.Key));
        }

        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void Without_extra_keys_reads_go_to_the_root_and_changes_wait_for_nothing()
    {
        using var cube = new CacheCube(3, 3, 3, new CacheOptions { DefaultReplicas = 0 });
        string key = cube.KeyAt(Root);
        cube.Set(Writer, key, "1");
        Assert.Equal("1", cube.Get(Asker, key));
        Assert.Equal(1, cube[Asker].Counters[CacheCount.LookupHops0 + 3].Value);
        cube.Cube.Kill(Root);
        cube.Cube.AwaitConverged();
        long begin = cube.Cube.NowNanos;
        cube.Set(Writer, key, "2");
        Assert.True(cube.Cube.NowNanos - begin < 110_000_000);
        Assert.Equal(0, cube.Sum(CacheCount.CopiesHeld));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_read_that_wants_more_than_the_value_goes_to_the_root()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("v");
        long before = cube.At(Root, CacheCount.CmdGet);
        var terms = new CacheTerms { Operation = CacheOperation.Get, Options = CacheTermOptions.WinStale };
        Assert.Equal(CacheStatus.Done, cube.Cache.Run(Asker, terms, cube.Key).Status);
        Assert.Equal(before + 1, cube.At(Root, CacheCount.CmdGet));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_copy_ends_with_its_lease()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("v");
        cube.Cube.Advance(TimeSpan.FromMilliseconds(190));
        Assert.Equal("v", cube.Peek());
        cube.Cube.Advance(TimeSpan.FromMilliseconds(9));
        Assert.Null(cube.Peek());
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void An_items_expiry_bounds_its_copies()
    {
        using var cube = new SpotCube(new CacheOptions { CopyLease = TimeSpan.FromSeconds(30) });
        cube.SetAndCopy("v", expiry: 2);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(900));
        Assert.Equal("v", cube.Peek());
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1_100));
        Assert.Null(cube.Peek());
        Assert.Null(cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void Copies_of_a_lost_root_end_with_the_news()
    {
        using var cube = new SpotCube(new CacheOptions { CopyLease = TimeSpan.FromSeconds(30) });
        cube.SetAndCopy("v");
        cube.Cube.Kill(Root);
        cube.Cube.AwaitConverged();
        Assert.Null(cube.Peek());
        Assert.Null(cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void Flush_all_ends_copies_and_what_was_read_before_it_elsewhere_is_not_kept()
    {
        using var cube = new SpotCube(new CacheOptions { CopyLease = TimeSpan.FromSeconds(30) });
        cube.SetAndCopy("v");

        // The root hears of it last; until then it still gives the value, and may.
        cube.Cube.Lose = (_, _, p) =>
            p.Service.Value == 0x0110
            && p.Destination == (Destination)Root
            && p.Header<CacheHeader>().Kind == (byte)PacketKind.Flush;
        Task<CacheReply> flush = cube.Cache[Asker].FlushAllAsync(0).AsTask();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Null(cube.Peek());
        Assert.Equal("v", cube.Cache.Get(Holder, cube.Key));
        Assert.Null(cube.Peek());
        cube.Cube.Lose = null;
        cube.Cube.AwaitUntil(() => flush.IsCompleted);
        Assert.Null(cube.Cache.Get(Holder, cube.Key));
        Assert.Null(cube.Cache.Get(Asker, cube.Key));

        cube.SetAndCopy("new");
        Assert.Equal("new", cube.Peek());
        cube.Cache.AssertQuiet();
    }
}
