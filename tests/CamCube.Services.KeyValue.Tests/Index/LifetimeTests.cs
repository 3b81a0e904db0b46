using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Tests.Index;

/// <summary>How long keys are there, in four bytes, and when they end, in 36 bits: never sooner than what was said.
/// </summary>
public sealed class LifetimeTests
{
    private const long Millis = 1_000_000;

    [Theory]
    [InlineData(0.0, 1)]
    [InlineData(-7.0, 1)]
    [InlineData(0.3, 1)]
    [InlineData(1.0, 1)]
    [InlineData(999.2, 1_000)]
    [InlineData(1_500, 1_500)]
    [InlineData(60_000, 60_000)]
    [InlineData(2_147_483_646, 2_147_483_646)]
    [InlineData(2_147_483_649, 2_147_484_000)]
    [InlineData(1e12, 1_000_000_000_000)]
    [InlineData(9e14, 2_147_483_647_000)]
    public void It_is_never_shorter(double asked, long millis)
    {
        uint lifetime = Lifetime.Of(TimeSpan.FromMilliseconds(asked));
        Assert.Equal(millis, Lifetime.NanosOf(lifetime) / Millis);
        Assert.Equal(TimeSpan.FromMilliseconds(millis), Lifetime.TimeOf(lifetime));
        Assert.Equal(lifetime, Lifetime.OfNanos(millis * Millis));
    }

    [Fact]
    public void None_is_until_it_is_deleted()
    {
        Assert.Equal((0U, 0L, null), (Lifetime.Of(null), Lifetime.NanosOf(0), Lifetime.TimeOf(0)));
        Assert.Equal(1, Lifetime.NanosOf(Lifetime.OfNanos(long.MinValue)) / Millis);
        Assert.Equal(Lifetime.Longest, Lifetime.TimeOf(Lifetime.Of(TimeSpan.MaxValue)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-5_000_000_000_000_000)]
    [InlineData(1_790_000_000_000_000_000)]
    public void The_index_keeps_ends_to_the_millisecond_for_a_year_and_later_ones_nearly(long begin)
    {
        var keys = new GroupKeys(new KeySlots(new IndexMemory(new NoMemory()), begin), 0);
        foreach (long left in (long[])[1, Millis, Millis + 1, 87 * Millis, 86_400_000 * Millis])
        {
            Assert.InRange(Kept(left) - left, 0, Millis - 1);
        }

        const long Year = 366L * 86_400_000 * Millis;
        foreach (long left in (long[])[2 * Year, 20 * Year, (68 * Year) + 1])
        {
            Assert.InRange(Kept(left) - left, 0, (125 * Millis) - 1);
        }

        long Kept(long left)
        {
            keys.Put(7, new IndexEntry((ulong)left, new LogLocation(), 1, 0, false) { DueNanos = begin + left });
            Assert.True(keys.TryGet(7, out IndexEntry entry));
            return entry.DueNanos - begin;
        }
    }
}
