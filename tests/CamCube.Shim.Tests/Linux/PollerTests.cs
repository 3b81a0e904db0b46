using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Tests.Linux;

[SupportedOSPlatform("linux")]
public sealed class PollerTests
{
    [Fact]
    public void A_signal_ends_the_present_sleep_and_the_next_one()
    {
        using var poller = new Poller(4);
        using var signal = new WakeSignal();
        poller.Watch(signal.Handle, 3, PollEvents.Readable);
        Assert.Equal(0, poller.Wait(0));
        signal.Set();
        signal.Set();
        Assert.Equal(1, poller.Wait(long.MaxValue));
        Assert.True(poller.TryGet(0, out int key, out PollEvents events));
        Assert.Equal((3, PollEvents.Readable), (key, events));
        signal.Reset();
        Assert.Equal(0, poller.Wait(0));

        var thread = new Thread(signal.Set);
        thread.Start();
        Assert.Equal(1, poller.Wait(long.MaxValue));
        thread.Join();
    }

    [Fact]
    public void A_deadline_is_kept_below_a_millisecond()
    {
        using var poller = new Poller(1);
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal(0, poller.Wait(200_000));
        }

        Assert.True(Stopwatch.GetElapsedTime(begin) >= TimeSpan.FromMilliseconds(20), "it did not sleep");
    }

    [Fact]
    public void An_event_of_what_was_replaced_is_not_shown()
    {
        using var poller = new Poller(2);
        using var old = new WakeSignal();
        using var young = new WakeSignal();
        poller.Watch(old.Handle, 1, PollEvents.Readable);
        old.Set();
        Assert.Equal(1, poller.Wait(0));
        poller.Forget(old.Handle, 1);
        poller.Watch(young.Handle, 1, PollEvents.Readable);
        Assert.False(poller.TryGet(0, out _, out _));
        Assert.Equal(0, poller.Wait(0));
        young.Set();
        Assert.Equal(1, poller.Wait(0));
        Assert.True(poller.TryGet(0, out int key, out _));
        Assert.Equal(1, key);
    }

    [Fact]
    public void Room_to_write_is_told_only_when_asked_for()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using var poller = new Poller(1);
        poller.Watch(socket.SafeHandle, 0, PollEvents.Readable);
        Assert.Equal(0, poller.Wait(0));
        poller.Change(socket.SafeHandle, 0, PollEvents.Readable | PollEvents.Writable);
        Assert.Equal(1, poller.Wait(0));
        Assert.True(poller.TryGet(0, out _, out PollEvents events));
        Assert.Equal(PollEvents.Writable, events);
    }

    [Fact]
    public void Errors_have_words() =>
        Assert.Equal("Operation not permitted", SystemError.Text(SystemError.NotPermitted));
}
