using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>What a group's log needs on the disk when it begins later than before.</summary>
public sealed class TrimTests
{
    [Fact]
    public void Entries_are_needed_until_it_is_durable_that_the_log_begins_behind_them()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        for (int i = 0; i < 40; i++)
        {
            Assert.Equal(Done, cube.Put(i % 3, "key", new string('x', 1_000 + i)).Status);
        }

        cube.AwaitSettled();
        MemberHost host = cube.Store(1).Host;
        Member member = host.Members.Single(static m => m.Tail.Last - m.Tail.Base >= 40);
        long needed = host.Needed;
        member.WantsTrim = true;
        host.Tidy(member);

        // The position is on its way, and power may fail: a start would go on from the one before it.
        Assert.True(host.Behind > 0);
        Assert.InRange(host.Needed, needed, long.MaxValue);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((0, member.State.BaseIndex), (host.Behind, member.Tail.Base));
        Assert.InRange(host.Needed, 0, needed - 39_000);
        cube.Cube.AssertQuiet();
    }
}
