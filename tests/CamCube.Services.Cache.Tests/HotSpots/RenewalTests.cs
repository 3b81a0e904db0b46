using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;
using static CamCube.Services.Cache.Tests.HotSpots.SpotCube;

namespace CamCube.Services.Cache.Tests.HotSpots;

/// <summary>A new lease for what a holder still has, without the value (docs/cache.md, "Renewal").</summary>
public sealed class RenewalTests
{
    private static readonly TimeSpan OverLease = TimeSpan.FromMilliseconds(210);
    private readonly List<int> _copies = [];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_has_not_changed_is_leased_anew_and_does_not_travel(bool isOwnClient)
    {
        using var cube = new SpotCube();
        string value = new('x', 1_000);
        cube.SetAndCopy(value, expiry: 100);
        Watch(cube);
        for (int i = 1; i <= 5; i++)
        {
            cube.Cube.Advance(OverLease);
            Assert.Null(cube.Peek());
            Assert.Equal(value, cube.Cache.Get(isOwnClient ? Holder : Asker, cube.Key));
            Assert.Equal(value, cube.Peek());
            Assert.Equal(i, cube.At(Holder, CacheCount.CopiesRenewed));
        }

        Assert.Equal(5, _copies.Count);
        Assert.All(_copies, length => Assert.InRange(length, 0, 200));
        cube.Cache.AssertQuiet();
        Assert.Equal((0, 0), (cube.Cache[Holder].Copies.Count, cube.Cache[Holder].Copies.Bytes));
    }

    [Fact]
    public void What_has_changed_travels()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("old");
        cube.Cube.Advance(OverLease);
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, "new"));
        Assert.Equal("new", cube.Cache.Get(Asker, cube.Key));
        Assert.Equal("new", cube.Peek());
        Assert.Equal(0, cube.At(Holder, CacheCount.CopiesRenewed));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_new_expiry_and_the_use_of_it_come_with_the_lease()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("v", expiry: 100);
        cube.Cube.Advance(OverLease);
        Assert.Equal(CacheStatus.Done, cube.Cache.Run(Writer, CacheOperation.Touch, cube.Key, expiry: 1).Status);
        Assert.InRange(cube.Cache.Read(Asker, cube.Key, out _).Facts.SecondsLeft, 0, 1);
        Assert.Equal(1, cube.At(Holder, CacheCount.CopiesRenewed));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(cube.Peek());
        Assert.Null(cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void A_copy_that_is_gone_when_its_renewal_comes_is_asked_for_whole()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("v");
        cube.Cube.Advance(OverLease);
        Watch(cube, onCopy: () => cube.Cache[Holder].Copies.Flush(CamCube.Key.OfName(cube.Key)));
        Assert.Equal("v", cube.Cache.Get(Asker, cube.Key));
        Assert.Equal((2, 0), (_copies.Count, cube.At(Holder, CacheCount.CopiesRenewed)));
        cube.Cube.Advance(OverLease);
        Assert.Equal("v", cube.Cache.Get(Asker, cube.Key));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void After_some_leases_nothing_is_kept()
    {
        using var cube = new SpotCube();
        cube.SetAndCopy("v");
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(0, cube.Cache[Holder].Copies.Count);
        Assert.Equal("v", cube.Cache.Get(Asker, cube.Key));
        Assert.Equal(0, cube.At(Holder, CacheCount.CopiesRenewed));
        cube.Cache.AssertQuiet();
    }

    [Fact]
    public void Without_tokens_nothing_is_renewed()
    {
        using var cube = new SpotCube(new CacheOptions { UseCas = false });
        cube.SetAndCopy("v");
        cube.Cube.Advance(OverLease);
        Assert.Equal("v", cube.Cache.Get(Asker, cube.Key));
        Assert.Equal(0, cube.At(Holder, CacheCount.CopiesRenewed));
        cube.Cache.AssertQuiet();
    }

    // Notes the bytes of each copy that the root sends.
    private void Watch(SpotCube cube, Action? onCopy = null) =>
        cube.Cube.Lose = (from, _, p) =>
        {
            if (p.Service.Value == 0x0110 && p.Header<CacheHeader>().Kind == (byte)PacketKind.Copy && from == Root)
            {
                _copies.Add(p.Body.Length);
                onCopy?.Invoke();
                onCopy = null;
            }

            return false;
        };
}
