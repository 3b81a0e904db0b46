using System.Diagnostics;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Tests.Linux;

[SupportedOSPlatform("linux")]
public sealed class WakeTimerTests
{
    private const long Soon = 10_000_000;
    private const long Late = 60_000_000_000;

    [Fact]
    public void It_ends_a_sleep_when_its_time_is_over_until_that_was_seen()
    {
        using var poller = new Poller(1);
        using var timer = new WakeTimer();
        poller.Watch(timer.Handle, 0, PollEvents.Readable);
        Assert.Equal(0, poller.Wait(0));
        long begin = Stopwatch.GetTimestamp();
        timer.Set(Soon);
        Assert.Equal(1, poller.Wait(Late));
        Assert.True(Stopwatch.GetElapsedTime(begin).TotalNanoseconds >= Soon, "it ended too early");
        Assert.Equal(1, poller.Wait(0));
        timer.Reset();
        Assert.Equal(0, poller.Wait(0));
    }

    [Fact]
    public void It_can_be_put_off_and_taken_back()
    {
        using var poller = new Poller(1);
        using var timer = new WakeTimer();
        poller.Watch(timer.Handle, 0, PollEvents.Readable);
        timer.Set(Soon);
        timer.Set(Late);
        Assert.Equal(0, poller.Wait(3 * Soon));
        timer.Set(Soon);
        timer.Set(0);
        Assert.Equal(0, poller.Wait(3 * Soon));
    }

    [Fact]
    public void Set_after_its_end_it_does_nothing()
    {
        var timer = new WakeTimer();
        timer.Dispose();
        timer.Set(Soon);
    }
}
