using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>What a bridge knows of the machines behind it: bounded, and those that are answered stay.</summary>
public sealed class BridgedMachinesTests
{
    private const long Second = 1_000_000_000;
    private static readonly TimeSpan Time = TimeSpan.FromSeconds(300);

    [Fact]
    public void A_machine_is_known_from_its_first_frame_until_it_is_silent_for_long()
    {
        var machines = new BridgedMachines(64, Time, 7);
        Assert.False(machines.TryAnswer(5, 0));
        Assert.True(machines.Hear(5, 0));
        Assert.True(machines.TryAnswer(5, 300 * Second));
        Assert.False(machines.TryAnswer(5, 301 * Second));
        Assert.Equal((1, 0), (machines.Count(300 * Second), machines.Count(301 * Second)));
        Assert.True(machines.Hear(5, 302 * Second));
        Assert.True(machines.TryAnswer(5, 303 * Second));
    }

    [Fact]
    public void Those_that_are_answered_stay_until_they_are_silent_and_others_replace_each_other()
    {
        var machines = new BridgedMachines(16, Time, 7);
        var answered = new List<ulong>();
        for (ulong one = 1; one <= 100; one++)
        {
            if (machines.Hear(one, (long)one) && machines.TryAnswer(one, (long)one))
            {
                answered.Add(one);
            }
        }

        // All places are taken by machines that somebody speaks with.
        Assert.InRange(answered.Count, 12, 16);
        for (ulong one = 1_000; one < 2_000; one++)
        {
            machines.Hear(one, Second);
        }

        Assert.All(answered, one => Assert.True(machines.TryAnswer(one, 2 * Second)));
        Assert.True(machines.Hear(5_000, 400 * Second));
        Assert.True(machines.TryAnswer(5_000, 400 * Second));
    }

    [Fact]
    public void The_newest_of_those_that_nobody_answers_are_known()
    {
        var machines = new BridgedMachines(64, Time, 7);
        for (ulong one = 1; one <= 10_000; one++)
        {
            Assert.True(machines.Hear(one, (long)one));
            Assert.Equal(one <= 1 ? 1 : Math.Min(machines.Count((long)one), 64), machines.Count((long)one));
        }

        Assert.True(machines.TryAnswer(10_000, 10_001));
        Assert.False(machines.TryAnswer(1, 10_001));
    }
}
