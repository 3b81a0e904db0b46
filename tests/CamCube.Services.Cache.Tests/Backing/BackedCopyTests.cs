using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>Copies of keys with a Backed prefix at other servers: ended before a change by the cache is acknowledged,
/// and by the end of their lease for changes by others.</summary>
public sealed class BackedCopyTests : IDisposable
{
    private static readonly Coordinate Asker = new(0, 0, 0),
        Holder = new(1, 0, 0),
        Root = new(1, 1, 1),
        Writer = new(1, 2, 1);

    private readonly BackedCube _cube = new(3, 3, 3, options: new CacheOptions { DefaultReplicas = 1 });
    private readonly string _key;

    public BackedCopyTests() => _key = _cube.KeyWithCopyAt(Root, Holder);

    public void Dispose() => _cube.Dispose();

    [Theory]
    [InlineData(CacheOperation.Set)]
    [InlineData(CacheOperation.Replace)]
    [InlineData(CacheOperation.Append)]
    [InlineData(CacheOperation.Prepend)]
    [InlineData(CacheOperation.Delete)]
    [InlineData(CacheOperation.Increment)]
    [InlineData(CacheOperation.Touch)]
    [InlineData(CacheOperation.GetAndTouch)]
    public void A_change_by_the_cache_ends_copies_before_it_is_acknowledged(CacheOperation operation)
    {
        SetAndCopy("5");
        var terms = new CacheTerms { Operation = operation, Delta = 1 };
        Assert.Equal(CacheStatus.Done, _cube.Run(Rank(Writer), terms, _key, "7").Status);
        Assert.Null(Peek());
        string? expected = operation switch
        {
            CacheOperation.Append => "57",
            CacheOperation.Prepend => "75",
            CacheOperation.Delete => null,
            CacheOperation.Increment => "6",
            CacheOperation.Touch or CacheOperation.GetAndTouch => "5",
            _ => "7",
        };
        Assert.Equal(expected, _cube.Get(Rank(Asker), _key));
        Assert.Equal(expected, _cube.Stored(0, _key));
        _cube.AssertQuiet();
    }

    [Fact]
    public void A_change_by_others_is_seen_at_the_root_at_once_and_everywhere_when_the_lease_is_over()
    {
        SetAndCopy("old");
        _cube.Put(Rank(Writer), _key, "new");
        long changed = _cube.Cube.NowNanos;
        Assert.Equal("new", _cube.Get(Rank(Root), _key));
        Assert.Equal("old", Peek());
        long last = changed;
        while (_cube.Cube.NowNanos < changed + 400_000_000)
        {
            last = _cube.Get(Rank(Asker), _key) == "old" ? _cube.Cube.NowNanos : last;
            _cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.InRange(last - changed, 1, (long)_cube.Options.CopyLease.TotalNanoseconds);
        _cube.AssertQuiet();
    }

    [Fact]
    public void A_lease_is_renewed_without_the_value_while_the_store_has_the_same()
    {
        SetAndCopy("v");
        for (int i = 0; i < 10; i++)
        {
            _cube.Cube.Advance(_cube.Options.CopyLease);
            Assert.Equal("v", _cube.Get(Rank(Asker), _key));
        }

        Assert.InRange(_cube[Rank(Holder)].Counters[CacheCount.CopiesRenewed].Value, 9, 11);
        _cube.AssertQuiet();
    }

    [Fact]
    public void A_change_waits_for_a_holder_that_cannot_be_told_no_longer_than_its_lease()
    {
        SetAndCopy("old");
        _cube.Cube.Lose = (_, _, p) =>
            p.Service.Value == 0x0110 && p.Header<CacheHeader>().Kind == (byte)PacketKind.CopyFlush;
        long began = _cube.Cube.NowNanos;
        Task<CacheReply> set = Start("new");
        while (!set.IsCompleted)
        {
            _cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        // Until then a copy may be read; afterwards none.
        Assert.Equal(CacheStatus.Done, StatusOf(set));
        Assert.InRange(_cube.Cube.NowNanos - began, 150_000_000, 260_000_000);
        Assert.Null(Peek());
        Assert.Equal("new", _cube.Get(Rank(Asker), _key));
        _cube.AssertQuiet();
    }

    [Fact]
    public void A_change_whose_root_cannot_be_told_is_acknowledged_when_all_copies_are_over()
    {
        SetAndCopy("old");
        _cube.Cube.Lose = (_, _, p) =>
            p.Service.Value == 0x0110 && p.Header<CacheHeader>().Kind == (byte)PacketKind.Change;
        Task<CacheReply> set = Start("new");
        while (!set.IsCompleted)
        {
            _cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.Equal(CacheStatus.Done, StatusOf(set));
        Assert.Equal(1, _cube.Sum(CacheCount.BackedLate));
        Assert.Null(Peek());
        Assert.Equal("new", _cube.Get(Rank(Asker), _key));
        _cube.AssertQuiet();
    }

    [Fact]
    public void Readers_all_around_never_see_what_was_before_an_acknowledged_change()
    {
        SetAndCopy("0");
        for (int number = 1; number <= 40; number++)
        {
            Task<CacheReply> set = Start($"{number}");
            List<Task<CacheReply>> readers = [];
            while (!set.IsCompleted)
            {
                _cube.Cube.Advance(TimeSpan.FromMicroseconds(50));
                readers.Add(_cube.Start(number % 27, default, _key).AsTask());
                readers.Add(_cube.Start(Rank(Holder), default, _key).AsTask());
            }

            for (int rank = number % 3; rank < 27; rank += 3)
            {
                Assert.Equal($"{number}", _cube.Get(rank, _key));
            }

            _cube.Cube.AwaitUntil(() => readers.TrueForAll(r => r.IsCompleted));
        }

        Assert.InRange(_cube.Sum(CacheCount.CopyHits), 100, long.MaxValue);
        _cube.AssertQuiet();
    }

    private void SetAndCopy(string value)
    {
        Assert.Equal(CacheStatus.Done, _cube.Set(Rank(Writer), _key, value));
        Assert.Equal(value, _cube.Get(Rank(Asker), _key));
        Assert.Equal(value, Peek());
    }

    private Task<CacheReply> Start(string value) =>
        _cube
            .Start(Rank(Writer), new CacheTerms { Operation = CacheOperation.Set }, _key, CacheCube.Bytes(value))
            .AsTask();

    // What the holder's own client gets at once; null: it has no copy that may be served.
    private string? Peek()
    {
        var taken = new TakenValue();
        return _cube[Rank(Holder)].TryExecute(default, CacheCube.Bytes(_key), default, taken, out _)
            ? taken.Text
            : null;
    }

    private static CacheStatus StatusOf(Task<CacheReply> ended) => ended.GetAwaiter().GetResult().Status;

    private int Rank(Coordinate server) => _cube.Cube.Shape.RankOf(server);
}
