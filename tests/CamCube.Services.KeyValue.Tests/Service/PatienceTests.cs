using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>How often somebody is asked again who has not answered yet.</summary>
public sealed class PatienceTests
{
    // Who has much to do answers late, and would have the more to do the more often it is asked.
    [Fact]
    public void Who_is_slow_is_asked_again_ever_less_often()
    {
        var options = new KeyValueOptions { SlowAfter = TimeSpan.FromSeconds(4) };
        using var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        cube.AwaitSettled();
        using (cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(600))))
        {
            ValueTask<KeyValueAnswer>[] crowd =
            [
                .. Enumerable
                    .Range(0, 90)
                    .Select(i => cube[i % 3].PutAsync(KeyValueKey.Of($"key {i}"), "a"u8.ToArray(), default)),
            ];
            Assert.All(crowd, put => Assert.Equal(Done, cube.Cube.Await(put).Status));
        }

        // After 0.2, 0.6, 1.4, 2.2, 3 and 3.8 seconds; at even distances it would be 17 times in that time.
        long retries = Enumerable.Range(0, 3).Sum(rank => SeeingTests.Counters(cube, rank)["retries"]);
        Assert.InRange(retries, 90, 90 * 6);
        cube.Cube.AssertQuiet();
    }
}
