using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Reads that need no question for a time.</summary>
public sealed class LeaseReadTests
{
    private const string Key = "key";

    [Theory]
    [InlineData("reads=lease", 0)]
    [InlineData("", 100)]
    public void A_read_costs_no_packet_while_the_time_lasts(string mode, int least)
    {
        using StoreCube cube = Settled(3, mode);
        int leader = LeaderOf(cube);
        Assert.Equal(Done, cube.Put(leader, Key, "value").Status);
        Assert.Equal("value", cube.Get(leader, Key).Value);
        (long hops, long began) = (cube.Cube.Cube.PacketHops, cube.Cube.NowNanos);
        long most = 0;
        for (int i = 0; i < 50; i++)
        {
            long before = cube.Cube.Cube.PacketHops;
            Assert.Equal("value", cube.Get(leader, Key).Value);
            most = Math.Max(most, cube.Cube.Cube.PacketHops - before);
        }

        // What is sent beside them is sent whether anybody reads or not.
        long sent = cube.Cube.Cube.PacketHops - hops,
            nanos = cube.Cube.NowNanos - began;
        TestContext.Current.TestOutputHelper!.WriteLine($"{sent} packets in {nanos} ns, at most {most} with one read");
        Assert.True(least == 0 ? sent == 0 : sent >= least, $"{sent} packets in {nanos} ns");
    }

    [Fact]
    public void Reads_that_go_on_are_confirmed_once_for_each_beat_and_those_that_end_cost_nothing()
    {
        using StoreCube cube = Settled(3, "reads=lease");
        int leader = LeaderOf(cube);
        Assert.Equal(Done, cube.Put(leader, Key, "value").Status);
        Member member = MemberOf(cube, leader);
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal("value", cube.Get(leader, Key).Value);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        }

        // A second has 20 beats.
        ulong rounds = member.State.ReadRound;
        Assert.InRange(rounds, 15ul, 25ul);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.InRange(member.State.ReadRound - rounds, 0ul, 1ul);
    }

    [Fact]
    public void Who_is_cut_off_answers_for_a_time_and_others_lead_only_after_that()
    {
        using StoreCube cube = Settled(5, "reads=lease");
        int leader = LeaderOf(cube),
            other = (leader + 2) % 5;
        Assert.Equal(Done, cube.Put(leader, Key, "old").Status);
        Assert.Equal("old", cube.Get(leader, Key).Value);
        cube.Cube.CutOff(cube.Cube.Shape.At(leader));
        long cut = cube.Cube.NowNanos,
            lastOld = 0;
        ValueTask<KeyValueAnswer> put = cube[other].PutAsync(KeyValueKey.Of(Key), "new"u8.ToArray());
        while (!put.IsCompleted)
        {
            ValueTask<KeyValueAnswer> get = cube[leader].GetAsync(KeyValueKey.Of(Key));
            cube.Cube.Advance(TimeSpan.FromMicroseconds(500));
            if (get.IsCompleted)
            {
                Assert.Equal(Done, cube.Cube.Await(get).Status);
                lastOld = cube.Cube.NowNanos;
            }
        }

        long done = cube.Cube.NowNanos;
        Assert.Equal(Done, cube.Cube.Await(put).Status);
        TestContext.Current.TestOutputHelper!.WriteLine(
            $"answered for {(lastOld - cut) / 1e6} ms, changed after {(done - cut) / 1e6} ms"
        );
        Assert.InRange(lastOld - cut, 50_000_000, 150_500_000);
        Assert.InRange(done - cut, 150_000_000, 1_500_000_000);

        // From then on nobody is told the old value, whoever is asked.
        ValueTask<KeyValueAnswer> late = cube[leader].GetAsync(KeyValueKey.Of(Key));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(300));
        Assert.False(late.IsCompleted);
        cube.Cube.MendAll(cube.Cube.Shape.At(leader));
        Assert.Equal("new", cube.Get(leader, Key).Value);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_stands_still_in_front_of_the_clock_tells_nobody_what_is_old(bool isMistaken)
    {
        using StoreCube cube = Settled(5, "reads=lease");
        int leader = LeaderOf(cube),
            other = (leader + 2) % 5;
        cube.Cube[leader].Service<KeyValueService>().Mistake = isMistaken
            ? PlantedMistake.ClockBeforeValue
            : PlantedMistake.None;
        Assert.Equal(Done, cube.Put(leader, Key, "old").Status);
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal("old", cube.Get(leader, Key).Value);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        }

        // Nothing of what others say meanwhile arrives there.
        cube.Cube.CutOff(cube.Cube.Shape.At(leader));
        cube.Cube.Pause(cube.Cube.Shape.At(leader), TimeSpan.FromMilliseconds(1_500));
        Assert.Equal(Done, cube.Put(other, Key, "new").Status);
        ValueTask<KeyValueAnswer> get = cube[leader].GetAsync(KeyValueKey.Of(Key));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(2_000));
        Assert.Equal(isMistaken, get.IsCompleted && cube.Cube.Await(get).Status == Done);
    }

    [Fact]
    public void A_leader_that_stops_in_order_or_is_lost_is_followed_soon()
    {
        using StoreCube cube = Settled(5, "reads=lease,acknowledge=majority");
        foreach (bool isLost in new[] { false, true })
        {
            int leader = LeaderOf(cube),
                other = (leader + 2) % 5;
            Assert.Equal(Done, cube.Put(leader, Key, $"before {isLost}").Status);
            Assert.Equal(Done, cube.Get(leader, Key).Answer.Status);
            if (isLost)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(leader));
            }
            else
            {
                cube.Cube.Shutdown(cube.Cube.Shape.At(leader));
            }

            long began = cube.Cube.NowNanos;
            Assert.Equal($"before {isLost}", cube.Get(other, Key).Value);
            long took = cube.Cube.NowNanos - began;
            TestContext.Current.TestOutputHelper!.WriteLine($"{took / 1e6} ms, lost: {isLost}");
            Assert.InRange(took, 0, isLost ? 1_000_000_000 : 100_000_000);
            cube.Cube.Revive(cube.Cube.Shape.At(leader));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }
    }

    [Fact]
    public void Of_five_two_are_lost_at_once_and_it_goes_on()
    {
        var options = new KeyValueOptions { Replicas = 5, Mode = "acknowledge=majority,reads=lease" };
        using var cube = new StoreCube(7, 1, 1, options);
        cube.AwaitLed();
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(Done, cube.Put(i % 7, $"key {i}", "before").Status);
        }

        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal("before", cube.Get(i % 2 * 4, $"key {i}").Value);
            Assert.Equal(Done, cube.Put(i % 2 * 4, $"key {i}", "after").Status);
        }

        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal("after", cube.Get(1, $"key {i}").Value);
        }

        cube.Cube.AssertQuiet();
    }

    private static StoreCube Settled(int servers, string mode)
    {
        var cube = new StoreCube(servers, 1, 1, new KeyValueOptions { Mode = mode });
        cube.AwaitLed();
        cube.AwaitSettled();
        return cube;
    }

    private static Member MemberOf(StoreCube cube, int rank)
    {
        GroupId id = GroupId.Of(0, System.Text.Encoding.UTF8.GetBytes(Key), cube.Cube.Shape);
        return cube.Cube[rank].Service<KeyValueService>().Host.Find(id)!;
    }

    private static int LeaderOf(StoreCube cube)
    {
        GroupId id = GroupId.Of(0, System.Text.Encoding.UTF8.GetBytes(Key), cube.Cube.Shape);
        return cube.Cube.Shape.RankOf(id.Planned(cube.Cube.Shape, 1)[0]);
    }
}
