using CamCube.Loads.Choosing;

namespace CamCube.Loads.Tests.Choosing;

public sealed class OperationMixTests
{
    [Theory]
    [InlineData("get=80,put=15,incr=5")]
    [InlineData("rmw=1,insert=1,delete=2")]
    [InlineData("get=1")]
    public void A_mix_is_drawn_as_it_is_written(string text)
    {
        Assert.True(OperationMix.TryParse(text, out OperationMix mix));
        Assert.Equal(text, mix.ToString());
        var random = new LoadRandom(1);
        const int Draws = 400_000;
        Dictionary<string, int> seen = [];
        for (int i = 0; i < Draws; i++)
        {
            string name = OperationMix.NameOf(mix.Next(random));
            seen[name] = seen.GetValueOrDefault(name) + 1;
        }

        string[][] parts = [.. text.Split(',').Select(static one => one.Split('='))];
        int sum = parts.Sum(static one => int.Parse(one[1]));
        Assert.Equal(parts.Length, seen.Count);
        Assert.All(parts, one => Assert.InRange(seen[one[0]] / (Draws * double.Parse(one[1]) / sum), 0.97, 1.03));
    }

    [Theory]
    [InlineData("")]
    [InlineData("get")]
    [InlineData("get=")]
    [InlineData("get=0")]
    [InlineData("get=-1")]
    [InlineData("get=1,get=2")]
    [InlineData("scan=5")]
    [InlineData("get=1,")]
    [InlineData("get=1=2")]
    [InlineData("get=99999999999")]
    public void What_is_no_mix_is_refused(string text) => Assert.False(OperationMix.TryParse(text, out _));

    [Theory]
    [InlineData("a", "get=50,put=50", KeyDistribution.Zipfian)]
    [InlineData("b", "get=95,put=5", KeyDistribution.Zipfian)]
    [InlineData("c", "get=100", KeyDistribution.Zipfian)]
    [InlineData("d", "get=95,insert=5", KeyDistribution.Latest)]
    [InlineData("f", "get=50,rmw=50", KeyDistribution.Zipfian)]
    public void The_core_workloads_are_those_of_YCSB(string name, string mix, KeyDistribution keys)
    {
        Workload workload = Workload.Core.Single(one => one.Name == name);
        Assert.Equal((mix, keys), (workload.Mix.ToString(), workload.Distribution));
    }
}
