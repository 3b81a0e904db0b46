using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Lending;

namespace CamCube.Services.Cache.Tests.HotSpots;

public sealed class LeaseTableTests
{
    private static readonly Coordinate H = new(1, 0, 0),
        I = new(2, 0, 0);
    private static readonly Key K = Key.OfName("k"),
        L = Key.OfName("l");

    [Fact]
    public void A_lease_lasts_until_its_end_and_not_longer()
    {
        var table = new LeaseTable(10);
        Assert.True(table.TryGrant(K, H, endNanos: 100, nowNanos: 0));
        Assert.True(table.HasAny(K, 99, out long until));
        Assert.Equal(100, until);
        Assert.False(table.HasAny(K, 100, out _));
        Assert.False(table.HasAny(L, 0, out _));
    }

    [Fact]
    public void A_holder_that_confirmed_has_none_and_others_still_do()
    {
        var table = new LeaseTable(10);
        table.TryGrant(K, H, 100, 0);
        table.TryGrant(K, I, 200, 0);
        table.TryGrant(L, H, 300, 0);
        table.End(K, H);
        Assert.Equal([I], HoldersOf(table, K, 0));
        table.End(K, I);
        Assert.False(table.HasAny(K, 0, out _));
        Assert.True(table.HasAny(L, 0, out _));
        Assert.Equal(1, table.Count);
    }

    [Fact]
    public void A_lease_that_is_given_again_lasts_until_the_later_end()
    {
        var table = new LeaseTable(10);
        table.TryGrant(K, H, 200, 0);
        table.TryGrant(K, H, 150, 50);
        Assert.True(table.HasAny(K, 199, out _));
        table.TryGrant(K, H, 400, 100);
        table.Trim(300);
        Assert.True(table.HasAny(K, 300, out _));
        Assert.Equal(1, table.Count);
    }

    [Fact]
    public void A_full_table_gives_none_until_some_have_ended()
    {
        var table = new LeaseTable(2);
        Assert.True(table.TryGrant(K, H, 100, 0));
        Assert.True(table.TryGrant(L, H, 100, 0));
        Assert.False(table.TryGrant(K, I, 100, 99));
        Assert.True(table.TryGrant(K, I, 300, 100));
        Assert.Equal(1, table.Count);
    }

    [Fact]
    public void Leases_that_are_given_again_and_again_take_no_more_memory()
    {
        var table = new LeaseTable(4);
        Renew(table, 100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Renew(table, 100_000);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(4, table.Count);
    }

    [Fact]
    public void It_agrees_with_a_list_over_random_steps()
    {
        var random = new Random(3);
        var table = new LeaseTable(int.MaxValue);
        var model = new Dictionary<(int Key, int Holder), long>();
        Key[] keys = [.. Enumerable.Range(0, 8).Select(i => Key.OfName($"{i}"))];
        for (long now = 1; now < 20_000; now++)
        {
            (int key, int holder) = (random.Next(8), random.Next(5));
            var at = new Coordinate((ushort)holder, 0, 0);
            if (random.Next(3) == 0)
            {
                table.End(keys[key], at);
                model.Remove((key, holder));
            }
            else
            {
                long end = now + random.Next(1, 60);
                table.TryGrant(keys[key], at, end, now);
                model[(key, holder)] = Math.Max(end, model.GetValueOrDefault((key, holder)));
            }

            key = random.Next(8);
            var expected = model.Where(m => m.Key.Key == key && m.Value > now).ToList();
            Assert.Equal(expected.Count > 0, table.HasAny(keys[key], now, out long until));
            Assert.Equal(
                expected.Select(m => m.Key.Holder).Order(),
                HoldersOf(table, keys[key], now).Select(c => (int)c.X).Order()
            );
            Assert.True(expected.Count == 0 || until == expected.Max(m => m.Value));
        }

        table.Trim(long.MaxValue);
        Assert.Equal(0, table.Count);
    }

    // At one moment, so that no lease is over; also where the table is full, and for keys that are changed all the
    // time.
    private static void Renew(LeaseTable table, int times)
    {
        for (int i = 0; i < times; i++)
        {
            table.TryGrant(K, H, 1_000 + i, 0);
            table.TryGrant(K, I, 1_000 + i, 0);
            table.TryGrant(L, I, 1_000 + i, 0);
            table.End(L, H);
            table.TryGrant(L, H, 1_000 + i, 0);
            table.TryGrant(L, new Coordinate(3, 3, 3), 1_000 + i, 0);
        }
    }

    private static List<Coordinate> HoldersOf(LeaseTable table, Key key, long now)
    {
        var holders = new List<Coordinate>();
        table.AddHolders(key, now, holders);
        return holders;
    }
}
