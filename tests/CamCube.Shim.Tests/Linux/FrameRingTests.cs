using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Linux;

[SupportedOSPlatform("linux")]
public sealed class FrameRingTests : IDisposable
{
    private readonly Socket _a = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly Socket _b = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

    public FrameRingTests()
    {
        _a.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _b.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _a.Connect(_b.LocalEndPoint!);
        _b.Connect(_a.LocalEndPoint!);
        (_a.Blocking, _b.Blocking) = (false, false);
    }

    public void Dispose()
    {
        _a.Dispose();
        _b.Dispose();
    }

    [Fact]
    public void Frames_go_out_and_come_in_whole_and_in_order_across_the_ends_of_both_rings()
    {
        using var send = new FrameRing(8, 1_500, 2);
        using var receive = new FrameRing(16, 1_500);
        var random = new Random(1);
        int next = 0,
            expected = 0;
        while (expected < 1_000)
        {
            for (int n = random.Next(0, send.Free + 1); n > 0; n--, next++)
            {
                Fill(send, next);
            }

            int before = send.Count;
            Assert.Equal(before, send.Send(_a.SafeHandle, out int error));
            Assert.Equal((0, 0, 8), (error, send.Count, send.Free));
            while (receive.Receive(_b.SafeHandle, random.Next(1, 9), out error) > 0)
            {
                for (; receive.Count > 0; receive.Release(1), expected++)
                {
                    Check(receive.Readable(0, out bool wasCut), wasCut, expected);
                }
            }

            Assert.Equal(SystemError.Again, error);
            Assert.Equal(next, expected);
        }
    }

    [Fact]
    public void What_the_kernel_does_not_take_stays_and_a_frame_that_is_too_long_is_marked()
    {
        using var send = new FrameRing(8, 1_500);
        using var receive = new FrameRing(8, 100);
        Fill(send, 1_000);
        Assert.Equal(1, send.Send(_a.SafeHandle, out _));
        Assert.Equal(1, receive.Receive(_b.SafeHandle, 8, out _));
        receive.Readable(0, out bool wasCut);
        Assert.True(wasCut);
        receive.Release(1);

        // Longer than any datagram: what is before it goes, it and what is behind it stay.
        using var big = new FrameRing(4, 70_000);
        big.Commit(10);
        big.Commit(70_000);
        big.Commit(10);
        Assert.Equal(1, big.Send(_a.SafeHandle, out int error));
        Assert.Equal((0, 2), (error, big.Count));
        Assert.Equal(0, big.Send(_a.SafeHandle, out error));
        Assert.Equal((SystemError.MessageTooLong, 2), (error, big.Count));
        big.Release(1);
        Assert.Equal(1, big.Send(_a.SafeHandle, out _));
    }

    [Fact]
    public void A_ring_takes_no_more_than_fits()
    {
        using var send = new FrameRing(16, 1_500);
        using var receive = new FrameRing(4, 1_500);
        for (int i = 0; i < 9; i++)
        {
            Fill(send, i);
        }

        send.Send(_a.SafeHandle, out _);
        Assert.Equal(3, receive.Receive(_b.SafeHandle, 3, out _));
        Assert.Equal(1, receive.Receive(_b.SafeHandle, 3, out _));
        Assert.Equal(0, receive.Receive(_b.SafeHandle, 3, out int error));
        Assert.Equal(0, error);
        receive.Release(4);
        receive.Rewind();
        Assert.Equal(4, receive.Receive(_b.SafeHandle, 9, out _));
        Check(receive.Readable(3, out bool wasCut), wasCut, 7);
    }

    [Fact]
    public void Nothing_allocates()
    {
        using var send = new FrameRing(32, 9_014, 2);
        using var receive = new FrameRing(32, 9_014, 2);
        using var poller = new Poller(2);
        poller.Watch(_b.SafeHandle, 1, PollEvents.Readable);
        Assert.Equal(
            0,
            Allocations.Of(() =>
            {
                for (int round = 0; round < 200; round++)
                {
                    for (int i = 0; i < 8; i++)
                    {
                        send.Writable[..1_000].Fill((byte)i);
                        send.Commit(1_000);
                    }

                    send.Send(_a.SafeHandle, out _);
                    poller.Wait(1_000_000);
                    poller.TryGet(0, out _, out _);
                    while (receive.Receive(_b.SafeHandle, 32, out _) > 0)
                    {
                        receive.Readable(0, out _);
                        receive.Release(receive.Count);
                    }
                }
            })
        );
    }

    private static void Fill(FrameRing ring, int number)
    {
        int length = 4 + (number * 37 % 1_400);
        ring.Writable[..length].Fill((byte)number);
        BitConverter.TryWriteBytes(ring.Writable, number);
        ring.Commit(length);
    }

    private static void Check(ReadOnlySpan<byte> frame, bool wasCut, int number)
    {
        Assert.False(wasCut);
        Assert.Equal(4 + (number * 37 % 1_400), frame.Length);
        Assert.Equal(number, BitConverter.ToInt32(frame));
        Assert.True(frame[4..].IndexOfAnyExcept((byte)number) < 0);
    }
}
