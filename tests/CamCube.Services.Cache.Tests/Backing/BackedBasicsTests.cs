using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>Keys with a Backed prefix are the key-value store's, at every server.</summary>
public sealed class BackedBasicsTests
{
    [Theory]
    [InlineData(1, "storage=memory,reads=lease")]
    [InlineData(3, "storage=memory,reads=lease")]
    [InlineData(3, "storage=memory")]
    [InlineData(3, "reads=lease")]
    public void What_one_server_sets_all_read_and_the_store_has_it_plain(int size, string mode)
    {
        using var cube = new BackedCube(size, 1, 1, mode);
        string[] keys = [.. Enumerable.Range(0, 12).Select(i => $"s:k{i}")];
        for (int i = 0; i < keys.Length; i++)
        {
            Assert.Equal(CacheStatus.Done, cube.Run(i % size, CacheOperation.Set, keys[i], $"v{i}", flags: 7).Status);
        }

        for (int i = 0; i < keys.Length * size; i++)
        {
            (CacheReply reply, string value) = cube.Read(i % size, keys[i / size]);
            Assert.Equal((CacheStatus.Done, 7U, $"v{i / size}"), (reply.Status, reply.Flags, value));
            Assert.Equal($"v{i / size}", cube.Stored(i % size, keys[i / size]));
        }

        Assert.Equal(CacheStatus.Done, cube.Run(0, CacheOperation.Delete, keys[0]).Status);
        Assert.Null(cube.Get(size - 1, keys[0]));
        Assert.Null(cube.Stored(size - 1, keys[0]));
        Assert.Equal(CacheStatus.NotFound, cube.Run(0, CacheOperation.Delete, keys[0]).Status);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_others_put_into_the_store_is_read_with_its_version_as_token()
    {
        using var cube = new BackedCube(3, 1, 1);
        KeyValueAnswer put = cube.Put(1, "s:a", "first");
        (CacheReply reply, string value) = cube.Read(2, "s:a");
        Assert.Equal((CacheStatus.Done, 0U, put.Version, "first"), (reply.Status, reply.Flags, reply.Cas, value));

        // Somebody else is faster: the token is too old, and nothing is lost.
        cube.Put(0, "s:a", "second");
        var swap = new CacheTerms { Operation = CacheOperation.CompareAndSwap, Cas = reply.Cas };
        Assert.Equal(CacheStatus.Exists, cube.Run(2, swap, "s:a", "mine").Status);
        Assert.Equal("second", cube.Stored(1, "s:a"));
        cube.Cube.Advance(cube.Options.CopyLease);
        ulong now = cube.Read(2, "s:a").Reply.Cas;
        Assert.Equal(CacheStatus.Done, cube.Run(2, swap with { Cas = now }, "s:a", "mine").Status);
        Assert.Equal("mine", cube.Stored(1, "s:a"));
        cube.AssertQuiet();
    }

    [Fact]
    public void Other_keys_are_the_caches_alone()
    {
        using var cube = new BackedCube(3, 1, 1);
        Assert.Equal(CacheStatus.Done, cube.Set(0, "other", "v"));
        Assert.Equal("v", cube.Get(2, "other"));
        Assert.Null(cube.Stored(1, "other"));
        Assert.Equal(0, cube.Sum(CacheCount.BackedChanges));
        cube.AssertQuiet();
    }

    [Fact]
    public void Flush_all_forgets_copies_and_deletes_nothing_of_the_store()
    {
        using var cube = new BackedCube(3, 3, 3);
        Assert.Equal(CacheStatus.Done, cube.Set(0, "s:a", "v"));
        Assert.Equal(CacheStatus.Done, cube.Set(0, "other", "v"));
        for (int rank = 0; rank < 27; rank++)
        {
            Assert.Equal("v", cube.Get(rank, "s:a"));
        }

        Assert.NotEqual(0, cube.Sum(CacheCount.CopiesHeld));
        Assert.Equal(CacheStatus.Done, cube.Cube.Await(cube[4].FlushAllAsync(0)).Status);
        Assert.Equal(0, cube.Sum(CacheCount.CopiesHeld));
        Assert.Equal(("v", null), (cube.Get(3, "s:a"), cube.Get(3, "other")));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_value_is_stored_once_where_the_store_has_it_in_memory()
    {
        using var cube = new BackedCube(3, 1, 1);
        string key = cube.KeyAt(1);
        Assert.Equal(CacheStatus.Done, cube.Set(1, key, "v"));
        Assert.Equal("v", cube.Get(1, key));
        Assert.Equal((0L, 0L), (cube.Sum(CacheCount.CurrItems), cube.Sum(CacheCount.BackedHits)));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_value_that_the_store_has_on_disk_only_is_kept_here_while_it_is_the_stores()
    {
        // So little stays in the store's memory that a few later changes push it out.
        using var cube = new BackedCube(3, 1, 1, "reads=lease", store: new KeyValueOptions { TailBytes = 4 << 10 });
        string key = cube.KeyAt(1);
        Assert.Equal(CacheStatus.Done, cube.Set(1, key, "v1"));
        PushOut(cube);
        long before = cube.Sum(CacheCount.BackedHits);
        Assert.Equal("v1", cube.Get(1, key));
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal("v1", cube.Get(1, key));
        }

        Assert.Equal(before + 10, cube.Sum(CacheCount.BackedHits));
        Assert.Equal(1, cube[1].Counters[CacheCount.CurrItems].Value);

        // Another client of the store changes it: what is kept does not count from that moment on.
        cube.Put(0, key, "v2");
        Assert.Equal("v2", cube.Get(1, key));
        PushOut(cube);
        Assert.Equal("v2", cube.Get(1, key));
        Assert.Equal("v2", cube.Get(1, key));
        Assert.Equal(1, cube[1].Counters[CacheCount.CurrItems].Value);

        // By the cache itself it is not even there any more.
        Assert.Equal(CacheStatus.Done, cube.Set(1, key, "v3"));
        Assert.Equal("v3", cube.Get(1, key));
        Assert.Equal(0, cube[1].Counters[CacheCount.CurrItems].Value);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_is_set_for_a_while_is_gone_from_both()
    {
        using var cube = new BackedCube(3, 1, 1);
        var set = new CacheTerms
        {
            Operation = CacheOperation.Set,
            Expiry = 2,
            Flags = 3,
        };
        Assert.Equal(CacheStatus.Done, cube.Run(0, set, "s:a", "v").Status);
        (CacheReply reply, string value) = cube.Read(2, "s:a");
        Assert.Equal(("v", 3U, 2L), (value, reply.Flags, reply.Facts.SecondsLeft));

        // Its time goes on through changes that leave it, and is set anew by touch.
        Assert.Equal(CacheStatus.Done, cube.Run(1, CacheOperation.Append, "s:a", "w").Status);
        cube.Cube.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal("vw", cube.Get(2, "s:a"));
        var touch = new CacheTerms { Operation = CacheOperation.Touch, Expiry = 3 };
        Assert.Equal(CacheStatus.Done, cube.Run(1, touch, "s:a").Status);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        (reply, value) = cube.Read(0, "s:a");
        Assert.Equal(("vw", 3U), (value, reply.Flags));
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        Assert.Null(cube.Get(0, "s:a"));
        Assert.Null(cube.Stored(0, "s:a"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_number_that_is_counted_again_and_again_ends_when_its_time_is_over()
    {
        using var cube = new BackedCube(3, 1, 1);
        var set = new CacheTerms { Operation = CacheOperation.Set, Expiry = 2 };
        var count = new CacheTerms { Operation = CacheOperation.Increment, Delta = 1 };
        Assert.Equal(CacheStatus.Done, cube.Run(0, set, "s:n", "0").Status);
        long end = cube.Cube.NowNanos + 10_000_000_000;
        int counted = 0;
        while (cube.Run(counted % 3, count, "s:n").Status == CacheStatus.Done)
        {
            counted++;
            cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
            Assert.True(cube.Cube.NowNanos < end, $"{counted} times, and it is still there.");
        }

        // The store takes what is left to whole milliseconds with each change.
        Assert.InRange(counted, 90, 120);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(CacheOperation.Get, CacheTermOptions.Vivify)]
    [InlineData(CacheOperation.Get, CacheTermOptions.Recache)]
    [InlineData(CacheOperation.Delete, CacheTermOptions.Invalidate)]
    [InlineData(CacheOperation.Set, CacheTermOptions.Invalidate)]
    [InlineData(CacheOperation.GetAndTouch, CacheTermOptions.Vivify)]
    public void What_needs_marks_of_an_item_is_refused_in_words(CacheOperation operation, CacheTermOptions options)
    {
        using var cube = new BackedCube(3, 1, 1);
        cube.Set(0, "s:a", "v");
        var terms = new CacheTerms
        {
            Operation = operation,
            Options = options,
            RecacheSeconds = 10,
        };
        Assert.Equal(CacheStatus.NotForStore, cube.Run(1, terms, "s:a", "w").Status);
        Assert.Equal("v", cube.Get(2, "s:a"));
        cube.AssertQuiet();
    }

    [Fact]
    public void Without_a_store_such_keys_are_refused_and_all_others_go_on()
    {
        using var cube = new CacheCube(3, 1, 1, new CacheOptions { Backed = ["s:"] });
        foreach (CacheOperation operation in Enum.GetValues<CacheOperation>())
        {
            CacheReply reply = cube.Run(new Coordinate(1, 0, 0), operation, "s:a", "1", delta: 1);
            Assert.Equal((operation, CacheStatus.StoreUnavailable), (operation, reply.Status));
        }

        Assert.InRange(cube.Sum(CacheCount.BackedFailed), 13, 30);
        Assert.Equal(CacheStatus.Done, cube.Set(new Coordinate(1, 0, 0), "a", "1"));
        Assert.Equal("1", cube.Get(new Coordinate(2, 0, 0), "a"));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Contains("kv", cube[0].Unwell, StringComparison.Ordinal);
        cube.AssertQuiet();
    }

    private static void PushOut(BackedCube cube)
    {
        // Into the group of each key; what it is of does not matter.
        for (int i = 0; i < 600; i++)
        {
            Assert.Equal(KeyValueStatus.Done, cube.Put(1, $"other-{i}", new string('x', 3_000)).Status);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(2));
    }
}
