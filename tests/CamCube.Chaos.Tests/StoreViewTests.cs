using CamCube.Chaos.Views;

namespace CamCube.Chaos.Tests;

public sealed class StoreViewTests
{
    private static readonly MemberView[] Members = [new("0,0,0", "here"), new("0,0,1", "here"), new("0,0,2", "here")];

    [Fact]
    public void A_group_that_all_its_members_tell_alike_is_settled() => Assert.Null(StoreView.WhyNot(All()));

    [Fact]
    public void What_is_missing_is_said()
    {
        Assert.Equal("group 0/0,0,0/1 is not born", With(0, row => row with { Epoch = 0 }, all: true));
        Assert.Equal("group 0/0,0,0/1 is in two epochs", With(1, row => row with { Epoch = 3 }));
        Assert.Equal("group 0/0,0,0/1 has no leader", With(0, row => row with { Leader = null }, all: true));
        Assert.Equal("group 0/0,0,0/1 has two leaders", With(2, row => row with { Leader = "0,0,2" }));
        Assert.Equal("group 0/0,0,0/1 is not level", With(1, row => row with { Index = 8 }));
        Assert.Equal("group 0/0,0,0/1 is not level", With(2, row => row with { Behind = 1 }));
        Assert.Equal("group 0/0,0,0/1 is known to 2 of 3 members", StoreView.WhyNot(All()[..2]));
        Assert.Equal(
            "group 0/0,0,0/1 lacks 0,0,2 (away)",
            With(0, row => row with { Members = [Members[0], Members[1], new("0,0,2", "away")] }, all: true)
        );
    }

    [Fact]
    public void While_clients_write_all_must_have_what_one_had_a_moment_before()
    {
        (string Server, GroupView Row)[] now =
        [
            .. All().Select((one, i) => (one.Server, one.Row with { Index = 7 + (ulong)i, Behind = 2 })),
        ];
        Assert.Equal("group 0/0,0,0/1 is not level", StoreView.WhyNot(now));
        Assert.Null(StoreView.WhyNot(now, All()));
        Assert.Equal("group 0/0,0,0/1 is not level", StoreView.WhyNot(now, now));
        Assert.Equal("group 0/0,0,0/1 is not level", StoreView.WhyNot(now, []));
    }

    private static string? With(int server, Func<GroupView, GroupView> change, bool all = false) =>
        StoreView.WhyNot([.. All().Select((one, i) => all || i == server ? (one.Server, change(one.Row)) : one)]);

    private static (string Server, GroupView Row)[] All() =>
        [.. Members.Select(member => (member.Server, new GroupView("0/0,0,0/1", 2, Members, "0,0,0", 7, 0)))];
}
