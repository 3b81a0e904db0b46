using CamCube.Services.Tunnel.Receiving;

namespace CamCube.Services.Tunnel.Tests;

public sealed class PathSkewTests
{
    private const long Milli = 1_000_000;

    [Fact]
    public void The_wait_is_twice_what_was_needed_and_forgets_it_slowly()
    {
        var skew = new PathSkew(200 * Milli);
        Assert.Equal(20 * Milli, skew.WaitNanos);
        skew.Came(Milli);
        Assert.Equal(20 * Milli, skew.WaitNanos);
        skew.Came(60 * Milli);
        Assert.Equal(120 * Milli, skew.WaitNanos);
        for (int i = 0; i < 100; i++)
        {
            skew.Came(Milli);
        }

        Assert.InRange(skew.WaitNanos, 100 * Milli, 120 * Milli);
        for (int i = 0; i < 10_000; i++)
        {
            skew.Came(Milli);
        }

        Assert.Equal(20 * Milli, skew.WaitNanos);
    }

    [Fact]
    public void Who_came_too_late_makes_it_longer_up_to_the_longest()
    {
        var skew = new PathSkew(200 * Milli);
        long[] waits =
        [
            .. Enumerable
                .Range(0, 6)
                .Select(_ =>
                {
                    skew.CameTooLate();
                    return skew.WaitNanos / Milli;
                }),
        ];
        Assert.Equal([40, 80, 160, 200, 200, 200], waits);
    }

    [Fact]
    public void It_is_never_longer_than_it_may_be()
    {
        var skew = new PathSkew(5 * Milli);
        Assert.Equal(5 * Milli, skew.WaitNanos);
        skew.Came(4 * Milli);
        skew.CameTooLate();
        Assert.Equal(5 * Milli, skew.WaitNanos);
    }
}
