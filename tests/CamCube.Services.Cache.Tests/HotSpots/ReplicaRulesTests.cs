using System.ComponentModel.DataAnnotations;
using CamCube.Services.Cache.HotSpots;

namespace CamCube.Services.Cache.Tests.HotSpots;

public sealed class ReplicaRulesTests
{
    [Theory]
    [InlineData("other", 2)]
    [InlineData("user:1", 3)]
    [InlineData("user:vip:1", 5)]
    [InlineData("user", 2)]
    [InlineData("a=b=c", 0)]
    public void The_longest_prefix_counts(string key, int expected)
    {
        var options = new CacheOptions { Replicas = ["user:=3", "user:vip:=5", "a=b=0"] };
        Assert.Equal(expected, new ReplicaRules(options, servers: 27).Of(System.Text.Encoding.UTF8.GetBytes(key)));
    }

    [Fact]
    public void A_server_alone_has_no_use_for_copies()
    {
        var rules = new ReplicaRules(new CacheOptions { Replicas = ["a=3"] }, servers: 1);
        Assert.False(rules.HasAny);
        Assert.Equal(0, rules.Of("ab"u8));
    }

    [Theory]
    [InlineData("user")]
    [InlineData("=3")]
    [InlineData("user=16")]
    [InlineData("user=-1")]
    [InlineData("user=x")]
    public void What_is_no_rule_is_named(string rule)
    {
        var options = new CacheOptions { Replicas = ["good=1", rule] };
        ValidationResult fault = Assert.Single(options.Validate(new ValidationContext(options)));
        Assert.Contains($"'{rule}'", fault.ErrorMessage);
    }

    [Fact]
    public void The_drift_bound_is_below_half_of_the_lease()
    {
        var options = new CacheOptions
        {
            CopyLease = TimeSpan.FromMilliseconds(10),
            CopyDrift = TimeSpan.FromMilliseconds(5),
        };
        Assert.Single(options.Validate(new ValidationContext(options)));
    }

    [Fact]
    public void Extra_keys_are_spread_evenly_and_differ()
    {
        var shape = new TorusShape(3, 3, 3);
        var counts = new int[3, 27];
        for (int i = 0; i < 27_000; i++)
        {
            Key memId = Key.OfName($"key {i}");
            for (int number = 1; number <= 3; number++)
            {
                counts[number - 1, shape.RankOf(CopyKeys.Of(memId, number).HomeIn(shape))]++;
            }

            Assert.Equal(
                3,
                Enumerable.Range(1, 3).Select(n => CopyKeys.Of(memId, n).Route).Append(memId.Route).Distinct().Count()
                    - 1
            );
        }

        // 1,000 expected each; five standard deviations are 155.
        foreach (int count in counts)
        {
            Assert.InRange(count, 845, 1_155);
        }
    }
}
