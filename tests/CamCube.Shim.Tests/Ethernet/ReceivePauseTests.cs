using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Ports;

namespace CamCube.Shim.Tests.Ethernet;

[SupportedOSPlatform("linux")]
public sealed class ReceivePauseTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void Only_after_a_stream_of_frames_is_there_a_pause()
    {
        using var pause = new ReceivePause(1, 1_000);
        Assert.False(pause.TryPause(Second, out _));
        pause.Add(ReceivePause.Stream - 1);
        Assert.False(pause.TryPause(Second, out _));

        // Those before the last sleep do not count any more.
        pause.Add(1);
        Assert.False(pause.TryPause(Second, out _));
        pause.Add(1);
        pause.Add(ReceivePause.Stream - 1);
        Assert.True(pause.TryPause(Second, out bool happened));
        Assert.False(happened);
        Assert.False(pause.TryPause(Second, out _));
    }

    [Fact]
    public void A_signal_ends_it_before_its_time()
    {
        using var signal = new WakeSignal();
        using var pause = new ReceivePause(1, 3_600 * Second);
        pause.Watch(signal.Handle, 0);
        signal.Set();
        pause.Add(ReceivePause.Stream);
        Assert.True(pause.TryPause(long.MaxValue, out bool happened));
        Assert.True(happened);

        // Also one that comes while it lasts.
        signal.Reset();
        var thread = new Thread(signal.Set);
        pause.Add(ReceivePause.Stream);
        thread.Start();
        Assert.True(pause.TryPause(long.MaxValue, out happened));
        Assert.True(happened);
        thread.Join();
    }

    [Fact]
    public void There_is_none_when_the_loop_has_something_to_do_before_its_end()
    {
        using var pause = new ReceivePause(1, 3_600 * Second);
        pause.Add(ReceivePause.Stream);
        Assert.False(pause.TryPause(Second, out _));
    }

    [Fact]
    public void None_lasts_no_time()
    {
        using var pause = new ReceivePause(1, 0);
        pause.Add(ReceivePause.Stream);
        Assert.False(pause.TryPause(Second, out _));
    }
}
