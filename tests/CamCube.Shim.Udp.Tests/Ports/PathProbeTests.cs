using CamCube.Shim.Udp.Ports;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>What follows from answers about sizes; no sockets, no time but the test's.</summary>
public sealed class PathProbeTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void A_path_is_narrow_when_only_short_ones_come_back_and_wide_at_the_first_long_one()
    {
        var probe = new PathProbe(Second);
        long now = 0;
        for (int i = 0; i < 3; i++)
        {
            Ask(probe, ref now, 5, true, true);
            Assert.Equal(now + Second, probe.Deadline);
            long began = now;
            Ask(probe, ref now, PathProbe.MostMissed, true, false);
            Assert.True(probe.IsWide);
            probe.Begin(now = probe.Deadline);
            Assert.False(probe.IsWide);

            // The first question that is not answered comes after a second, the others follow faster.
            Assert.InRange(now - began, 3 * Second, 4 * Second);
            Ask(probe, ref now, 100, true, false);
            Assert.False(probe.IsWide);
            probe.Answered(probe.Begin(now = probe.Deadline) + 1);
            Assert.True(probe.IsWide);
        }
    }

    [Fact]
    public void A_cut_cable_and_a_neighbour_that_stands_still_say_nothing_of_sizes()
    {
        var probe = new PathProbe(Second);
        long now = 0;
        Ask(probe, ref now, 1_000, false, false);
        Assert.True(probe.IsWide);

        // A narrow path stays narrow while it is cut.
        Ask(probe, ref now, PathProbe.MostMissed + 1, true, false);
        Ask(probe, ref now, 1_000, false, false);
        Assert.False(probe.IsWide);
    }

    // Ten pairs in a row of which only the short datagram came: one month in thirty has such a row (309648200 has).
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(309648200)]
    public void A_cable_that_loses_a_tenth_each_way_for_a_month_is_narrow_once_at_most_and_for_seconds(int seed)
    {
        var random = new Random(seed);
        var probe = new PathProbe(Second);
        int became = 0;
        int asked = 0;
        bool wasWide = true;
        for (long now = 0; now < 30L * 86_400 * Second; now = probe.Deadline)
        {
            ulong number = probe.Begin(now);
            became += wasWide && !probe.IsWide ? 1 : 0;
            asked += probe.IsWide ? 0 : 1;
            for (ulong i = 0; i < 2; i++)
            {
                if (random.NextDouble() < 0.9 * 0.9)
                {
                    probe.Answered(number + i);
                }
            }

            wasWide = probe.IsWide;
        }

        Assert.InRange(became, 0, 1);
        Assert.InRange(asked, 0, 5);
    }

    [Fact]
    public void Answers_that_take_longer_than_the_next_question_count()
    {
        var probe = new PathProbe(Second);
        ulong[] last = new ulong[4];
        for (int i = 0; i < 1_000; i++)
        {
            ulong number = probe.Begin(probe.Deadline);
            probe.Answered(last[i % 4]);
            probe.Answered(last[i % 4] + 1);
            last[i % 4] = number;
            Assert.True(probe.IsWide);
        }
    }

    [Fact]
    public void Numbers_that_nobody_asked_for_or_long_ago_change_nothing()
    {
        var probe = new PathProbe(Second);
        long now = 0;
        ulong old = probe.Begin(now);
        Ask(probe, ref now, 100, true, false);
        Assert.False(probe.IsWide);
        foreach (
            ulong number in new[] { old + 1, ulong.MaxValue, 1UL, 1_001UL, (ulong)long.MaxValue, probe.Begin(now) + 3 }
        )
        {
            probe.Answered(number);
            Assert.False(probe.IsWide);
        }
    }

    private static void Ask(PathProbe probe, ref long now, int times, bool isShortAnswered, bool isFullAnswered)
    {
        for (int i = 0; i < times; i++)
        {
            now = Math.Max(now, probe.Deadline);
            ulong number = probe.Begin(now);
            if (isShortAnswered)
            {
                probe.Answered(number);
            }

            if (isFullAnswered)
            {
                probe.Answered(number + 1);
            }
        }
    }
}
