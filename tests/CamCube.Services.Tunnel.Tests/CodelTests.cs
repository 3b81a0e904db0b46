using CamCube.Services.Tunnel.Sending;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>When a queue is too long, and how often something is done about it.</summary>
public sealed class CodelTests
{
    private const long Millis = 1_000_000;
    private static readonly CodelTerms Terms = new(5 * Millis, 100 * Millis, 9_000);

    [Fact]
    public void A_queue_that_is_short_now_and_then_is_left_alone()
    {
        Codel codel = default;
        for (long now = Millis; now < 10_000 * Millis; now += Millis)
        {
            // Once in 90 ms it was empty: such waits are bursts, which go away.
            long waited = now / Millis % 90 == 0 ? 0 : 50 * Millis;
            Assert.Equal(CodelFate.Keep, codel.Judge(Terms, waited, 100_000, false, now));
        }
    }

    [Fact]
    public void One_packet_is_no_queue_however_long_it_waited()
    {
        Codel codel = default;
        for (long now = Millis; now < 1_000 * Millis; now += Millis)
        {
            Assert.Equal(CodelFate.Keep, codel.Judge(Terms, 500 * Millis, 9_000, false, now));
        }
    }

    [Fact]
    public void A_queue_that_stays_long_loses_packets_sooner_and_sooner()
    {
        Codel codel = default;
        List<long> acts = Acts(ref codel, 1, 2_000);
        Assert.InRange(acts[0], 100, 102);
        for (int i = 1; i < acts.Count; i++)
        {
            // Pace rises with the square root of how often it was of no use.
            double expected = 100 / Math.Sqrt(i);
            Assert.InRange(acts[i] - acts[i - 1], expected - 2, expected + 2);
        }

        Assert.InRange(acts.Count, 100, 120);
    }

    [Fact]
    public void Who_is_long_again_soon_begins_with_the_pace_it_had_and_later_with_the_first_one()
    {
        Codel codel = default;
        int before = Acts(ref codel, 1, 2_000).Count;
        Assert.Equal(CodelFate.Keep, codel.Judge(Terms, 0, 100_000, false, 2_001 * Millis));
        List<long> soon = Acts(ref codel, 2_002, 1_000);
        Assert.True(soon[1] - soon[0] < 100 / Math.Sqrt(before - 5) + 2, $"{soon[1] - soon[0]} ms");
        Assert.Equal(CodelFate.Keep, codel.Judge(Terms, 0, 100_000, false, 3_003 * Millis));
        List<long> later = Acts(ref codel, 6_000, 1_000);
        Assert.InRange(later[1] - later[0], 99, 101);
    }

    [Fact]
    public void Who_understands_marks_loses_nothing()
    {
        Codel codel = default;
        int marked = 0;
        for (long now = 1; now < 1_000; now++)
        {
            CodelFate fate = codel.Judge(Terms, 10 * Millis, 100_000, true, now * Millis);
            Assert.NotEqual(CodelFate.Drop, fate);
            marked += fate == CodelFate.Mark ? 1 : 0;
        }

        Assert.InRange(marked, 20, 40);
    }

    private static List<long> Acts(ref Codel codel, long fromMillis, int count)
    {
        List<long> acts = [];
        for (long now = fromMillis; now < fromMillis + count; now++)
        {
            if (codel.Judge(Terms, 10 * Millis, 100_000, false, now * Millis) != CodelFate.Keep)
            {
                acts.Add(now);
            }
        }

        return acts;
    }
}
