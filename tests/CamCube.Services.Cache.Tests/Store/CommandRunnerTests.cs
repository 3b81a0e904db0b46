using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>Each expectation was compared with memcached 1.6.18.</summary>
public sealed class CommandRunnerTests
{
    private readonly StoreFixture _store = new();

    [Fact]
    public void What_is_set_is_read_with_its_flags_and_token()
    {
        CacheReply set = _store.Run(CacheOperation.Set, "a", "value", flags: 77);
        CacheReply get = _store.Run(CacheOperation.Get, "a");
        Assert.Equal((CacheStatus.Done, 77U, set.Cas), (get.Status, get.Flags, get.Cas));
        Assert.Equal("value", _store.Read);
        Assert.NotEqual(0UL, set.Cas);
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.Get, "b").Status);
        Assert.Equal(
            (2, 1, 1),
            (_store.Of(CacheCount.CmdGet), _store.Of(CacheCount.GetHits), _store.Of(CacheCount.GetMisses))
        );
    }

    [Fact]
    public void Add_and_replace_look_at_what_is_there()
    {
        Assert.Equal(CacheStatus.NotStored, _store.Run(CacheOperation.Replace, "a", "1").Status);
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Add, "a", "2").Status);
        Assert.Equal(CacheStatus.NotStored, _store.Run(CacheOperation.Add, "a", "3").Status);
        Assert.Equal("2", _store.Get("a"));
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Replace, "a", "4").Status);
        Assert.Equal("4", _store.Get("a"));
    }

    [Fact]
    public void Append_and_prepend_keep_flags_and_expiry()
    {
        Assert.Equal(CacheStatus.NotStored, _store.Run(CacheOperation.Append, "a", "x").Status);
        _store.Run(CacheOperation.Set, "a", "mid", flags: 5, expiry: 10);
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Append, "a", "end", flags: 9, expiry: 1).Status);
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Prepend, "a", "beg", flags: 9, expiry: 1).Status);
        Assert.Equal(5U, _store.Run(CacheOperation.Get, "a").Flags);
        Assert.Equal("begmidend", _store.Read);
        _store.Now += 9;
        Assert.Equal("begmidend", _store.Get("a"));
        _store.Now += 1;
        Assert.Null(_store.Get("a"));
    }

    [Fact]
    public void An_append_beyond_the_largest_value_is_not_stored_and_keeps_the_old_one()
    {
        var large = new StoreFixture(8 << 20);
        string value = new('x', StoreFixture.MaxValue - 10);
        large.Run(CacheOperation.Set, "a", value);
        Assert.Equal(CacheStatus.NotStored, large.Run(CacheOperation.Append, "a", "12345678901").Status);
        Assert.Equal(value, large.Get("a"));
        Assert.Equal(CacheStatus.Done, large.Run(CacheOperation.Append, "a", "1234567890").Status);
    }

    [Fact]
    public void A_set_beyond_the_largest_value_removes_the_old_one_and_other_changes_do_not()
    {
        var large = new StoreFixture(8 << 20);
        string tooLarge = new('x', StoreFixture.MaxValue + 1);
        large.Run(CacheOperation.Set, "a", "old");
        Assert.Equal(CacheStatus.TooLarge, large.Run(CacheOperation.Replace, "a", tooLarge).Status);
        Assert.Equal("old", large.Get("a"));
        Assert.Equal(CacheStatus.TooLarge, large.Run(CacheOperation.Set, "a", tooLarge).Status);
        Assert.Null(large.Get("a"));
    }

    [Fact]
    public void Compare_and_swap_needs_the_present_token()
    {
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.CompareAndSwap, "a", "x", cas: 1).Status);
        ulong cas = _store.Run(CacheOperation.Set, "a", "1").Cas;
        Assert.Equal(CacheStatus.Exists, _store.Run(CacheOperation.CompareAndSwap, "a", "2", cas: cas + 1).Status);
        ulong next = _store.Run(CacheOperation.CompareAndSwap, "a", "3", cas: cas).Cas;
        Assert.NotEqual(cas, next);
        Assert.Equal(CacheStatus.Exists, _store.Run(CacheOperation.CompareAndSwap, "a", "4", cas: cas).Status);
        Assert.Equal("3", _store.Get("a"));
        Assert.Equal(
            (1, 1, 2),
            (_store.Of(CacheCount.CasHits), _store.Of(CacheCount.CasMisses), _store.Of(CacheCount.CasBadval))
        );
    }

    [Theory]
    [InlineData(CacheOperation.Set)]
    [InlineData(CacheOperation.Replace)]
    [InlineData(CacheOperation.Append)]
    [InlineData(CacheOperation.Delete)]
    [InlineData(CacheOperation.Touch)]
    [InlineData(CacheOperation.Increment)]
    public void A_token_is_a_condition_of_every_change(CacheOperation operation)
    {
        ulong cas = _store.Run(CacheOperation.Set, "a", "1").Cas;
        Assert.Equal(CacheStatus.Exists, _store.Run(operation, "a", "2", cas: cas + 99).Status);
        Assert.Equal("1", _store.Get("a"));
        Assert.Equal(CacheStatus.Done, _store.Run(operation, "a", "2", cas: cas).Status);
    }

    [Fact]
    public void Tokens_are_new_with_every_change_and_name_the_server()
    {
        var seen = new HashSet<ulong>();
        for (int i = 0; i < 1_000; i++)
        {
            ulong cas = _store.Run(i % 2 == 0 ? CacheOperation.Set : CacheOperation.Append, "a", "1").Cas;
            Assert.True(seen.Add(cas));
            Assert.Equal(3UL, cas & 0xFFFF);
        }

        CacheReply read = _store.Run(CacheOperation.Get, "a");
        Assert.Equal(read.Cas, _store.Run(CacheOperation.Touch, "a", expiry: 5).Cas);
        Assert.Equal(read.Cas, _store.Run(CacheOperation.Get, "a").Cas);
    }

    [Theory]
    [InlineData("10", true, 1, "11", 11)]
    [InlineData("9", true, 1, "10", 10)]
    [InlineData("10", false, 1, "9 ", 9)]
    [InlineData("9 ", true, 1, "10", 10)]
    [InlineData("100", false, 99, "1  ", 1)]
    [InlineData("5", false, 9, "0", 0)]
    [InlineData("12 ab", true, 1, "13   ", 13)]
    [InlineData(" +5", true, 1, "6  ", 6)]
    [InlineData("18446744073709551615", true, 1, "0                   ", 0)]
    [InlineData("0", true, ulong.MaxValue, "18446744073709551615", ulong.MaxValue)]
    public void Numbers_are_counted_as_memcached_does(string before, bool up, ulong delta, string after, ulong number)
    {
        _store.Run(CacheOperation.Set, "n", before, flags: 3);
        CacheReply reply = _store.Run(up ? CacheOperation.Increment : CacheOperation.Decrement, "n", delta: delta);
        Assert.Equal((CacheStatus.Done, number), (reply.Status, reply.Number));
        Assert.Equal(3U, _store.Run(CacheOperation.Get, "n").Flags);
        Assert.Equal(after, _store.Read);
    }

    [Theory]
    [InlineData("")]
    [InlineData("-5")]
    [InlineData("x")]
    [InlineData("12x")]
    [InlineData("+")]
    [InlineData("+-1")]
    [InlineData("118446744073709551615")]
    public void Other_texts_are_not_numbers(string value)
    {
        _store.Run(CacheOperation.Set, "n", value);
        Assert.Equal(CacheStatus.NotANumber, _store.Run(CacheOperation.Increment, "n", delta: 1).Status);
        Assert.Equal(value, _store.Get("n"));
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.Decrement, "none", delta: 1).Status);
    }

    [Fact]
    public void Delete_removes_once()
    {
        _store.Run(CacheOperation.Set, "a", "1");
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Delete, "a").Status);
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.Delete, "a").Status);
        Assert.Equal((1, 1), (_store.Of(CacheCount.DeleteHits), _store.Of(CacheCount.DeleteMisses)));
        Assert.Equal((0, 0L), (_store.Store.Count, _store.Store.Ledger.Bytes));
    }

    [Fact]
    public void Touch_and_read_with_touch_set_the_expiry()
    {
        Assert.Equal(CacheStatus.NotFound, _store.Run(CacheOperation.Touch, "a", expiry: 5).Status);
        _store.Run(CacheOperation.Set, "a", "1", expiry: 1);
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Touch, "a", expiry: 100).Status);
        _store.Now += 50;
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.GetAndTouch, "a", expiry: 200).Status);
        Assert.Equal("1", _store.Read);
        _store.Now += 199;
        Assert.Equal("1", _store.Get("a"));
        _store.Run(CacheOperation.GetAndTouch, "a", expiry: -1);
        Assert.Equal("1", _store.Read);
        Assert.Null(_store.Get("a"));
        Assert.Equal(
            (4, 3, 1, 2),
            (
                _store.Of(CacheCount.CmdTouch),
                _store.Of(CacheCount.TouchHits),
                _store.Of(CacheCount.TouchMisses),
                _store.Of(CacheCount.CmdGet)
            )
        );
    }

    [Theory]
    [InlineData(0, long.MaxValue)]
    [InlineData(1, 1)]
    [InlineData(2_592_000, 2_592_000)]
    [InlineData(2_000_000_005, 5)]
    [InlineData(2_592_001, 0)]
    [InlineData(-1, 0)]
    [InlineData(long.MaxValue, long.MaxValue)]
    [InlineData(long.MinValue, 0)]
    public void Expiry_is_relative_up_to_thirty_days_and_then_a_unix_time(long expiry, long secondsFromNow)
    {
        _store.Run(CacheOperation.Set, "a", "old");
        Assert.Equal(CacheStatus.Done, _store.Run(CacheOperation.Set, "a", "1", expiry: expiry).Status);
        Assert.Equal(secondsFromNow == 0 ? null : "1", _store.Get("a"));
        if (secondsFromNow is > 0 and < long.MaxValue)
        {
            _store.Now += (uint)secondsFromNow - 1;
            Assert.Equal("1", _store.Get("a"));
            _store.Now += 1;
            Assert.Null(_store.Get("a"));
            Assert.Equal(0, _store.Store.Count);
        }
    }
}
