using CamCube.Chaos.Jobs;

namespace CamCube.Chaos.Tests;

public sealed class JobFaultDrawTests
{
    [Fact]
    public void All_kinds_come_in_turn_and_the_same_seed_draws_the_same()
    {
        JobFaultDraw draw = new(7),
            again = new(7),
            other = new(8);
        JobFault[] faults = [.. Enumerable.Range(0, 50).Select(_ => draw.Next())];
        JobFaultKind[] kinds = Enum.GetValues<JobFaultKind>();
        Assert.Equal(Enumerable.Range(0, 50).Select(i => kinds[i % kinds.Length]), faults.Select(f => f.Kind));
        Assert.Equal(faults, Enumerable.Range(0, 50).Select(_ => again.Next()));
        Assert.NotEqual(faults, Enumerable.Range(0, 50).Select(_ => other.Next()));
        Assert.All(faults, fault => Assert.InRange(fault.At, 0.05, 0.9));
        Assert.All(faults, fault => Assert.InRange(fault.Time, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(20)));
    }

    [Fact]
    public void Input_lies_where_its_path_has_its_home_and_every_second_server_has_none()
    {
        var shape = new TorusShape(3, 3, 3);
        var input = new JobInput(shape, 2_000, 1);
        Assert.Equal(14, input.Homes.Count);
        Assert.All(input.Homes, home => Assert.Equal(home, shape.RankOf(Key.OfName(input.PathOf(home)).HomeIn(shape))));
        Assert.Equal(input.TextOf(4), new JobInput(shape, 2_000, 1).TextOf(4));
        Assert.NotEqual(input.TextOf(4), input.TextOf(6));
        Assert.InRange(input.TextOf(4).Length, 2_000, 2_300);
    }

    [Fact]
    public void What_differs_from_the_undisturbed_job_is_named()
    {
        JobEnd undisturbed = End([("a", "1"), ("b", "2")], [("g, read", 5), ("g, written", 6)]);
        Assert.Empty(End([("b", "2"), ("a", "1")], [("g, written", 6), ("g, read", 5)]).Differences(undisturbed));
        Assert.Equal(
            ["job_1: b is not as undisturbed", "job_1: c is not as undisturbed"],
            End([("a", "1"), ("c", "2")], [("g, read", 5), ("g, written", 6)]).Differences(undisturbed)
        );
        Assert.Equal(
            ["job_1: counter g, read is 7 and undisturbed 5", "job_1: counter g, written is 0 and undisturbed 6"],
            End([("a", "1"), ("b", "2")], [("g, read", 7)]).Differences(undisturbed)
        );
        Assert.Equal(["job_1 has failed: a disk"], (undisturbed with { Words = "a disk" }).Differences(undisturbed));
    }

    private static JobEnd End((string, string)[] files, (string, long)[] counters) =>
        new(
            "job_1",
            1,
            files.ToDictionary(static f => f.Item1, static f => f.Item2),
            counters.ToDictionary(static c => c.Item1, static c => c.Item2),
            "",
            null
        );
}
