using CamCube.Runtime.Cubes;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Counters by name: so many are told, whatever comes and goes.</summary>
public sealed class LabelledCounterTests
{
    [Fact]
    public void The_first_so_many_are_told_by_name_and_the_others_in_one_sum()
    {
        var counter = new LabelledCounter("received", "{message}", "endpoint", 2);
        Counter[] counters = [.. "abcd".Select(name => counter.Add(name.ToString()))];
        for (int i = 0; i < counters.Length; i++)
        {
            counters[i].Add(i + 1);
        }

        Assert.Equal([("a", 1L), ("b", 2L), (LabelledCounter.Others, 7L)], counter.Read());
        counter.Remove(counters[0]);
        counter.Remove(counters[0]);
        Assert.Equal([("b", 2L), ("c", 3L), (LabelledCounter.Others, 4L)], counter.Read());
        counter.Remove(counters[3]);
        counters[3].Add(100);
        Assert.Equal([("b", 2L), ("c", 3L)], counter.Read());
    }

    [Fact]
    public void None_by_name_is_one_sum()
    {
        var counter = new LabelledCounter("received", "{message}", "endpoint", 0);
        Assert.Empty(counter.Read());
        counter.Add("a").Set(5);
        counter.Add("a").Set(6);
        Assert.Equal([(LabelledCounter.Others, 11L)], counter.Read());
    }

    [Fact]
    public void The_status_tells_them_and_another_instance_begins_without_any()
    {
        using var cube = new TestCube(1, 1, 1);
        cube.Add(server => new Counting(server));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["label n of one 1", "label n of two 2"], Told());
        Assert.Equal([("links", "By"), ("named", "{it}")], Status().Tagged.Order());
        cube[0].ServerOf<Counting>().Loop.Post(static _ => throw new InvalidOperationException("Once."), null);
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Single(cube.Faults);
        Assert.Equal(["label n of one 1", "label n of two 2"], Told());

        ServiceStatus Status() => cube[0].Status.Services.Single(service => service.Name == "counting");

        string[] Told() =>
            [
                .. Status()
                    .Counters.Where(counter => counter.Name == "named")
                    .Select(counter => $"label {counter.Label} of {counter.Of} {counter.Value}"),
            ];
    }

    [CamCubeService(0x077A, "counting")]
    private sealed class Counting : CamCubeService
    {
        public Counting(IServer server)
        {
            server.Counters.CreatePerLink("links", "By");
            LabelledCounter named = server.Counters.CreatePerLabel("named", "{it}", "n", 2);
            named.Add("one").Set(1);
            named.Add("two").Set(2);
        }
    }
}
