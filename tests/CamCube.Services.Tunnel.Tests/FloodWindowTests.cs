using CamCube.Services.Tunnel.Flooding;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Which frames of a sender came before.</summary>
public sealed class FloodWindowTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Nothing_is_new_twice_and_all_that_is_not_long_ago_is_new_once(int seed)
    {
        var random = new Random(seed);
        var window = new FloodWindow(7, perSecond: 1_000_000);
        HashSet<long> came = [];
        long newest = 65_000;
        for (int i = 0; i < 200_000; i++)
        {
            long number = newest + random.Next(-1_100, 8);
            FloodArrival arrival = window.Take(7, (ushort)number, i);
            if (number > newest || i == 0)
            {
                newest = number;
            }

            bool isLate = number <= newest - 1_024;
            Assert.Equal(isLate || !came.Add(number) ? FloodArrival.Repeated : FloodArrival.New, arrival);
        }
    }

    [Fact]
    public void Another_run_begins_anew_and_the_one_before_comes_back_only_when_it_is_quiet()
    {
        var window = new FloodWindow(7, perSecond: 1_000);
        Assert.Equal(FloodArrival.New, window.Take(7, 5, 0));
        Assert.Equal(FloodArrival.New, window.Take(8, 5, 1));
        Assert.Equal(FloodArrival.Stale, window.Take(7, 6, 2));
        Assert.Equal(FloodArrival.Repeated, window.Take(8, 5, 3));
        Assert.Equal(FloodArrival.New, window.Take(7, 6, 2_000_000_000));
    }

    [Fact]
    public void More_than_a_sender_may_send_in_two_seconds_is_too_many_in_one()
    {
        var window = new FloodWindow(7, perSecond: 10);
        int taken = 0;
        for (ushort i = 0; i < 100; i++)
        {
            taken += window.Take(7, i, 5) == FloodArrival.New ? 1 : 0;
        }

        Assert.Equal(20, taken);
        Assert.Equal(FloodArrival.New, window.Take(7, 100, 1_000_000_000));
    }
}
