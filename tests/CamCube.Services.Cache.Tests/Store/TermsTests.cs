using CamCube.Services.Cache.Counting;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>What memcached's meta and binary protocols ask for besides. Each expectation was read out of memcached
/// 1.6.18.</summary>
public sealed class TermsTests
{
    private readonly StoreFixture _store = new();

    [Fact]
    public void A_read_that_vivifies_makes_an_empty_item_and_wins()
    {
        CacheReply first = Get(CacheTermOptions.Vivify, vivifyExpiry: 30);
        Assert.Equal(CacheStatus.Done, first.Status);
        Assert.Equal("", _store.Read);
        Assert.Equal(
            (0, 30L, CacheItemMarks.IsNew | CacheItemMarks.HasWon),
            (first.Facts.Length, first.Facts.SecondsLeft, first.Facts.Marks)
        );
        CacheReply second = Get(CacheTermOptions.Vivify, vivifyExpiry: 90);
        Assert.Equal(
            (30L, CacheItemMarks.IsWinOut | CacheItemMarks.WasRead, first.Cas),
            (second.Facts.SecondsLeft, second.Facts.Marks, second.Cas)
        );
        Assert.Equal(
            (2, 2, 0),
            (_store.Of(CacheCount.CmdGet), _store.Of(CacheCount.GetHits), _store.Of(CacheCount.GetMisses))
        );
        _store.Now += 30;
        Assert.True(Get(CacheTermOptions.Vivify).Facts.Marks.HasFlag(CacheItemMarks.HasWon));
    }

    [Fact]
    public void The_winner_of_a_vivified_item_stores_with_its_token_and_others_do_not()
    {
        ulong cas = Get(CacheTermOptions.Vivify, vivifyExpiry: 30).Cas;
        Assert.Equal(CacheStatus.Exists, _store.Run(CacheOperation.CompareAndSwap, "a", "no", cas: 5_000).Status);
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.CompareAndSwap, "a", "yes", cas: cas).Status);
        CacheReply read = Get(CacheTermOptions.Vivify);
        Assert.Equal((CacheItemMarks.None, "yes"), (read.Facts.Marks, _store.Read));
    }

    [Theory]
    [InlineData(100, 100, false)]
    [InlineData(100, 101, true)]
    [InlineData(100, 0, false)]
    [InlineData(100, -1, false)]
    [InlineData(0, 2_592_000, false)]
    [InlineData(100, 2_000_000_100, false)]
    [InlineData(100, 2_000_000_101, true)]
    public void A_read_wins_once_if_the_item_expires_too_soon(int expiry, int recache, bool wins)
    {
        _store.Run(CacheOperation.Set, "a", "v", expiry: expiry);
        CacheReply first = Get(CacheTermOptions.Recache, recache: recache);
        Assert.Equal(wins, first.Facts.Marks.HasFlag(CacheItemMarks.HasWon));
        Assert.False(first.Facts.Marks.HasFlag(CacheItemMarks.IsWinOut));
        CacheReply second = Get(CacheTermOptions.Recache, recache: recache);
        Assert.False(second.Facts.Marks.HasFlag(CacheItemMarks.HasWon));
        Assert.Equal(wins, second.Facts.Marks.HasFlag(CacheItemMarks.IsWinOut));
        Assert.Equal("v", _store.Read);
    }

    [Fact]
    public void An_invalidated_item_stays_and_one_meta_read_wins_it()
    {
        ulong cas = _store.Run(CacheOperation.Set, "a", "old", flags: 7, expiry: 500).Cas;
        CacheReply marked = Run(
            CacheOperation.Delete,
            CacheTermOptions.Invalidate | CacheTermOptions.SetExpiry,
            expiry: 30
        );
        Assert.Equal(CacheStatus.Done, marked.Status);
        Assert.NotEqual(cas, marked.Cas);
        Assert.Equal(0, _store.Of(CacheCount.DeleteHits));

        // A plain get serves it and leaves the win to those who know what it is.
        CacheReply plain = _store.Run(CacheOperation.Get, "a");
        Assert.Equal(
            ("old", 7U, 30L, CacheItemMarks.IsStale),
            (_store.Read, plain.Flags, plain.Facts.SecondsLeft, plain.Facts.Marks)
        );
        Assert.Equal(
            CacheItemMarks.IsStale | CacheItemMarks.HasWon | CacheItemMarks.WasRead,
            Get(CacheTermOptions.WinStale).Facts.Marks
        );
        Assert.Equal(
            CacheItemMarks.IsStale | CacheItemMarks.IsWinOut | CacheItemMarks.WasRead,
            Get(CacheTermOptions.WinStale).Facts.Marks
        );

        // Another invalidation: the next may win again.
        Run(CacheOperation.Delete, CacheTermOptions.Invalidate);
        Assert.True(Get(CacheTermOptions.WinStale).Facts.Marks.HasFlag(CacheItemMarks.HasWon));
    }

    [Fact]
    public void An_invalidation_needs_the_item_and_its_token()
    {
        Assert.Equal(CacheStatus.NotFound, Run(CacheOperation.Delete, CacheTermOptions.Invalidate).Status);
        ulong cas = _store.Run(CacheOperation.Set, "a", "v").Cas;
        var terms = new CacheTerms
        {
            Operation = CacheOperation.Delete,
            Options = CacheTermOptions.Invalidate,
            Cas = cas + 1,
        };
        Assert.Equal(CacheStatus.Exists, _store.Run(terms, "a").Status);
        Assert.Equal(CacheItemMarks.None, Get(CacheTermOptions.WinStale).Facts.Marks);
    }

    [Fact]
    public void An_older_token_stores_a_stale_value_that_keeps_its_expiry_and_who_has_won()
    {
        ulong cas = _store.Run(CacheOperation.Set, "a", "old", expiry: 500).Cas;
        Run(CacheOperation.Delete, CacheTermOptions.Invalidate | CacheTermOptions.SetExpiry, expiry: 30);
        Get(CacheTermOptions.WinStale);
        Assert.Equal(CacheStatus.Exists, _store.Run(CacheOperation.CompareAndSwap, "a", "x", cas: cas).Status);
        Assert.Equal(CacheStatus.Exists, Swap(0).Status);
        Assert.Equal(CacheStatus.Exists, Swap(ulong.MaxValue).Status);
        Assert.Equal(CacheStatus.Done, Swap(cas).Status);
        CacheReply read = Get(CacheTermOptions.WinStale);
        Assert.Equal(
            ("late", 30L, CacheItemMarks.IsStale | CacheItemMarks.IsWinOut),
            (_store.Read, read.Facts.SecondsLeft, read.Facts.Marks)
        );

        // With the present token it is fresh again.
        Assert.Equal(CacheStatus.Done, Swap(read.Cas).Status);
        Assert.Equal(
            (CacheItemMarks.None, 90L),
            (Get(CacheTermOptions.WinStale).Facts.Marks, Get(default).Facts.SecondsLeft)
        );

        CacheReply Swap(ulong with) =>
            _store.Run(
                new CacheTerms
                {
                    Operation = CacheOperation.CompareAndSwap,
                    Options = CacheTermOptions.Invalidate,
                    Cas = with,
                    Expiry = 90,
                },
                "a",
                "late"
            );
    }

    [Fact]
    public void A_read_may_leave_no_trace_of_use()
    {
        _store.Run(CacheOperation.Set, "a", "v");
        _store.Now += 5;
        Assert.Equal((5U, CacheItemMarks.None), Of(Get(CacheTermOptions.KeepAge)));
        Assert.Equal((5U, CacheItemMarks.None), Of(Run(CacheOperation.Inspect, default)));
        Assert.Equal((5U, CacheItemMarks.None), Of(Get(default)));
        _store.Now += 2;
        Assert.Equal((2U, CacheItemMarks.WasRead), Of(Get(default)));
        Assert.Equal((0U, CacheItemMarks.WasRead), Of(Run(CacheOperation.Inspect, default)));

        static (uint, CacheItemMarks) Of(CacheReply reply) => (reply.Facts.IdleSeconds, reply.Facts.Marks);
    }

    [Fact]
    public void A_read_without_value_tells_its_length()
    {
        _store.Run(CacheOperation.Set, "a", "12345");
        CacheReply reply = Get(CacheTermOptions.WithoutValue);
        Assert.Equal((CacheStatus.Done, 5), (reply.Status, reply.Facts.Length));
        Assert.Null(_store.Read);
        Assert.Equal(CacheItemMarks.WasRead, Get(default).Facts.Marks);
    }

    [Fact]
    public void Inspecting_finds_what_is_there_and_counts_as_nothing_else()
    {
        Assert.Equal(CacheStatus.NotFound, Run(CacheOperation.Inspect, default).Status);
        ulong cas = _store.Run(CacheOperation.Set, "a", "12345", flags: 4, expiry: 9).Cas;
        CacheReply reply = Run(CacheOperation.Inspect, default);
        Assert.Equal(
            (CacheStatus.Done, 4U, cas, 5, 9L),
            (reply.Status, reply.Flags, reply.Cas, reply.Facts.Length, reply.Facts.SecondsLeft)
        );
        Assert.InRange(reply.Facts.MemoryBytes, 6, 500);
        Assert.NotEqual(0, reply.Facts.SizeClass);
        Assert.Null(_store.Read);
        Assert.Equal(
            (0, 0, 2),
            (_store.Of(CacheCount.CmdGet), _store.Of(CacheCount.GetHits), _store.Of(CacheCount.CmdMeta))
        );
    }

    [Fact]
    public void A_binary_key_is_marked_and_stays_marked()
    {
        _store.Run(new CacheTerms { Operation = CacheOperation.Set, Options = CacheTermOptions.BinaryKey }, "a", "1");
        Assert.Equal(CacheItemMarks.HasBinaryKey, Get(default).Facts.Marks);
        _store.Run(CacheOperation.Append, "a", "2");
        Assert.Equal(CacheItemMarks.HasBinaryKey, Get(default).Facts.Marks);
        _store.Run(CacheOperation.Increment, "a", delta: 1_000);
        Assert.Equal(CacheItemMarks.HasBinaryKey, Get(default).Facts.Marks);
        _store.Run(CacheOperation.Set, "a", "1");
        Assert.Equal(CacheItemMarks.None, Get(default).Facts.Marks);
    }

    [Theory]
    [InlineData(CacheOperation.Increment)]
    [InlineData(CacheOperation.Decrement)]
    public void Counting_may_begin_with_a_number(CacheOperation operation)
    {
        var terms = new CacheTerms
        {
            Operation = operation,
            Options = CacheTermOptions.Vivify,
            Delta = 3,
            Initial = 99_999,
            VivifyExpiry = 40,
        };
        CacheReply first = _store.Run(terms, "a");
        Assert.Equal(
            (CacheStatus.Done, 99_999UL, 5, 40L, CacheItemMarks.IsNew),
            (first.Status, first.Number, first.Facts.Length, first.Facts.SecondsLeft, first.Facts.Marks)
        );
        CacheReply second = _store.Run(terms, "a");
        Assert.Equal(
            (operation == CacheOperation.Increment ? 100_002UL : 99_996UL, 40L, CacheItemMarks.None),
            (second.Number, second.Facts.SecondsLeft, second.Facts.Marks)
        );
        Assert.Equal((0, 0), (_store.Of(CacheCount.IncrMisses), _store.Of(CacheCount.DecrMisses)));
        CacheReply touched = _store.Run(terms with { Options = CacheTermOptions.SetExpiry, Expiry = 7 }, "a");
        Assert.Equal(7, touched.Facts.SecondsLeft);
    }

    [Fact]
    public void A_number_in_place_stays_read_and_a_longer_one_is_new()
    {
        _store.Run(CacheOperation.Set, "a", "98");
        Get(default);
        _store.Run(CacheOperation.Increment, "a", delta: 1);
        Assert.Equal(CacheItemMarks.WasRead, Run(CacheOperation.Inspect, default).Facts.Marks);
        _store.Run(CacheOperation.Increment, "a", delta: 1);
        Assert.Equal(CacheItemMarks.None, Run(CacheOperation.Inspect, default).Facts.Marks);
        Assert.Equal(2, _store.Of(CacheCount.TotalItems));
    }

    [Theory]
    [InlineData(CacheOperation.Append)]
    [InlineData(CacheOperation.Prepend)]
    public void Lengthening_may_begin_with_the_value(CacheOperation operation)
    {
        var terms = new CacheTerms
        {
            Operation = operation,
            Options = CacheTermOptions.Vivify,
            Flags = 6,
            VivifyExpiry = 40,
            Expiry = 9,
        };
        CacheReply reply = _store.Run(terms, "a", "xy");
        Assert.Equal(
            (CacheStatus.Done, CacheItemMarks.IsNew, 40L),
            (reply.Status, reply.Facts.Marks, reply.Facts.SecondsLeft)
        );
        Assert.Equal(6U, Get(default).Flags);
        Assert.Equal("xy", _store.Read);
        Assert.Equal(CacheStatus.Done, _store.Run(terms, "a", "z").Status);
        Assert.Equal(operation == CacheOperation.Append ? "xyz" : "zxy", _store.Get("a"));
    }

    [Fact]
    public void Set_and_replace_with_a_token_are_compare_and_swap_and_add_ignores_it()
    {
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.Set, "a", "1", cas: 9).Status);
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.Replace, "a", "1", cas: 9).Status);
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Add, "a", "1", cas: 9).Status);
        Assert.Equal(CacheStatus.NotStored, _store.Run(CacheOperation.Add, "a", "1", cas: 9).Status);
        Assert.Equal(CacheStatus.Exists, _store.Run(CacheOperation.Replace, "a", "1", cas: 9).Status);
        Assert.Equal(2, _store.Of(CacheCount.CasMisses));
    }

    [Fact]
    public void A_read_that_touches_may_compete_too()
    {
        _store.Run(CacheOperation.Set, "a", "v", expiry: 10);
        var terms = new CacheTerms
        {
            Operation = CacheOperation.GetAndTouch,
            Options = CacheTermOptions.Recache,
            RecacheSeconds = 30,
            Expiry = 60,
        };
        CacheReply reply = _store.Run(terms, "a");
        Assert.Equal((60L, CacheItemMarks.HasWon), (reply.Facts.SecondsLeft, reply.Facts.Marks));
    }

    private CacheReply Run(CacheOperation operation, CacheTermOptions options, long expiry = 0) =>
        _store.Run(
            new CacheTerms
            {
                Operation = operation,
                Options = options,
                Expiry = expiry,
            },
            "a"
        );

    private CacheReply Get(CacheTermOptions options, long vivifyExpiry = 0, int recache = 0) =>
        _store.Run(
            new CacheTerms
            {
                Operation = CacheOperation.Get,
                Options = options,
                VivifyExpiry = vivifyExpiry,
                RecacheSeconds = recache,
            },
            "a"
        );
}
