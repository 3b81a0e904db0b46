using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests.Connections;

/// <summary>Any server of a cube serves all keys: one that goes away costs nobody an error.</summary>
public sealed class CubeFailoverTests
{
    [Fact]
    public async Task Callers_go_on_through_the_other_server_when_one_stops_in_the_middle_of_their_work()
    {
        await using var cube = new CubeBackend();
        await cube.InitializeAsync();
        await using var fixture = new CacheFixture(new TestClock(), options => options.Servers = [.. cube.Addresses]);
        Task[] callers =
        [
            .. Enumerable
                .Range(0, 20)
                .Select(async number =>
                {
                    for (int round = 0; round < 100; round++)
                    {
                        await fixture.Cache.SetStringAsync($"k{number}", $"{number}/{round}");
                        Assert.Equal($"{number}/{round}", await fixture.Cache.GetStringAsync($"k{number}"));
                        if (number == 0 && round == 50)
                        {
                            await cube.StopFrontEndAsync(1);
                        }
                    }
                }),
        ];
        await Task.WhenAll(callers).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Empty(fixture.Log.Of(6202));
    }
}
