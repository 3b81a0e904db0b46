using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace CamCube.Client.Cache.Tests;

public sealed class RegistrationTests
{
    public static TheoryData<string, Action<CamCubeCacheOptions>> Faults =>
        new()
        {
            { "Servers has 0 entries; it must have 1 to 64.", o => o.Servers = [] },
            {
                "Servers has 65 entries; it must have 1 to 64.",
                o => o.Servers = [.. Enumerable.Range(1, 65).Select(i => $"h{i}")]
            },
            { "Servers has 'a:b', which is not host:port.", o => o.Servers = ["a:b"] },
            { "Servers has 'a:0', which is not host:port.", o => o.Servers = ["a:0"] },
            { "Servers has 'a:65536', which is not host:port.", o => o.Servers = ["a:65536"] },
            { "Servers has '', which is not host:port.", o => o.Servers = [""] },
            { "Servers has 'http://a:1', which is not host:port.", o => o.Servers = ["http://a:1"] },
            { "Servers names a server twice: a:1, A:1.", o => o.Servers = ["a:1", "A:1"] },
            {
                "KeyPrefix 'a b' must have at most 200 bytes and neither spaces nor control characters.",
                o => o.KeyPrefix = "a b"
            },
            { "ConnectionsPerServer is 0; it must be 1 to 16.", o => o.ConnectionsPerServer = 0 },
            { "ConnectionsPerServer is 17; it must be 1 to 16.", o => o.ConnectionsPerServer = 17 },
            { "MaxValueLength is 0; it must be 1 to 1073741824.", o => o.MaxValueLength = 0 },
            { "ConnectTimeout is 00:00:00; it must be 1 ms to 1 h.", o => o.ConnectTimeout = TimeSpan.Zero },
            { "AnswerTimeout is -00:00:01; it must be 1 ms to 1 h.", o => o.AnswerTimeout = TimeSpan.FromSeconds(-1) },
            {
                "FirstBackoff is 02:00:00; it must be 1 ms to 1 h.",
                o => (o.FirstBackoff, o.LongestBackoff) = (TimeSpan.FromHours(2), TimeSpan.FromHours(2))
            },
            {
                "LongestBackoff 00:00:00.0500000 is shorter than FirstBackoff 00:00:00.1000000.",
                o => o.LongestBackoff = TimeSpan.FromMilliseconds(50)
            },
            { "Distribution 7 is none of AnyServer, ByKey.", o => o.Distribution = (Distribution)7 },
            { "OnOutage 7 is none of Throw, Miss.", o => o.OnOutage = (OutageBehavior)7 },
            { "OnOversize 7 is none of Throw, Drop.", o => o.OnOversize = (OversizeBehavior)7 },
        };

    [Theory]
    [MemberData(nameof(Faults))]
    public void A_setting_that_cannot_be_used_is_named_with_its_value(string message, Action<CamCubeCacheOptions> fault)
    {
        using ServiceProvider provider = new ServiceCollection()
            .AddCamCubeCache(options =>
            {
                options.Servers = ["10.0.0.1"];
                fault(options);
            })
            .BuildServiceProvider();
        OptionsValidationException error = Assert.Throws<OptionsValidationException>(() =>
            provider.GetRequiredService<IDistributedCache>()
        );
        Assert.Contains(message, error.Failures);
    }

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.1:11211")]
    [InlineData("10.0.0.1:5", "10.0.0.1:5")]
    [InlineData("::1", "[::1]:11211")]
    [InlineData("[::1]:5", "[::1]:5")]
    [InlineData("cache-1.example", "Unspecified/cache-1.example:11211")]
    [InlineData(" localhost:65535 ", "Unspecified/localhost:65535")]
    public void A_server_is_a_name_or_an_address_with_or_without_a_port(string text, string expected)
    {
        Assert.True(Client.Cache.Connections.ServerAddress.TryParse(text, out System.Net.EndPoint endPoint));
        Assert.Equal(expected, endPoint.ToString());
    }

    [Fact]
    public void Both_interfaces_are_one_cache_also_after_another_one_was_registered()
    {
        using ServiceProvider provider = new ServiceCollection()
            .AddDistributedMemoryCache()
            .AddCamCubeCache(options => options.Servers = ["10.0.0.1"])
            .BuildServiceProvider();
        IDistributedCache cache = provider.GetRequiredService<IDistributedCache>();
        Assert.IsType<CamCubeCache>(cache);
        Assert.Same(cache, provider.GetRequiredService<IBufferDistributedCache>());
        Assert.Same(cache, provider.GetRequiredService<CamCubeCache>());
    }

    [Fact]
    public async Task A_host_name_is_looked_up()
    {
        var clock = new TestClock();
        await using var server = new FakeServer(clock);
        await using var fixture = new CacheFixture(clock, options => options.Servers = [$"localhost:{server.Port}"]);
        await fixture.Cache.SetStringAsync("a", "x");
        Assert.Equal("x", await fixture.Cache.GetStringAsync("a"));
    }
}
